"""The start of a tournament: who plays, and in what order."""

from __future__ import annotations

from collections.abc import Callable

from kitumaija.server.schedule.plan import BudgetTooSmall
from kitumaija.server.store import entrants, tournaments
from kitumaija.server.store.rows import EntrantState, TournamentRow
from kitumaija.server.store.transactions import WriteTx
from kitumaija.server.tournament import rates
from kitumaija.server.tournament.entropy import seed_of_schedule
from kitumaija.server.tournament.refusals import absent, budget_too_small, too_few
from kitumaija.server.tournament.schedules import plans_of
from kitumaija.server.tournament.settings import TournamentSettings


def fix_schedule(
    tx: WriteTx, row: TournamentRow, *, connected: Callable[[str], bool], allow_absent: bool
) -> tuple[str, ...]:
    """Fix who plays and in what order, and return who plays.

    Raises `KitumaijaError` if the tournament cannot start.

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
    try:
        plans_of(settings, len(entered))
    except BudgetTooSmall as error:
        raise budget_too_small(row.tournament_id, error) from None
    away = [bot for bot in entered if not connected(bot)]
    if away and not allow_absent:
        raise absent(row.tournament_id, away)
    seed = seed_of_schedule(settings, row.master_seed, entered)
    tournaments.set_schedule_seed(tx, row.tournament_id, seed)
    for size in settings.table_sizes:
        rates.begin(tx, row.tournament_id, size, list(entered))
    return tuple(entered)
