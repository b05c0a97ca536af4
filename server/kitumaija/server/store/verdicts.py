"""What tournaments found out that were to find something out: one verdict a table size."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import insert, select

from kitumaija.server.store.failpoints import failpoint
from kitumaija.server.store.rows import VerdictRow
from kitumaija.server.store.schema import VERDICTS
from kitumaija.server.store.transactions import ReadTx, WriteTx


@failpoint
def add(tx: WriteTx, rows: Iterable[VerdictRow]) -> None:
    """Add the verdicts of a tournament; raises AlreadyStored where a table size has one."""
    for row in rows:
        values = {column.name: getattr(row, column.name) for column in VERDICTS.c}
        what = f"the verdict of {row.tournament_id!r} at {row.table_size} seats"
        tx.insert(insert(VERDICTS), values, what=what)


def of(tx: ReadTx, tournament_id: str) -> dict[int, VerdictRow]:
    """The verdicts of a tournament by table size, smallest first; none as long as it is open."""
    statement = (
        select(VERDICTS)
        .where(VERDICTS.c.tournament_id == tournament_id)
        .order_by(VERDICTS.c.table_size)
    )
    return {row["table_size"]: VerdictRow(**row) for row in tx.all(statement)}
