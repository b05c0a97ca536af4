"""The bots of a tournament, and their entropies until these are revealed."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, and_, insert, select, update

from kitumaija.server.store.errors import NotStored
from kitumaija.server.store.failpoints import failpoint
from kitumaija.server.store.rows import EntrantRow, EntrantState, TournamentState
from kitumaija.server.store.schema import ENTRANT_SECRETS, ENTRANTS, TOURNAMENTS
from kitumaija.server.store.transactions import ReadTx, WriteTx

_OVER = [state for state in TournamentState if state.over]


@failpoint
def add(tx: WriteTx, row: EntrantRow) -> None:
    """Enter a bot; raises AlreadyStored if it is in, NotStored without tournament or bot."""
    what = f"the entrant {row.bot_id!r} of {row.tournament_id!r}"
    key = {"tournament_id": row.tournament_id, "bot_id": row.bot_id}
    values = {
        "position": row.position,
        "state": row.state,
        "reason": row.reason,
        "bot_version": row.bot_version,
        "entropy_commitment": row.entropy_commitment,
        "entropy": b"",
        "no_shows": row.no_shows,
    }
    tx.insert(insert(ENTRANTS), key | values, what=what)
    tx.insert(insert(ENTRANT_SECRETS), key | {"entropy": row.entropy}, what=what)


@failpoint
def set_state(
    tx: WriteTx, tournament_id: str, bot_id: str, state: EntrantState, *, reason: str
) -> None:
    """Say how an entrant stands, and why."""
    _update(tx, tournament_id, bot_id, state=state, reason=reason)


@failpoint
def set_version(tx: WriteTx, tournament_id: str, bot_id: str, bot_version: str) -> None:
    """Freeze the version that a bot plays the tournament with."""
    _update(tx, tournament_id, bot_id, bot_version=bot_version)


@failpoint
def set_entropy_commitment(tx: WriteTx, tournament_id: str, bot_id: str, commitment: bytes) -> None:
    """Keep the SHA-256 of the entropy that a bot will reveal."""
    _update(tx, tournament_id, bot_id, entropy_commitment=commitment)


@failpoint
def set_entropy(tx: WriteTx, tournament_id: str, bot_id: str, entropy: bytes) -> None:
    """Keep the entropy that a bot gave; the public sees it with the schedule's seed only."""
    change = update(ENTRANT_SECRETS).where(
        ENTRANT_SECRETS.c.tournament_id == tournament_id, ENTRANT_SECRETS.c.bot_id == bot_id
    )
    if not tx.change(change.values(entropy=entropy)):
        raise _missing(tournament_id, bot_id)


@failpoint
def reveal_entropies(tx: WriteTx, tournament_id: str) -> None:
    """Show everybody the entropies of all entrants of a tournament."""
    given = (
        select(ENTRANT_SECRETS.c.entropy)
        .where(
            ENTRANT_SECRETS.c.tournament_id == ENTRANTS.c.tournament_id,
            ENTRANT_SECRETS.c.bot_id == ENTRANTS.c.bot_id,
        )
        .scalar_subquery()
    )
    tx.change(
        update(ENTRANTS).where(ENTRANTS.c.tournament_id == tournament_id).values(entropy=given)
    )


@failpoint
def add_no_show(tx: WriteTx, tournament_id: str, bot_id: str) -> int:
    """Count one more no show and say how many there are now."""
    _update(tx, tournament_id, bot_id, no_shows=ENTRANTS.c.no_shows + 1)
    statement = select(ENTRANTS.c.no_shows).where(*_key(tournament_id, bot_id))
    row = tx.first(statement)
    return int(row["no_shows"]) if row else 0


def get(tx: ReadTx, tournament_id: str, bot_id: str, *, secrets: bool = True) -> EntrantRow | None:
    """One entrant; without `secrets` its entropy is empty until revealed."""
    row = tx.first(_select(secrets=secrets).where(*_key(tournament_id, bot_id)))
    return EntrantRow(**row) if row else None


def of(tx: ReadTx, tournament_id: str, *, secrets: bool = True) -> tuple[EntrantRow, ...]:
    """The entrants of a tournament in the order of entering."""
    statement = (
        _select(secrets=secrets)
        .where(ENTRANTS.c.tournament_id == tournament_id)
        .order_by(ENTRANTS.c.position)
    )
    return tuple(EntrantRow(**row) for row in tx.all(statement))


def entries_of(tx: ReadTx, bot_id: str) -> tuple[EntrantRow, ...]:
    """A bot's entries in tournaments that are not over, with their entropies, oldest first."""
    statement = (
        _select(secrets=True)
        .join(TOURNAMENTS, TOURNAMENTS.c.tournament_id == ENTRANTS.c.tournament_id)
        .where(ENTRANTS.c.bot_id == bot_id, TOURNAMENTS.c.state.not_in(_OVER))
        .order_by(TOURNAMENTS.c.created_at, TOURNAMENTS.c.tournament_id)
    )
    return tuple(EntrantRow(**row) for row in tx.all(statement))


def _select(*, secrets: bool) -> Select[Any]:
    if not secrets:
        return select(ENTRANTS)
    public = [column for column in ENTRANTS.c if column.name != "entropy"]
    same = and_(
        ENTRANT_SECRETS.c.tournament_id == ENTRANTS.c.tournament_id,
        ENTRANT_SECRETS.c.bot_id == ENTRANTS.c.bot_id,
    )
    return select(*public, ENTRANT_SECRETS.c.entropy).join(ENTRANT_SECRETS, same)


def _key(tournament_id: str, bot_id: str) -> tuple[Any, Any]:
    return ENTRANTS.c.tournament_id == tournament_id, ENTRANTS.c.bot_id == bot_id


def _update(tx: WriteTx, tournament_id: str, bot_id: str, **values: Any) -> None:
    change = update(ENTRANTS).where(*_key(tournament_id, bot_id)).values(**values)
    if not tx.change(change):
        raise _missing(tournament_id, bot_id)


def _missing(tournament_id: str, bot_id: str) -> NotStored:
    return NotStored(f"the bot {bot_id!r} is not entered in the tournament {tournament_id!r}")
