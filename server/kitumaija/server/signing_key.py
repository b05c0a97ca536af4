"""The server's own key for archives: made with the store, kept in it, shown to nobody."""

from __future__ import annotations

from kitumaija.server.archive.signing import SECRET_BYTES, Signer
from kitumaija.server.ids import TokenBytes
from kitumaija.server.store import Store, meta

_KEY = "signing_key"


def signer_of(store: Store, token_bytes: TokenBytes) -> Signer:
    """Return what signs the archives of a store's tournaments; the key is drawn at the first start.

    It stays the same: what others kept of it would not fit another.
    """
    with store.read() as tx:
        known = meta.get(tx, _KEY)
    if known is not None:
        return Signer(known)
    secret = token_bytes(SECRET_BYTES)
    with store.write() as tx:
        meta.put(tx, _KEY, secret)
    return Signer(secret)
