"""How long a tournament's schedules are, or would be with the entrants so far."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from kitumaija.server.match.values import SETTLE, SWEEP, longest_game
from kitumaija.server.schedule.plan import BudgetTooSmall
from kitumaija.server.store import entrants, rounds
from kitumaija.server.store.rows import EntrantState, TournamentRow
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.dispatch import LOOK_AHEAD
from kitumaija.server.tournament.recall import scheduled_entrants
from kitumaija.server.tournament.schedules import (
    Turnout,
    extents,
    matches_after,
    matches_by_size,
)
from kitumaija.server.tournament.settings import TournamentSettings


def planned_by_size(tx: ReadTx, row: TournamentRow) -> dict[int, int]:
    """Return the matches of each table size: of the schedule once it is fixed, else as it would be
    if the tournament started with who is entered now.

    Where it is drawn round by round, the rounds still to be drawn count as with who is there now.
    """
    settings = TournamentSettings.from_dict(dict(row.settings))
    if row.schedule_seed is not None and settings.format.is_drawn:
        size = settings.table_sizes[0]
        last = rounds.last(tx, row.tournament_id, size)
        return {size: matches_after(settings, last) if last else 0}
    return matches_by_size(settings, Turnout.of(settings, _counted(tx, row, settings)))


def longest_tournament(tx: ReadTx, row: TournamentRow) -> timedelta | None:
    """Return `longest_schedule` of a tournament as it is, or would be if it started now."""
    settings = TournamentSettings.from_dict(dict(row.settings))
    return longest_schedule(settings, len(_counted(tx, row, settings)))


def planned_matches(tx: ReadTx, row: TournamentRow) -> int:
    """Return the matches of all table sizes together."""
    return sum(planned_by_size(tx, row).values())


COUNTABLE = timedelta(days=3_650_000)
"""What is longer is not told."""


def longest_schedule(settings: TournamentSettings, entrants_count: int) -> timedelta | None:
    """Return the longest that a tournament may take, however slow its bots are.

    Presupposed is that nothing but its bots delays it: no pause, no trouble of the server, no
    moment in which all bots are away, no other tournament of the same bots. With fewer entrants
    than seats it is that of as many as there are seats. None if it is more than can be told.

    One number of the schedule takes at most `longest_game`, and before that one start-up for each
    attempt to which somebody did not come: of k players two stay until the end and may be missed
    once, each of the others twice. A match that waits does so because as many run as may, or
    because one of its players has no room, who plays one match at a time at the least. So the
    match that ends last waits no longer than all matches take, so many at once as may run, and all
    those of each of its players, one after the other. And at no time does nothing run. Where a
    round waits for the one before, this holds of each of them; who comes later adds to it.
    """
    largest = settings.table_sizes[-1]
    missed = settings.limits.startup + SETTLE + SWEEP
    try:
        each = {
            size: longest_game(size, settings.options, settings.limits) + 2 * (size - 1) * missed
            for size in settings.table_sizes
        }
        try:
            planned = extents(settings, Turnout.at_least(settings, entrants_count))
        except BudgetTooSmall:
            planned = {}
        in_a_row = sum((each[size] * one.matches for size, one in planned.items()), timedelta())
        of_one = sum((each[size] * one.games for size, one in planned.items()), timedelta())
        stages = max((one.stages for one in planned.values()), default=1)
        at_once = in_a_row / settings.max_running_matches + largest * of_one
        at_once += stages * each[largest]
    except OverflowError:
        return None
    # Further on in the schedule than that nobody looks for matches that could begin.
    matches = sum(one.matches for one in planned.values())
    longest = in_a_row if matches > LOOK_AHEAD else min(in_a_row, at_once)
    return longest if longest <= COUNTABLE else None


def _counted(tx: ReadTx, row: TournamentRow, settings: TournamentSettings) -> Collection[str]:
    if row.schedule_seed is not None:
        return scheduled_entrants(tx, row.tournament_id, settings)
    entered = entrants.of(tx, row.tournament_id, secrets=False)
    return [entry.bot_id for entry in entered if entry.state is EntrantState.ENTERED]
