"""The round robin: every set of `table_size` entrants, in every rotation of the seats, each round.

A schedule is a pure function of the entrants, the table size, the rounds and a seed. It is lazy:
match number `i` is computed when it is asked for, so a plan of ten million matches weighs nothing.
Within a round the matches come in an order drawn from the seed; rounds follow one another, so
that whatever was played of a tournament is as even as possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import overload

from kitumaija.engine import Chance
from kitumaija.server.tournament.permutation import Permutation


class RoundRobin(Sequence[tuple[str, ...]]):
    """The matches of one table size, by number from 0: the entrants in the order of their seats.

    Every `table_size`-subset of the entrants meets `table_size * rounds` times; over those meetings
    each of them sits in each seat `rounds` times. The entrants are taken in the order of their ids'
    UTF-8 bytes, whatever the order given. Raises `ValueError` for fewer entrants than seats, an
    entrant named twice, or fewer than one round.
    """

    __slots__ = ("_per_round", "_shuffles", "entrants", "rounds", "seed", "table_size")

    def __init__(
        self, entrants: Iterable[str], *, table_size: int, rounds: int, seed: bytes
    ) -> None:
        self.entrants = tuple(sorted(entrants, key=str.encode))
        self.table_size = table_size
        self.rounds = rounds
        self.seed = seed
        if len(set(self.entrants)) != len(self.entrants):
            raise ValueError("an entrant is named twice")
        if rounds < 1:
            raise ValueError(f"a round robin has at least 1 round, got {rounds}")
        self._per_round = matches_in_round(len(self.entrants), table_size)
        if not self._per_round:
            raise ValueError(
                f"tables of {table_size} need at least {table_size} entrants, "
                f"got {len(self.entrants)}"
            )
        self._shuffles = tuple(
            Permutation(self._per_round, seed, f"{table_size}/{number}") for number in range(rounds)
        )

    def __len__(self) -> int:
        return self._per_round * self.rounds

    @overload
    def __getitem__(self, number: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, number: slice) -> list[tuple[str, ...]]: ...
    def __getitem__(self, number: int | slice) -> tuple[str, ...] | list[tuple[str, ...]]:
        if isinstance(number, slice):
            return [self[one] for one in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(f"match {number} is outside the schedule of {len(self)}")
        round_number, place = divmod(number, self._per_round)
        rank, rotation = divmod(self._shuffles[round_number][place], self.table_size)
        subset = [self.entrants[index] for index in unrank(rank, self.table_size)]
        # The order in which the set sits round the table is drawn anew each round.
        chance = Chance(self.seed, f"seats/{self.table_size}/{round_number}/{rank}")
        seats, _ = chance.shuffled(subset)
        return (*seats[rotation:], *seats[:rotation])

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (self[number] for number in range(len(self)))

    def audit(self) -> Audit:
        """Count the whole schedule: games, seats and meetings of every entrant."""
        return audit(self)


@dataclass(slots=True)
class Audit:
    """What a run of matches gave each entrant."""

    games: Counter[str] = field(default_factory=Counter)
    """Games by entrant."""
    seats: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Games by entrant and seat."""
    meetings: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Games by pair of entrants, the smaller id first."""


def audit(matches: Iterable[Sequence[str]]) -> Audit:
    """Count who played how often, in which seat and against whom."""
    counted = Audit()
    for seats in matches:
        counted.games.update(seats)
        counted.seats.update((entrant, seat) for seat, entrant in enumerate(seats))
        counted.meetings.update(combinations(sorted(seats, key=str.encode), 2))
    return counted


def matches_in_round(entrants: int, table_size: int) -> int:
    """Return the matches of one round: as many as there are sets, times their rotations."""
    return comb(entrants, table_size) * table_size


def unrank(rank: int, size: int) -> tuple[int, ...]:
    """Return the `rank`-th set of `size` numbers, ascending.

    Sets are ordered by their largest number, then by the next (colexicographically), so the ranks
    below C(n, size) are exactly the subsets of `range(n)`.
    """
    chosen: list[int] = []
    for wanted in range(size, 0, -1):
        candidate = wanted - 1
        # C(candidate + 1, wanted) subsets lie wholly at or below `candidate`.
        while comb(candidate + 1, wanted) <= rank:
            candidate += 1
        rank -= comb(candidate, wanted)
        chosen.append(candidate)
    return tuple(reversed(chosen))
