"""The schedules that a tournament's settings and entrants make: one for each table size.

Whoever plays a tournament, counts it or verifies it has its schedules from here, whatever its
format is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from kitumaija.server.choices import Format
from kitumaija.server.schedule.adaptive import fewest_matches, tables_per_round
from kitumaija.server.schedule.gauntlet import Gauntlet, tables_of_field
from kitumaija.server.schedule.plan import BudgetTooSmall, plans
from kitumaija.server.schedule.round_formats import (
    RoundFormat,
    matches_to_come,
    round_lengths,
)
from kitumaija.server.schedule.round_robin import RoundRobin
from kitumaija.server.schedule.rounds import RoundRules, Rounds
from kitumaija.server.schedule.schedule import Schedule
from kitumaija.server.schedule.seating import Round, names_of
from kitumaija.server.store.rows import BotRow, RoundRow
from kitumaija.server.tournament.settings import TournamentSettings


@dataclass(frozen=True, slots=True)
class Basis:
    """What schedules are made of beside the settings.

    `entrants` are all who are in them, in the order of entering, `owners` whose they are, `rounds`
    those drawn so far, of a format that draws any.
    """

    entrants: tuple[str, ...]
    seed: bytes
    owners: Mapping[str, str]
    rounds: tuple[RoundRow, ...] = ()

    @classmethod
    def of(
        cls,
        entered: Iterable[str],
        scheduled: Collection[str],
        *,
        seed: bytes,
        bots: Mapping[str, BotRow],
        rounds: tuple[RoundRow, ...],
    ) -> Basis:
        """Make it of all who ever `entered`, in that order, and who of them is `scheduled`."""
        in_order = [bot_id for bot_id in entered if bot_id in scheduled]
        # Whoever is in the schedule has entered; where the store is damaged, a check says who not.
        order = (*in_order, *sorted(set(scheduled).difference(in_order)))
        owners = {bot_id: bots[bot_id].owner for bot_id in order if bot_id in bots}
        return cls(order, seed, owners, rounds)

    @property
    def starters(self) -> tuple[str, ...]:
        """Who was in from the start, and so in the first round: their entropies made the seed."""
        if not self.rounds:
            return self.entrants
        there = names_of(Round(self.rounds[0].tables, self.rounds[0].byes))
        return tuple(name for name in self.entrants if name in there)


@dataclass(frozen=True, slots=True)
class Turnout:
    """How many entrants there are, and how many of them are challengers of a gauntlet."""

    entrants: int
    challengers: int = 0

    @classmethod
    def of(cls, settings: TournamentSettings, entrants: Collection[str]) -> Turnout:
        """Count these entrants."""
        return cls(len(entrants), len(set(settings.challengers).intersection(entrants)))

    @classmethod
    def at_least(cls, settings: TournamentSettings, entrants: int) -> Turnout:
        """Count so many entrants, or as many as the largest table has seats if that is more."""
        largest = settings.table_sizes[-1]
        count = max(entrants, largest)
        return cls(count, max(1, min(len(settings.challengers), count - largest + 1)))


@dataclass(frozen=True, slots=True)
class Extent:
    """How long the schedule of a table size is."""

    matches: int = 0
    games: int = 0
    """The most that one entrant has."""
    stages: int = 1
    """How many parts it has of which each waits for the one before."""


def schedules_of(settings: TournamentSettings, basis: Basis) -> dict[int, Schedule]:
    """Return the schedule of each table size, smallest size first.

    Raises `BudgetTooSmall`, and `ValueError` for entrants, or rounds, of which there is none.
    """
    match settings.format:
        case Format.ROUND_ROBIN:
            found = plans(
                len(basis.entrants),
                settings.table_sizes,
                rounds=settings.rounds,
                budget=settings.match_budget,
            )
            return {
                size: RoundRobin(
                    basis.entrants,
                    table_size=size,
                    rounds=settings.rounds,
                    budget=plan.matches,
                    seed=basis.seed,
                )
                for size, plan in found.items()
            }
        case Format.GAUNTLET:
            size = settings.table_sizes[0]
            challengers = [bot for bot in basis.entrants if bot in settings.challengers]
            field = [bot for bot in basis.entrants if bot not in settings.challengers]
            budget = settings.match_budget
            made = Gauntlet(challengers, field, table_size=size, seed=basis.seed, budget=budget)
            return {size: made}
        case Format.SWISS | Format.KNOCKOUT | Format.LADDER | Format.ADAPTIVE:
            return {settings.table_sizes[0]: rounds_of(settings, basis)}


def rounds_of(settings: TournamentSettings, basis: Basis) -> Rounds:
    """Return the rounds drawn so far of a format that draws them; raises `ValueError`."""
    size = settings.table_sizes[0]
    rules = RoundRules(
        RoundFormat(settings.format),
        size,
        settings.rounds,
        settings.match_budget,
        basis.seed,
        basis.owners,
        settings.tables_per_round,
    )
    rounds = Rounds(rules, basis.entrants)
    for number, row in enumerate(basis.rounds):
        if (row.table_size, row.number, row.first_match) != (size, number, len(rounds)):
            raise ValueError(f"round {row.number + 1} does not follow the one before it")
        rounds.add(Round(row.tables, row.byes))
        if row.points is not None:
            rounds.close(row.points)
    return rounds


def extents(settings: TournamentSettings, turnout: Turnout) -> dict[int, Extent]:
    """Return how long the schedule of each table size is, if nobody leaves or comes later.

    Nothing is made for it. Raises `BudgetTooSmall`, and `ValueError` for too few entrants.
    """
    size, budget = settings.table_sizes[0], settings.match_budget
    match settings.format:
        case Format.ROUND_ROBIN:
            made = plans(
                turnout.entrants, settings.table_sizes, rounds=settings.rounds, budget=budget
            )
            return {size: Extent(plan.matches, plan.games) for size, plan in made.items()}
        case Format.GAUNTLET:
            field = turnout.entrants - turnout.challengers
            tables = tables_of_field(turnout.challengers, field, table_size=size, budget=budget)
            of_challenger = tables * size
            matches = of_challenger * turnout.challengers
            return {size: Extent(matches, max(of_challenger, matches * (size - 1) // field))}
        case _ if turnout.entrants < size:
            raise ValueError(f"tables of {size} need as many entrants, got {turnout.entrants}")
        case Format.ADAPTIVE:
            matches = settings.adaptive_matches
            fewest = fewest_matches(turnout.entrants, table_size=size)
            if matches < fewest:
                raise BudgetTooSmall(turnout.entrants, (size,), budget, fewest)
            tables = tables_per_round(settings.tables_per_round, turnout.entrants, table_size=size)
            return {size: Extent(matches, matches, -(-matches // (tables * size)))}
        case Format.SWISS | Format.KNOCKOUT | Format.LADDER:
            lengths = list(
                round_lengths(
                    RoundFormat(settings.format),
                    turnout.entrants,
                    table_size=size,
                    rounds=settings.rounds,
                )
            )
            if sum(lengths) > budget:
                raise BudgetTooSmall(turnout.entrants, (size,), budget, sum(lengths))
            return {size: Extent(sum(lengths), len(lengths) * size, len(lengths))}


def matches_by_size(settings: TournamentSettings, turnout: Turnout) -> dict[int, int]:
    """Return the matches of each table size, as `extents` does; 0 where none can be played."""
    sizes = tuple(size for size in settings.table_sizes if size <= turnout.entrants)
    found: dict[int, Extent] = {}
    if sizes:
        with suppress(ValueError):
            found = extents(replace(settings, table_sizes=sizes), turnout)
    return {size: found.get(size, Extent()).matches for size in settings.table_sizes}


def matches_after(settings: TournamentSettings, last: RoundRow) -> int:
    """Return how many matches there are by the last round that was drawn, if nobody leaves."""
    if settings.format is Format.ADAPTIVE:
        return settings.adaptive_matches
    drawn = last.first_match + last.matches
    if last.points is not None:
        return drawn
    return drawn + matches_to_come(
        RoundFormat(settings.format),
        last.matches + len(last.byes),
        table_size=last.table_size,
        rounds=settings.rounds - last.number - 1,
        room=settings.match_budget - drawn,
    )
