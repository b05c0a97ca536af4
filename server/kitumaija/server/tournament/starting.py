"""The start of a tournament: who plays, and in what order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from kitumaija.server.choices import LOOKED_AT_MAX, Format
from kitumaija.server.schedule.plan import BudgetTooSmall
from kitumaija.server.store import entrants, tournaments
from kitumaija.server.store.rows import EntrantState, TournamentRow
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.tournament import rates
from kitumaija.server.tournament.drawing import first_round
from kitumaija.server.tournament.entropy import seed_of_schedule
from kitumaija.server.tournament.recall import basis_of
from kitumaija.server.tournament.refusals import (
    absent,
    budget_too_small,
    field_too_small,
    goal_too_wide,
    no_challenger,
    too_few,
    too_long_to_look_at,
)
from kitumaija.server.tournament.schedules import Turnout, extents, rounds_of
from kitumaija.server.tournament.settings import TournamentSettings


def who_starts(
    tx: ReadTx, row: TournamentRow, *, connected: Callable[[str], bool], allow_absent: bool
) -> dict[str, bytes]:
    """Return who plays if the tournament starts now, with the entropy of each.

    Raises `KitumaijaError` if it cannot start.

    Runs in the store's thread, so `connected` must be safe to call there.
    """
    settings = TournamentSettings.from_dict(dict(row.settings))
    entered = {
        entry.bot_id: entry.entropy
        for entry in entrants.of(tx, row.tournament_id)
        if entry.state is EntrantState.ENTERED
    }
    largest = max(settings.table_sizes)
    if len(entered) < largest:
        raise too_few(row.tournament_id, list(entered), largest)
    if settings.format is Format.GAUNTLET:
        _check_sides(row.tournament_id, settings, list(entered))
    try:
        planned = extents(settings, Turnout.of(settings, entered))
    except BudgetTooSmall as error:
        raise budget_too_small(row.tournament_id, error) from None
    if settings.goal is not None:
        if settings.goal.first >= len(entered):
            raise goal_too_wide(row.tournament_id, settings.until, len(entered))
        longest = max(extent.matches for extent in planned.values())
        if longest > LOOKED_AT_MAX:
            raise too_long_to_look_at(row.tournament_id, longest)
    away = [bot for bot in entered if not connected(bot)]
    if away and not allow_absent:
        raise absent(row.tournament_id, away)
    return entered


def fix_schedule(
    tx: WriteTx, row: TournamentRow, *, connected: Callable[[str], bool], allow_absent: bool
) -> tuple[str, ...]:
    """Fix who plays and in what order, and return who plays.

    Raises as `who_starts` does.
    """
    settings = TournamentSettings.from_dict(dict(row.settings))
    entered = who_starts(tx, row, connected=connected, allow_absent=allow_absent)
    seed = seed_of_schedule(settings, row.master_seed, entered)
    tournaments.set_schedule_seed(tx, row.tournament_id, seed)
    for size in settings.table_sizes:
        rates.begin(tx, row.tournament_id, size, list(entered))
    if settings.format.is_drawn:
        basis = basis_of(tx, replace(row, schedule_seed=seed), settings)
        first_round(tx, row.tournament_id, settings, rounds_of(settings, basis))
    return tuple(entered)


def _check_sides(tournament_id: str, settings: TournamentSettings, entered: Sequence[str]) -> None:
    """Raise `FailedPrecondition` where one side of a gauntlet is not there."""
    missing = [bot for bot in settings.challengers if bot not in entered]
    field = [bot for bot in entered if bot not in settings.challengers]
    wanted = settings.table_sizes[0] - 1
    if missing:
        raise no_challenger(tournament_id, missing)
    if len(field) < wanted:
        raise field_too_small(tournament_id, field, wanted)
