"""The key that vouches for archives: Ed25519, known to others by its fingerprint.

The key is made of 32 secret bytes. Its fingerprint, SHA-256 of the public key (32 bytes), is shown
with every tournament from the day it is made: so who kept it then can tell later whether an archive
is that server's, whatever else has happened to it.
"""

from __future__ import annotations

import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

SECRET_BYTES = 32
FINGERPRINT_BYTES = 32


class Signer:
    """Signs; made of its secret (32 bytes)."""

    __slots__ = ("_key", "public_key")

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public_key = self._key.public_key().public_bytes_raw()
        """What signatures are checked with (32 bytes)."""

    @property
    def fingerprint(self) -> bytes:
        """What others know the key by (32 bytes)."""
        return fingerprint(self.public_key)

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message (64 bytes); the same message has the same one."""
        return self._key.sign(message)


def fingerprint(public_key: bytes) -> bytes:
    """Return the fingerprint of a public key."""
    return hashlib.sha256(public_key).digest()


def is_signed(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Return whether the owner of a public key signed a message; False for what is no key."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
