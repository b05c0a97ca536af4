"""The trees over the deals of a tournament: their roots, and what paths are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import insert, select

from kitumaija.server.store.failpoints import failpoint
from kitumaija.server.store.rows import DealTreeRow
from kitumaija.server.store.schema import DEAL_TREES
from kitumaija.server.store.transactions import ReadTx, WriteTx


@failpoint
def add(tx: WriteTx, rows: Iterable[DealTreeRow]) -> None:
    """Add the trees of a tournament, one a table size."""
    for row in rows:
        values = {column.name: getattr(row, column.name) for column in DEAL_TREES.c}
        what = f"the deals' tree of {row.tournament_id!r} at {row.table_size} seats"
        tx.insert(insert(DEAL_TREES), values, what=what)


def of(tx: ReadTx, tournament_id: str) -> tuple[DealTreeRow, ...]:
    """The trees of a tournament, smallest table size first; none if it began without any."""
    statement = (
        select(DEAL_TREES)
        .where(DEAL_TREES.c.tournament_id == tournament_id)
        .order_by(DEAL_TREES.c.table_size)
    )
    return tuple(DealTreeRow(**row) for row in tx.all(statement))


def roots(tx: ReadTx, tournament_id: str) -> Mapping[int, tuple[int, bytes]]:
    """How many deals each root covers, and the root, by table size."""
    columns = (DEAL_TREES.c.table_size, DEAL_TREES.c.deals, DEAL_TREES.c.root)
    statement = (
        select(*columns)
        .where(DEAL_TREES.c.tournament_id == tournament_id)
        .order_by(DEAL_TREES.c.table_size)
    )
    return {row["table_size"]: (row["deals"], row["root"]) for row in tx.all(statement)}
