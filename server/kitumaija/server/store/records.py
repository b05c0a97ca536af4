"""The records of matches, as the bytes of a record file."""

from __future__ import annotations

from sqlalchemy import func, insert, select

from kitumaija.server.store.failpoints import failpoint
from kitumaija.server.store.rows import MatchState
from kitumaija.server.store.schema import MATCHES, RECORDS
from kitumaija.server.store.transactions import ReadTx, WriteTx

_PUT = insert(RECORDS)


@failpoint
def put(tx: WriteTx, match_id: str, record: bytes) -> None:
    """Keep the record of a match; raises AlreadyStored if it has one, for none is ever changed."""
    values = {"match_id": match_id, "record": record}
    tx.insert(_PUT, values, what=f"the record of {match_id!r}")


def get(tx: ReadTx, match_id: str) -> bytes | None:
    """The record of a match."""
    row = tx.first(select(RECORDS.c.record).where(RECORDS.c.match_id == match_id))
    return None if row is None else row["record"]


def count(tx: ReadTx, tournament_id: str) -> int:
    """How many finished matches of a tournament have a record: all of them, if all is well."""
    statement = (
        select(func.count())
        .select_from(RECORDS)
        .join(MATCHES, MATCHES.c.match_id == RECORDS.c.match_id)
        .where(MATCHES.c.tournament_id == tournament_id, MATCHES.c.state == MatchState.FINISHED)
    )
    return int(tx.connection.execute(statement).scalar_one())
