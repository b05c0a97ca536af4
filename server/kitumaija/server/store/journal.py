"""The journals of matches: what happened, in order, never changed and never taken away."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from kitumaija.server.store.errors import AlreadyStored, JournalConflict
from kitumaija.server.store.failpoints import failpoint
from kitumaija.server.store.rows import JournalRow
from kitumaija.server.store.schema import JOURNAL
from kitumaija.server.store.transactions import ReadTx, WriteTx

_INSERT = "INSERT INTO journal (match_id, sequence, payload) VALUES"
_MARKS = {"qmark": "?, ?, ?", "pyformat": "%s, %s, %s"}


@failpoint
def append(tx: WriteTx, rows: Sequence[JournalRow]) -> None:
    """Append entries of one match or many, all or none of them.

    Raises JournalConflict if one of these is there already, NotStored if a match is not.
    """
    if not rows:
        return
    ids = sorted({row.match_id for row in rows})
    values = [(row.match_id, row.sequence, row.payload) for row in rows]
    connection = tx.connection
    marks = _MARKS[connection.dialect.paramstyle]
    try:
        with tx.keys_checked(f"a journal entry of {', '.join(ids[:5])}"), tx.savepoint():
            # Every decision of every match comes by here: the driver alone is several times as
            # quick as a statement that is built, and the values are as plain as it wants them.
            connection.exec_driver_sql(f"{_INSERT} ({marks})", values)
    except AlreadyStored as error:
        raise JournalConflict(str(error)) from error


def entries(tx: ReadTx, match_id: str) -> tuple[JournalRow, ...]:
    """The journal of a match, in order."""
    statement = select(JOURNAL).where(JOURNAL.c.match_id == match_id).order_by(JOURNAL.c.sequence)
    return tuple(JournalRow(**row) for row in tx.all(statement))
