"""Entering bots in a tournament: all that are named, or none of them.

A ladder takes them in when it has started too: they have no part in the rounds that are drawn
already, stand at the foot from the next one on, and give no entropy, for nothing waits for them.
"""

from __future__ import annotations

from collections.abc import Sequence

from kitumaija.server.choices import Format
from kitumaija.server.errors import KitumaijaError
from kitumaija.server.store import bots, entrants
from kitumaija.server.store.rows import EntrantRow, TournamentRow, TournamentState
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.tournament import rates
from kitumaija.server.tournament.players import Player
from kitumaija.server.tournament.refusals import (
    bot_disabled,
    entrant_exists,
    no_bot,
    no_late_entry,
    owner_limit,
)
from kitumaija.server.tournament.settings import TournamentSettings

LATE = frozenset({TournamentState.RUNNING, TournamentState.PAUSED})
"""Where the tournament stands when who enters it comes late."""


def enter_all(tx: WriteTx, row: TournamentRow, bot_ids: Sequence[str]) -> None:
    """Enter the bots, in their order.

    Raises `KitumaijaError` if one of them cannot be entered; it tells of every one that cannot, and
    the transaction is to be given up.
    """
    settings = TournamentSettings.from_dict(dict(row.settings))
    late = row.state in LATE
    if late and settings.format is not Format.LADDER:
        raise no_late_entry(row.tournament_id, row.state, settings.format)
    refusals: list[KitumaijaError] = []
    for bot_id in bot_ids:
        try:
            _enter(tx, row, bot_id, settings.entries_per_owner)
        except KitumaijaError as error:
            refusals.append(error)
    if refusals:
        first = refusals[0]
        message = "; ".join(error.message for error in refusals)
        raise type(first)(first.reason, message, first.metadata)
    if late:
        for size in settings.table_sizes:
            rates.add(tx, row.tournament_id, size, bot_ids)


def players_of(tx: ReadTx, bot_ids: Sequence[str]) -> list[Player]:
    """Return those who entered late as players, in their order: without entropy."""
    known = bots.many(tx, bot_ids)
    return [Player(bot_id, known[bot_id].display_name, b"") for bot_id in bot_ids]


def _enter(tx: WriteTx, row: TournamentRow, bot_id: str, limit: int) -> None:
    bot = bots.get(tx, bot_id)
    if bot is None:
        raise no_bot(bot_id)
    if bot.disabled:
        raise bot_disabled(bot_id)
    entered = entrants.of(tx, row.tournament_id)
    if any(entry.bot_id == bot_id for entry in entered):
        raise entrant_exists(row.tournament_id, bot_id)
    playing = [entry.bot_id for entry in entered if not entry.state.left]
    theirs = [one for one in bots.many(tx, playing).values() if one.owner == bot.owner]
    if len(theirs) >= limit:
        raise owner_limit(row.tournament_id, bot.owner, limit)
    entrants.add(tx, EntrantRow(row.tournament_id, bot_id, position=len(entered)))
