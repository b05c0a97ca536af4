"""How many matches a round robin has, and how even they are: counted without making it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import comb

from kitumaija.console.text import counted


class Kind(StrEnum):
    """What a round robin is made of."""

    ALL_TABLES = "all tables"
    """Every set of entrants, in every rotation of its seats, every round."""
    BALANCED = "balanced tables"
    """Some sets of entrants, each in every rotation of its seats."""
    SINGLE = "single matches"
    """Some sets of entrants, once each: too few matches for all rotations of every table."""


class BudgetTooSmall(ValueError):
    """Fewer matches than the least with which everybody plays equally often in every seat."""

    def __init__(self, entrants: int, table_sizes: Sequence[int], budget: int, needed: int) -> None:
        self.needed = needed
        sizes = " and ".join(map(str, table_sizes))
        super().__init__(
            f"{counted(budget, 'match is', 'matches are')} too few for tables of {sizes} of "
            f"{entrants} entrants; with "
            f"{needed} everybody plays equally often in every seat; allow at least that many"
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """The round robin of one table size within a budget of matches.

    Everybody has `games` games, `games / table_size` of them in each seat.
    """

    entrants: int
    table_size: int
    kind: Kind
    rounds: int
    """How often all tables are played; 1 where some are."""
    orbits: int
    """How many tables are turned round the circle of the entrants; 0 where all are."""
    matches: int

    @property
    def games(self) -> int:
        """The games of each entrant."""
        return self.matches * self.table_size // self.entrants

    @property
    def short(self) -> str:
        """Its kind in a word: all, sets or single."""
        return {Kind.ALL_TABLES: "all", Kind.BALANCED: "sets", Kind.SINGLE: "single"}[self.kind]

    @property
    def rotations(self) -> int:
        """How often each table is played, one seat further on each time: the size of a set."""
        return 1 if self.kind is Kind.SINGLE else self.table_size

    @property
    def sets(self) -> int:
        """How many sets there are, which count for statistics as a whole only."""
        return self.matches // self.rotations

    @property
    def mean_meetings(self) -> float:
        """At how many tables two entrants meet on the average."""
        return (
            self.sets
            * self.table_size
            * (self.table_size - 1)
            / (self.entrants * (self.entrants - 1))
        )


def plan(entrants: int, table_size: int, *, rounds: int, budget: int | None = None) -> Plan:
    """Return the fullest plan of at most `budget` matches; None is no limit.

    All tables are played as many rounds as fit, up to `rounds`; else as many whole turns of the
    circle as fit, of all rotations if one turn of them fits, which is entrants x table_size
    matches. Raises `ValueError` for fewer entrants than seats or fewer than one round, and
    `BudgetTooSmall` below one match for each entrant.
    """
    if rounds < 1:
        raise ValueError(f"a round robin has at least 1 round, got {rounds}")
    if not 2 <= table_size <= entrants:
        raise ValueError(
            f"tables of {table_size} need at least {max(2, table_size)} entrants, got {entrants}"
        )
    a_round = comb(entrants, table_size) * table_size
    fitting = rounds if budget is None else min(rounds, budget // a_round)
    if fitting or budget is None:
        return Plan(entrants, table_size, Kind.ALL_TABLES, fitting, 0, a_round * fitting)
    with_rotations = budget // (entrants * table_size)
    if with_rotations:
        matches = with_rotations * entrants * table_size
        return Plan(entrants, table_size, Kind.BALANCED, 1, with_rotations, matches)
    single = budget // entrants
    if not single:
        raise BudgetTooSmall(entrants, (table_size,), budget, entrants)
    return Plan(entrants, table_size, Kind.SINGLE, 1, single, single * entrants)


def plans(
    entrants: int, table_sizes: tuple[int, ...], *, rounds: int, budget: int
) -> Mapping[int, Plan]:
    """Return the plan of each table size, ascending, within a budget for all of them.

    The budget is shared equally; what a size leaves of its share, the sizes with more matches have.
    Raises like `plan`.
    """
    in_full = sorted(
        table_sizes, key=lambda size: (plan(entrants, size, rounds=rounds).matches, size)
    )
    if budget < (needed := entrants * len(in_full)):
        raise BudgetTooSmall(entrants, sorted(table_sizes), budget, needed)
    made: dict[int, Plan] = {}
    for number, size in enumerate(in_full):
        share = budget // (len(in_full) - number)
        made[size] = plan(entrants, size, rounds=rounds, budget=share)
        budget -= made[size].matches
    return {size: made[size] for size in sorted(made)}
