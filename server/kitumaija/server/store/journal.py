"""The journals of matches: what happened, in order, never changed and never taken away."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import insert, select

from kitumaija.server.store.errors import AlreadyStored, JournalConflict
from kitumaija.server.store.rows import JournalRow
from kitumaija.server.store.schema import JOURNAL
from kitumaija.server.store.transactions import ReadTx, WriteTx


def append(tx: WriteTx, rows: Sequence[JournalRow]) -> None:
    """Append entries of one match or many, all or none of them.

    Raises JournalConflict if one of these is there already, NotStored if a match is not.
    """
    if not rows:
        return
    values = [
        {"match_id": row.match_id, "sequence": row.sequence, "payload": row.payload} for row in rows
    ]
    ids = sorted({row.match_id for row in rows})
    try:
        tx.insert(insert(JOURNAL), values, what=f"a journal entry of {', '.join(ids[:5])}")
    except AlreadyStored as error:
        raise JournalConflict(str(error)) from error


def entries(tx: ReadTx, match_id: str) -> tuple[JournalRow, ...]:
    """The journal of a match, in order."""
    statement = select(JOURNAL).where(JOURNAL.c.match_id == match_id).order_by(JOURNAL.c.sequence)
    return tuple(JournalRow(**row) for row in tx.all(statement))
