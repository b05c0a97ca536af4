"""Entering bots in a tournament: all that are named, or none of them."""

from __future__ import annotations

from collections.abc import Sequence

from kitumaija.server.errors import KitumaijaError
from kitumaija.server.store import bots, entrants
from kitumaija.server.store.rows import EntrantRow, TournamentRow
from kitumaija.server.store.transactions import WriteTx
from kitumaija.server.tournament.refusals import bot_disabled, entrant_exists, no_bot, owner_limit
from kitumaija.server.tournament.settings import TournamentSettings


def enter_all(tx: WriteTx, row: TournamentRow, bot_ids: Sequence[str]) -> None:
    """Enter the bots, in their order.

    Raises `KitumaijaError` if one of them cannot be entered; it tells of every one that cannot, and
    the transaction is to be given up.
    """
    refusals: list[KitumaijaError] = []
    for bot_id in bot_ids:
        try:
            _enter(tx, row, bot_id)
        except KitumaijaError as error:
            refusals.append(error)
    if refusals:
        first = refusals[0]
        message = "; ".join(error.message for error in refusals)
        raise type(first)(first.reason, message, first.metadata)


def _enter(tx: WriteTx, row: TournamentRow, bot_id: str) -> None:
    bot = bots.get(tx, bot_id)
    if bot is None:
        raise no_bot(bot_id)
    if bot.disabled:
        raise bot_disabled(bot_id)
    entered = entrants.of(tx, row.tournament_id)
    if any(entry.bot_id == bot_id for entry in entered):
        raise entrant_exists(row.tournament_id, bot_id)
    limit = TournamentSettings.from_dict(dict(row.settings)).entries_per_owner
    playing = [entry.bot_id for entry in entered if not entry.state.left]
    theirs = [one for one in bots.many(tx, playing).values() if one.owner == bot.owner]
    if len(theirs) >= limit:
        raise owner_limit(row.tournament_id, bot.owner, limit)
    entrants.add(tx, EntrantRow(row.tournament_id, bot_id, position=len(entered)))
