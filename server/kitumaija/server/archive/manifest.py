"""The manifest: every file of an archive with its hash, one root over them all, and a signature.

The root is that of the Merkle tree (`kitumaija.wire.merkle`) of the files in the order of
their names' bytes. A file's thing in it is LE32(length of its name) ‖ name ‖ LE64(its size) ‖ its
SHA-256. Signed is "kitumaija/export/v1" 00 ‖ LE32(length) ‖ the tournament's id ‖ the root.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kitumaija.server.archive.facts import FORMAT
from kitumaija.server.archive.fields import ArchiveError, Fields, document, parsed
from kitumaija.server.archive.signing import Signer, fingerprint, is_signed
from kitumaija.wire.merkle import MerkleTree

NAME = "manifest.json"
"""The manifest's own file, which is not among those that it lists."""

_SIGNED = b"kitumaija/export/v1\x00"


@dataclass(frozen=True, slots=True)
class Listed:
    """One file: its size in bytes and its SHA-256."""

    name: str
    size: int
    sha256: bytes


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is in an archive, and who says so."""

    tournament_id: str
    files: tuple[Listed, ...]
    """In the order of their names' bytes."""
    public_key: bytes
    signature: bytes

    @property
    def root(self) -> bytes:
        """The one hash of all files (32 bytes)."""
        return _root(self.files)

    @property
    def signed(self) -> bool:
        """Whether the signature is that of the key, over these files and this tournament."""
        message = _message(self.tournament_id, self.root)
        return is_signed(self.public_key, self.signature, message)


def make_manifest(tournament_id: str, files: Iterable[Listed], signer: Signer) -> Manifest:
    """Return the signed manifest of an archive's files, given in any order."""
    listed = tuple(sorted(files, key=lambda one: one.name.encode()))
    signature = signer.sign(_message(tournament_id, _root(listed)))
    return Manifest(tournament_id, listed, signer.public_key, signature)


def manifest_text(manifest: Manifest) -> str:
    """Return a manifest as JSON."""
    values: dict[str, Any] = {
        "format": FORMAT,
        "tournament_id": manifest.tournament_id,
        "root": manifest.root.hex(),
        "public_key": manifest.public_key.hex(),
        "fingerprint": fingerprint(manifest.public_key).hex(),
        "signature": manifest.signature.hex(),
        "files": [
            {"name": one.name, "bytes": one.size, "sha256": one.sha256.hex()}
            for one in manifest.files
        ],
    }
    return document(values)


def manifest_from(text: bytes) -> Manifest:
    """Return the manifest in JSON; raises `ArchiveError` for what is none, or not in its one form.

    Whether root and fingerprint are those of the files and the key shows in the form.
    """
    fields = parsed(text)
    if (form := fields.text("format")) != FORMAT:
        raise ArchiveError(f"format: got {form!r}, wanted {FORMAT!r}")
    files = tuple(_listed(one) for one in fields.objects("files"))
    names = [one.name.encode() for one in files]
    if names != sorted(set(names)):
        raise ArchiveError("files: they are not each there once, in the order of their names")
    manifest = Manifest(
        fields.text("tournament_id"),
        files,
        fields.hexadecimal("public_key"),
        fields.hexadecimal("signature"),
    )
    if (root := fields.text("root")) != manifest.root.hex():
        raise ArchiveError(f"root: got {root}, the files have {manifest.root.hex()}")
    own = fingerprint(manifest.public_key).hex()
    if (said := fields.text("fingerprint")) != own:
        raise ArchiveError(f"fingerprint: got {said}, the key's is {own}")
    if manifest_text(manifest).encode() != text:
        raise ArchiveError("it is not in the form that a server writes")
    return manifest


def _listed(fields: Fields) -> Listed:
    return Listed(fields.text("name"), fields.number("bytes"), fields.hexadecimal("sha256"))


def _root(files: Iterable[Listed]) -> bytes:
    return MerkleTree(
        _with_length(one.name.encode()) + one.size.to_bytes(8, "little") + one.sha256
        for one in files
    ).root


def _message(tournament_id: str, root: bytes) -> bytes:
    return _SIGNED + _with_length(tournament_id.encode()) + root


def _with_length(data: bytes) -> bytes:
    return len(data).to_bytes(4, "little") + data
