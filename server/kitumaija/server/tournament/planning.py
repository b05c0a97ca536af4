"""How long a tournament's schedules are, or would be with the entrants so far."""

from __future__ import annotations

from kitumaija.server.store import entrants
from kitumaija.server.store.rows import EntrantState, TournamentRow
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.recall import scheduled_entrants
from kitumaija.server.tournament.schedule import matches_in_round
from kitumaija.server.tournament.settings import TournamentSettings


def planned_by_size(tx: ReadTx, row: TournamentRow) -> dict[int, int]:
    """Return the matches of each table size: of the schedule once it is fixed, else as it would be
    if the tournament started with who is entered now."""
    settings = TournamentSettings.from_dict(dict(row.settings))
    if row.schedule_seed is not None:
        count = len(scheduled_entrants(tx, row.tournament_id, settings))
    else:
        entered = entrants.of(tx, row.tournament_id, secrets=False)
        count = sum(entry.state is EntrantState.ENTERED for entry in entered)
    return matches_by_size(settings, count)


def planned_matches(tx: ReadTx, row: TournamentRow) -> int:
    """Return the matches of all table sizes together."""
    return sum(planned_by_size(tx, row).values())


def matches_by_size(settings: TournamentSettings, entrants_count: int) -> dict[int, int]:
    """Return the matches of each table size with so many entrants."""
    return {
        size: matches_in_round(entrants_count, size) * settings.rounds
        for size in settings.table_sizes
    }
