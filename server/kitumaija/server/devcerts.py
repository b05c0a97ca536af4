"""Certificates for a server of one's own: an authority, and what it has signed for one server.

The authority's key is thrown away when it has signed: nobody can ever make another certificate that
those who trust the authority would believe. Whoever needs other names makes all of it anew.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
"""What a server on this machine is called."""

CA, CERT, KEY = "ca.pem", "server.pem", "server.key"
CLIENT_CERT, CLIENT_KEY = "client.pem", "client.key"
FILES = (CA, CERT, KEY, CLIENT_CERT, CLIENT_KEY)
"""The names of the files that are written."""

_BACKDATED = timedelta(minutes=5)
"""How far before now a certificate begins: the clocks of two machines differ."""


class NotMade(Exception):
    """No certificates were made; the message is one line and says what to do."""


def make(directory: Path, names: Sequence[str], lifetime: timedelta, now: datetime) -> None:
    """Make an authority, a server's pair for `names`, and a pair for its clients.

    `names` are host names and addresses of the server, `now` is aware of its time zone. The
    directory is made if need be, for the user alone; keys are readable for the user alone. Raises
    `NotMade`, with nothing written, for a file that is there already or a name that is none.
    """
    if not names:
        raise NotMade("no name is given: name the server as its clients will dial it")
    alternatives = x509.SubjectAlternativeName([_alternative(name) for name in names])
    validity = (now - _BACKDATED, now + lifetime)
    authority = _issue("Kitumaija development authority", None, validity)
    server = _issue("Kitumaija server", authority, validity, alternatives, _SERVER)
    client = _issue("Kitumaija client", authority, validity, _CLIENT)
    _write(
        directory,
        {
            CA: authority.pem,
            CERT: server.pem,
            KEY: server.secret,
            CLIENT_CERT: client.pem,
            CLIENT_KEY: client.secret,
        },
    )


_SERVER = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
_CLIENT = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH])


@dataclass(frozen=True, slots=True)
class _Pair:
    """A certificate and its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def secret(self) -> bytes:
        return self.key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )


def _issue(
    name: str,
    issuer: _Pair | None,
    validity: tuple[datetime, datetime],
    *extensions: x509.ExtensionType,
) -> _Pair:
    """Make a key and sign a certificate for it; without an issuer it is an authority's own."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    leaf = issuer is not None
    signer = key if issuer is None else issuer.key
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if issuer is None else issuer.certificate.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(validity[0])
        .not_valid_after(validity[1])
        .add_extension(
            x509.BasicConstraints(ca=not leaf, path_length=None if leaf else 0), critical=True
        )
        .add_extension(_usage(leaf=leaf), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
    )
    for extension in extensions:
        builder = builder.add_extension(extension, critical=False)
    return _Pair(builder.sign(signer, hashes.SHA256()), key)


def _usage(*, leaf: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=leaf,
        key_cert_sign=not leaf,
        crl_sign=not leaf,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _alternative(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name.strip("[]")))
    except ValueError:
        pass
    if not name or not name.isascii() or any(char.isspace() or char in "/:" for char in name):
        raise NotMade(
            f"got the name {name!r}; wanted a host name such as arena.example or an address such "
            "as 192.0.2.7, without a port"
        )
    return x509.DNSName(name)


def _write(directory: Path, contents: Mapping[str, bytes]) -> None:
    """Write files of which none may be there: all of them, or none."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _all_or_none() as written:
            for name, content in contents.items():
                file = directory / name
                mode = 0o600 if name.endswith(".key") else 0o644
                descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
                written.append(file)
                with os.fdopen(descriptor, "wb") as stream:
                    stream.write(content)
    except FileExistsError as error:
        raise NotMade(
            f"{error.filename} is there already and is not written over: name another directory, "
            "or delete what is in this one"
        ) from error
    except OSError as error:
        raise NotMade(f"{error.filename}: {error.strerror}") from error


@contextmanager
def _all_or_none() -> Iterator[list[Path]]:
    written: list[Path] = []
    try:
        yield written
    except BaseException:
        for file in written:
            file.unlink(missing_ok=True)
        raise
