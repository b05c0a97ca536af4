"""What the server keeps about itself: small values by key."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from kitumaija.server.store.failpoints import failpoint
from kitumaija.server.store.schema import SERVER_META
from kitumaija.server.store.transactions import ReadTx, WriteTx

_EPOCH = "epoch"


def get(tx: ReadTx, key: str) -> bytes | None:
    """The value of a key, None if there is none."""
    row = tx.first(select(SERVER_META.c.value).where(SERVER_META.c.key == key))
    return None if row is None else row["value"]


@failpoint
def put(tx: WriteTx, key: str, value: bytes) -> None:
    """Set the value of a key, whether there was one or not."""
    tx.change(delete(SERVER_META).where(SERVER_META.c.key == key))
    tx.insert(insert(SERVER_META), {"key": key, "value": value}, what=f"the server's {key}")


@failpoint
def next_epoch(tx: WriteTx) -> int:
    """Count the epoch up and give it: each opening of the store has its own, from 1."""
    epoch = int(get(tx, _EPOCH) or b"0") + 1
    put(tx, _EPOCH, str(epoch).encode("ascii"))
    return epoch
