"""Rows to fill a store with: sensible ones, of which a test names only what it is about."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from kitumaija.server.store import (
    BotRow,
    EntrantRow,
    MatchRow,
    MatchSeatRow,
    Store,
    TournamentRow,
    TournamentState,
    WriteTx,
    bots,
    entrants,
    matches,
    tournaments,
)

NOW = datetime(2026, 3, 1, 12, 30, 15, 250_000, tzinfo=UTC)
RECORD = b"KITUREC1 and so on"


def later(minutes: int) -> datetime:
    """A time some minutes after NOW."""
    return NOW + timedelta(minutes=minutes)


def a_bot(bot_id: str, **changes: Any) -> BotRow:
    """A bot, whose token is its id."""
    values: dict[str, Any] = {
        "display_name": bot_id.title(),
        "owner": f"owner of {bot_id}",
        "token_hash": hashlib.sha256(bot_id.encode()).digest(),
        "created_at": NOW,
    }
    return BotRow(bot_id, **(values | changes))


def a_tournament(tournament_id: str = "cup", **changes: Any) -> TournamentRow:
    """A tournament that was just made."""
    values: dict[str, Any] = {
        "title": "The Cup",
        "state": TournamentState.DRAFT,
        "settings": {"table_sizes": [2, 4], "limits": {"per_decision": "1s"}},
        "master_seed": b"s" * 32,
        "master_commitment": b"c" * 32,
        "created_at": NOW,
    }
    return TournamentRow(tournament_id, **(values | changes))


def a_match(number: int = 0, *, attempt: int = 1, **changes: Any) -> MatchRow:
    """A match of `cup` at two seats, being played in epoch 1."""
    tournament_id = changes.pop("tournament_id", "cup")
    table_size = changes.pop("table_size", 2)
    place = f"{tournament_id}/{table_size}/{number}/{attempt}"
    values: dict[str, Any] = {
        "match_id": place.replace("/", "-"),
        "deal_id": place,
        "created_at": NOW,
        "epoch": 1,
    }
    return MatchRow(
        tournament_id=tournament_id,
        table_size=table_size,
        number=number,
        attempt=attempt,
        **(values | changes),
    )


def placed(match_id: str, *seats: str, **changes: Any) -> list[MatchSeatRow]:
    """Seats that came in one after the other, as they sit."""
    return [
        MatchSeatRow(match_id, seat, bot_id, place=seat + 1, **changes)
        for seat, bot_id in enumerate(seats)
    ]


def add_cup(tx: WriteTx, *bot_ids: str, tournament_id: str = "cup") -> None:
    """Register the bots and enter them in a tournament."""
    tournaments.add(tx, a_tournament(tournament_id))
    for position, bot_id in enumerate(bot_ids):
        if bots.get(tx, bot_id) is None:
            bots.add(tx, a_bot(bot_id))
        entrants.add(tx, EntrantRow(tournament_id, bot_id, position))


def begin_match(store: Store, number: int = 0, *bot_ids: str, **changes: Any) -> str:
    """Begin a match, between ada and bo unless others are named, and give its id."""
    row = a_match(number, **changes)
    with store.write() as tx:
        matches.add(tx, row, bot_ids or ("ada", "bo"))
    return row.match_id


def finish_match(
    store: Store, match_id: str, seats: Sequence[MatchSeatRow] = (), **changes: Any
) -> bool:
    """Finish a match, its seats placed as they sit unless said otherwise."""
    with store.write() as tx:
        sat = [seat.bot_id for seat in matches.seats(tx, match_id)]
        values: dict[str, Any] = {
            "ending": "played",
            "termination": "finished",
            "seats": seats or placed(match_id, *sat),
            "ended_at": later(5),
            "record": RECORD,
        }
        epoch = changes.pop("epoch", 1)
        return matches.finish(tx, match_id, epoch, **(values | changes))
