"""The organizer's token: made with the store, kept as a hash, written once to a file."""

from __future__ import annotations

import os
from pathlib import Path

from kitumaija.server.ids import TokenBytes, random_token, token_hash
from kitumaija.server.store import Store, meta

_KEY = "organizer_token_hash"


def organizer_hash(store: Store, file: Path, token_bytes: TokenBytes) -> bytes:
    """Return the hash of the organizer's token.

    At the first start there is none: one is drawn, and its text written to `file`, which nobody but
    the server's user can read. Later starts never write it again; who lost it deletes the file and
    the key `organizer_token_hash` of the store, and starts anew.
    """
    with store.read() as tx:
        known = meta.get(tx, _KEY)
    if known is not None:
        return known
    token = random_token(token_bytes)
    # The file first: a token that nobody can read would lock the organizer out for good.
    _write_secret(file, token)
    digest = token_hash(token)
    with store.write() as tx:
        meta.put(tx, _KEY, digest)
    return digest


def _write_secret(file: Path, text: str) -> None:
    file.unlink(missing_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(text + "\n")
