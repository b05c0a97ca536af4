"""The ratings of tournaments as they were computed last; the results alone make them anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, insert, select

from kitumaija.server.store.failpoints import failpoint
from kitumaija.server.store.rows import RatingState
from kitumaija.server.store.schema import RATING_STATES
from kitumaija.server.store.transactions import ReadTx, WriteTx


def load(tx: ReadTx, tournament_id: str, table_size: int) -> RatingState | None:
    """The ratings of a table size, None before the first are saved."""
    statement = select(RATING_STATES.c.rated, RATING_STATES.c.state).where(
        RATING_STATES.c.tournament_id == tournament_id,
        RATING_STATES.c.table_size == table_size,
    )
    row = tx.first(statement)
    return RatingState(**row) if row else None


@failpoint
def save(
    tx: WriteTx, tournament_id: str, table_size: int, rated: int, state: Mapping[str, Any]
) -> None:
    """Keep the ratings of a table size; `rated` numbers of the schedule are in them."""
    tx.change(
        delete(RATING_STATES).where(
            RATING_STATES.c.tournament_id == tournament_id,
            RATING_STATES.c.table_size == table_size,
        )
    )
    values = {
        "tournament_id": tournament_id,
        "table_size": table_size,
        "rated": rated,
        "state": state,
    }
    what = f"the ratings of {tournament_id!r} at {table_size} seats"
    tx.insert(insert(RATING_STATES), values, what=what)
