"""The rounds of schedules that are drawn round by round: who sits together, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import RowMapping, Select, insert, select, update

from kitumaija.server.store.errors import NotStored
from kitumaija.server.store.failpoints import failpoint
from kitumaija.server.store.rows import RoundRow
from kitumaija.server.store.schema import ROUNDS
from kitumaija.server.store.transactions import ReadTx, WriteTx


@failpoint
def add(tx: WriteTx, row: RoundRow) -> None:
    """Add a round; raises AlreadyStored if it is there, NotStored without the tournament."""
    values = {
        "tournament_id": row.tournament_id,
        "table_size": row.table_size,
        "number": row.number,
        "first_match": row.first_match,
        "tables": row.tables,
        "byes": row.byes,
        "over": row.points is not None,
        "points": row.points or {},
    }
    what = f"round {row.number} of {row.tournament_id!r} at {row.table_size} seats"
    tx.insert(insert(ROUNDS), values, what=what)


@failpoint
def close(
    tx: WriteTx, tournament_id: str, table_size: int, number: int, points: Mapping[str, int]
) -> None:
    """Note that a round is over, with its points. Raises NotStored if none is open there."""
    change = update(ROUNDS).where(
        *_schedule(tournament_id, table_size), ROUNDS.c.number == number, ~ROUNDS.c.over
    )
    if not tx.change(change.values(over=True, points=points)):
        raise NotStored(f"no round {number} of {tournament_id!r} is open at {table_size} seats")


def of(tx: ReadTx, tournament_id: str, table_size: int) -> tuple[RoundRow, ...]:
    """The rounds of a schedule, in order."""
    return tuple(_row(row) for row in tx.all(_select(tournament_id, table_size)))


def last(tx: ReadTx, tournament_id: str, table_size: int) -> RoundRow | None:
    """The last round of a schedule; None if it has none."""
    statement = _select(tournament_id, table_size, newest_first=True).limit(1)
    row = tx.first(statement)
    return _row(row) if row else None


def of_match(tx: ReadTx, tournament_id: str, table_size: int, number: int) -> RoundRow | None:
    """The round that the match of this number is in; None of a schedule without rounds."""
    statement = _select(tournament_id, table_size, newest_first=True)
    row = tx.first(statement.where(ROUNDS.c.first_match <= number).limit(1))
    return _row(row) if row else None


def starts(tx: ReadTx, tournament_id: str) -> tuple[int, ...]:
    """The numbers of the rounds' first matches, in order; a tournament has rounds of one size."""
    statement = select(ROUNDS.c.first_match).where(ROUNDS.c.tournament_id == tournament_id)
    return tuple(row["first_match"] for row in tx.all(statement.order_by(ROUNDS.c.number)))


def _select(tournament_id: str, table_size: int, *, newest_first: bool = False) -> Select[Any]:
    order = ROUNDS.c.number.desc() if newest_first else ROUNDS.c.number
    return select(ROUNDS).where(*_schedule(tournament_id, table_size)).order_by(order)


def _schedule(tournament_id: str, table_size: int) -> tuple[Any, ...]:
    return ROUNDS.c.tournament_id == tournament_id, ROUNDS.c.table_size == table_size


def _row(row: RowMapping) -> RoundRow:
    values = dict(row)
    over = values.pop("over")
    return RoundRow(**{**values, "points": values["points"] if over else None})
