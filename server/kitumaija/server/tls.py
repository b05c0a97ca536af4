"""The server's certificate: read from its files, checked, and read again when they change.

gRPC asks for it at every handshake. A certificate that is renewed is so taken up by the next
connection, and no stream that is open notices.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc
import structlog
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization

_log = structlog.stdlib.get_logger(__name__)

_Stamp = tuple[int, int, int]


class WrongCertificate(ValueError):
    """Files that no server can speak TLS with; the message is one line and names the file."""


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Where a server's certificate is: the chain, its key, and whose certificates clients show.

    Without `client_ca` clients show none.
    """

    cert: Path
    key: Path
    client_ca: Path | None = None

    @property
    def all(self) -> tuple[Path, ...]:
        """Every file that there is to read."""
        return (self.cert, self.key, *([self.client_ca] if self.client_ca is not None else []))

    def read(self) -> grpc.ServerCertificateConfiguration:
        """Read the files as they are now. Raises `WrongCertificate` for what cannot be used."""
        chain, key = _bytes(self.cert), _bytes(self.key)
        _check_pair(self.cert, chain, self.key, key)
        roots = None
        if self.client_ca is not None:
            roots = _bytes(self.client_ca)
            _certificates(self.client_ca, roots)
        return grpc.ssl_server_certificate_configuration([(key, chain)], roots)


class Certificate:
    """The certificate that is shown now.

    A pair that is replaced by one that cannot be used stays in use, and one line of the log says
    so; the files are looked at again when they have changed again.
    """

    def __init__(self, files: TlsFiles) -> None:
        self._files = files
        self._lock = threading.Lock()
        self._stamps = _stamps(files.all)
        self._first = files.read()

    def credentials(self) -> grpc.ServerCredentials:
        """Return what a port is opened with."""
        return grpc.dynamic_ssl_server_credentials(
            self._first,
            # None is what says that nothing has changed, whatever its types say.
            self._renewed,  # type: ignore[arg-type]
            require_client_authentication=self._files.client_ca is not None,
        )

    def _renewed(self) -> grpc.ServerCertificateConfiguration | None:
        """Return the certificate if it was changed, None for the one that is in use.

        Called by gRPC from a thread of its own, and must not raise.
        """
        with self._lock:
            stamps = _stamps(self._files.all)
            if stamps == self._stamps:
                return None
            self._stamps = stamps
            try:
                found = self._files.read()
            except WrongCertificate as error:
                _log.warning("certificate not renewed: the one before stays", why=str(error))
                return None
        _log.info("certificate renewed", file=str(self._files.cert))
        return found


def _stamps(files: Sequence[Path]) -> tuple[_Stamp | None, ...]:
    """Return what changes when a file does; None for one that is not there."""
    return tuple(_stamp(file) for file in files)


def _stamp(file: Path) -> _Stamp | None:
    try:
        found = os.stat(file)  # noqa: PTH116 - a link is followed: renewing may be moving it
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise WrongCertificate(f"{file} cannot be read ({error.strerror})") from error


def _certificates(file: Path, data: bytes) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(data)
    except ValueError as error:
        raise WrongCertificate(
            f"{file} holds no certificates in PEM form (-----BEGIN CERTIFICATE-----)"
        ) from error


def _check_pair(cert: Path, chain: bytes, key: Path, secret: bytes) -> None:
    """Raise unless the key is that of the chain's first certificate."""
    first = _certificates(cert, chain)[0]
    try:
        private = serialization.load_pem_private_key(secret, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise WrongCertificate(
            f"{key} holds no private key in PEM form that has no password"
        ) from error
    try:
        belongs = _public(first.public_key()) == _public(private.public_key())
    except (ValueError, UnsupportedAlgorithm):
        belongs = False
    if not belongs:
        raise WrongCertificate(
            f"the key in {key} is not that of the certificate in {cert}; "
            "give the two that were made together, the server's own certificate first"
        )


def _public(key: object) -> bytes:
    encoded: bytes = key.public_bytes(  # type: ignore[attr-defined]  # every kind of key has it
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return encoded
