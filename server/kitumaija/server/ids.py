"""Ids that others see, and secrets: both from random bytes that are an argument."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from typing import TypeAlias

TokenBytes: TypeAlias = Callable[[int], bytes]
"""Returns so many random bytes: `secrets.token_bytes`, or in a test something repeatable."""

_ID_BYTES = 16
_TOKEN_BYTES = 32


def random_id(token_bytes: TokenBytes) -> str:
    """Draw an id of 128 random bits: 26 characters of lower-case base32, beginning with a letter or
    a digit 2-7."""
    return base64.b32encode(token_bytes(_ID_BYTES)).decode("ascii").rstrip("=").lower()


def random_token(token_bytes: TokenBytes) -> str:
    """Draw a bearer token of 256 random bits: 43 characters that need no quoting anywhere."""
    return base64.urlsafe_b64encode(token_bytes(_TOKEN_BYTES)).decode("ascii").rstrip("=")


def token_hash(token: str) -> bytes:
    """Return what is stored of a token (32 bytes).

    A token is 256 random bits, so one SHA-256 is enough: there is nothing to guess.
    """
    return hashlib.sha256(token.encode()).digest()
