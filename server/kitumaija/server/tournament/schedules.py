"""The schedules that a tournament's settings, entrants and seed make: one for each table size."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from kitumaija.server.schedule.plan import BudgetTooSmall, Plan, plans
from kitumaija.server.schedule.round_robin import RoundRobin
from kitumaija.server.tournament.settings import TournamentSettings


def plans_of(settings: TournamentSettings, entrants: int) -> Mapping[int, Plan]:
    """Return the plan of each table size with so many entrants, smallest size first.

    Raises `BudgetTooSmall`, and `ValueError` for fewer entrants than the largest table has seats.
    """
    return plans(
        entrants, settings.table_sizes, rounds=settings.rounds, budget=settings.match_budget
    )


def schedules_of(
    settings: TournamentSettings, entrants: Collection[str], seed: bytes
) -> dict[int, RoundRobin]:
    """Return the schedule of each table size, smallest size first. Raises like `plans_of`."""
    return {
        size: RoundRobin(
            entrants, table_size=size, rounds=settings.rounds, budget=plan.matches, seed=seed
        )
        for size, plan in plans_of(settings, len(entrants)).items()
    }


def matches_by_size(settings: TournamentSettings, entrants: int) -> dict[int, int]:
    """Return the matches of each table size with so many entrants; 0 where none can be played."""
    sizes = tuple(size for size in settings.table_sizes if size <= entrants)
    try:
        found = plans(entrants, sizes, rounds=settings.rounds, budget=settings.match_budget)
    except BudgetTooSmall:
        found = {}
    return {size: found[size].matches if size in found else 0 for size in settings.table_sizes}
