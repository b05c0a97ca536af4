"""The organizer's token: made with the store, kept as a hash, written once to a file, replaced."""

from __future__ import annotations

import os
from pathlib import Path

from kitumaija.server.clock import Wall
from kitumaija.server.ids import TokenBytes, random_token, token_hash
from kitumaija.server.store import AuditRow, Store, audit, meta

_KEY = "organizer_token_hash"
_ACTION = "rotate_token"
_BY_HAND = "machine"
"""Who the audit log names for what was done on the server's machine, where nobody is asked who he
is."""


def organizer_hash(store: Store, file: Path, token_bytes: TokenBytes) -> bytes:
    """Return the hash of the organizer's token.

    At the first start there is none: one is drawn, and its text written to `file`, which nobody but
    the server's user can read. Later starts never write it again; who lost it, or fears that
    somebody else has it, has another one made (`replace`).
    """
    with store.read() as tx:
        known = meta.get(tx, _KEY)
    if known is not None:
        return known
    token, digest = _drawn(token_bytes)
    # The file first: a token that nobody can read would lock the organizer out for good.
    _write_secret(file, token)
    with store.write() as tx:
        meta.put(tx, _KEY, digest)
    return digest


def replace(store: Store, file: Path, token_bytes: TokenBytes, wall: Wall) -> None:
    """Draw another token, write it to `file`, and let it alone be the organizer's from now on.

    Takes a store that no server runs on. Nobody is asked for the token before: it may be lost.
    Whoever dies in between has the old one still, and does it again.
    """
    token, digest = _drawn(token_bytes)
    _write_secret(file, token)
    with store.write() as tx:
        meta.put(tx, _KEY, digest)
        audit.add(tx, AuditRow(at=wall(), actor=_BY_HAND, action=_ACTION, subject="organizer"))


def _drawn(token_bytes: TokenBytes) -> tuple[str, bytes]:
    token = random_token(token_bytes)
    return token, token_hash(token)


def _write_secret(file: Path, text: str) -> None:
    file.unlink(missing_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(text + "\n")
