"""Tournaments, their states, and their seeds until these are revealed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Select, and_, insert, or_, select, update

from kitumaija.server.store import entrants
from kitumaija.server.store.errors import NotStored
from kitumaija.server.store.failpoints import failpoint
from kitumaija.server.store.paging import page_of, read_token
from kitumaija.server.store.rows import Page, TournamentRow, TournamentState
from kitumaija.server.store.schema import TOURNAMENT_SECRETS, TOURNAMENTS
from kitumaija.server.store.transactions import ReadTx, WriteTx

_LISTING = ("tournaments",)
_OVER = [state for state in TournamentState if state.over]


@failpoint
def add(tx: WriteTx, row: TournamentRow) -> None:
    """Add a tournament, its master seed apart; raises AlreadyStored if its id is taken."""
    values = {
        "tournament_id": row.tournament_id,
        "title": row.title,
        "state": row.state,
        "settings": row.settings,
        "master_commitment": row.master_commitment,
        "master_seed": row.master_seed if row.state.over else b"",
        "schedule_seed": row.schedule_seed,
        "created_at": row.created_at,
        "started_at": row.started_at,
        "ended_at": row.ended_at,
    }
    secret = {"tournament_id": row.tournament_id, "master_seed": row.master_seed}
    tx.insert(insert(TOURNAMENTS), values, what=f"the tournament {row.tournament_id!r}")
    tx.insert(insert(TOURNAMENT_SECRETS), secret, what=f"the seed of {row.tournament_id!r}")


@failpoint
def set_state(
    tx: WriteTx,
    tournament_id: str,
    state: TournamentState,
    *,
    started_at: datetime | None = None,
    ended_at: datetime | None = None,
) -> None:
    """Say where a tournament stands; times that are not given stay as they are.

    When it is over its master seed is revealed: from then on everybody may read it.
    """
    values: dict[str, object] = {"state": state}
    if started_at is not None:
        values["started_at"] = started_at
    if ended_at is not None:
        values["ended_at"] = ended_at
    if state.over:
        values["master_seed"] = (
            select(TOURNAMENT_SECRETS.c.master_seed)
            .where(TOURNAMENT_SECRETS.c.tournament_id == tournament_id)
            .scalar_subquery()
        )
    _update(tx, tournament_id, values)


@failpoint
def set_schedule_seed(tx: WriteTx, tournament_id: str, seed: bytes) -> None:
    """Set the schedule's seed, and reveal the entropies that it was made from."""
    _update(tx, tournament_id, {"schedule_seed": seed})
    entrants.reveal_entropies(tx, tournament_id)


def get(tx: ReadTx, tournament_id: str, *, secrets: bool = True) -> TournamentRow | None:
    """A tournament by its id; without `secrets` the master seed is empty until revealed."""
    statement = _select(secrets=secrets).where(TOURNAMENTS.c.tournament_id == tournament_id)
    row = tx.first(statement)
    return TournamentRow(**row) if row else None


def unfinished(tx: ReadTx) -> tuple[TournamentRow, ...]:
    """All tournaments that are neither finished nor cancelled, oldest first, with their seeds."""
    statement = (
        _select(secrets=True)
        .where(TOURNAMENTS.c.state.not_in(_OVER))
        .order_by(TOURNAMENTS.c.created_at, TOURNAMENTS.c.tournament_id)
    )
    return tuple(TournamentRow(**row) for row in tx.all(statement))


def page(tx: ReadTx, *, size: int, token: str = "") -> Page[TournamentRow]:
    """Tournaments, newest first, without secrets; raises BadPageToken."""
    at, name = TOURNAMENTS.c.created_at, TOURNAMENTS.c.tournament_id
    statement = _select(secrets=False).order_by(at.desc(), name.desc()).limit(size + 1)
    if key := read_token(_LISTING, token, (str,)):
        last = select(at, name).where(name == key[0]).subquery()
        older = or_(at < last.c.created_at, and_(at == last.c.created_at, name < key[0]))
        statement = statement.join(last, older)
    rows = [TournamentRow(**row) for row in tx.all(statement)]
    return page_of(rows, size, _LISTING, lambda row: (row.tournament_id,))


def _select(*, secrets: bool) -> Select[Any]:
    if not secrets:
        return select(TOURNAMENTS)
    public = [column for column in TOURNAMENTS.c if column.name != "master_seed"]
    return select(*public, TOURNAMENT_SECRETS.c.master_seed).join(TOURNAMENT_SECRETS)


def _update(tx: WriteTx, tournament_id: str, values: Mapping[str, object]) -> None:
    change = update(TOURNAMENTS).where(TOURNAMENTS.c.tournament_id == tournament_id)
    if not tx.change(change.values(**values)):
        raise NotStored(f"there is no tournament {tournament_id!r}")
