"""Formats that are drawn round by round: what a round is, and who sits with whom in it.

A round is a pure function of who plays, of a seed and of the rounds before it. Each of its tables
is played as one set: once for every rotation of its seats, each with a deal of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, product
from types import MappingProxyType
from typing import TypeAlias

from kitumaija.engine import Chance

Seats: TypeAlias = tuple[str, ...]
"""The entrants at a table, in the order of their seats."""

LOOKS_MAX = 20_000
"""How many seatings are tried for one without any conflict, before the least conflicts will do."""

_TABLES_LOOKED_THROUGH = 200
"""Up to how many tables it is searched for a seating without conflicts."""

_SAME_OWNER = 1_000_000
"""How many meetings as before a table with two of one owner is as bad as."""

NOBODY: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Round:
    """The tables of a round, and who sits it out."""

    tables: tuple[Seats, ...]
    byes: Seats = ()


def names_of(drawn: Round) -> frozenset[str]:
    """Return who has a part in a round: those at its tables, and those who sit it out."""
    return frozenset(chain(drawn.byes, *drawn.tables))


@dataclass(frozen=True, slots=True)
class Played:
    """A round that is over: the points of everybody who sat at one of its tables.

    Points are those of `points_of`, added up over the matches of a table's set. Who has none was
    not at a table, or nothing of the set counted.
    """

    round: Round
    points: Mapping[str, int]


def points_of(places: Sequence[int]) -> tuple[int, ...]:
    """Return the points of each seat from the places of a match, 1 the best, equal ones shared.

    Two for everybody who was left behind and one for everybody level: a forfeited seat, which
    takes a last place, has none but of those who forfeited like it.
    """
    return tuple(sum(2 * (one < other) + (one == other) for other in places) - 1 for one in places)


@dataclass(slots=True)
class Record:
    """What the rounds so far gave everybody."""

    points: Counter[str] = field(default_factory=Counter)
    byes: Counter[str] = field(default_factory=Counter)
    meetings: Counter[frozenset[str]] = field(default_factory=Counter)
    """At how many tables two entrants met."""

    @classmethod
    def of(cls, rounds: Iterable[Played]) -> Record:
        """Count some rounds."""
        record = cls()
        for played in rounds:
            record.points.update(played.points)
            record.byes.update(played.round.byes)
            for seats in played.round.tables:
                record.meetings.update(map(frozenset, combinations(seats, 2)))
        return record


def drawn(entrants: Iterable[str], seed: bytes, label: str) -> Seats:
    """Return the entrants in an order drawn from the seed, whatever the order given.

    Raises `ValueError` for one that is named twice.
    """
    names = sorted(entrants, key=str.encode)
    if len(set(names)) < len(names):
        raise ValueError("an entrant is named twice")
    order, _ = Chance(seed, label).shuffled(names)
    return order


def pick_byes(ranking: Sequence[str], byes: Mapping[str, int], count: int) -> Seats:
    """Return who sits out: whoever did so least often, the last in the ranking first.

    So nobody does so twice before everybody did once.
    """
    places = {name: place for place, name in enumerate(ranking)}
    order = sorted(ranking, key=lambda name: (byes.get(name, 0), -places[name]))
    return tuple(order[:count])


def seat(
    groups: Sequence[Sequence[str]],
    meetings: Mapping[frozenset[str], int],
    owners: Mapping[str, str] = NOBODY,
) -> tuple[Seats, ...]:
    """Return tables of the sizes of `groups`, as near to them as is possible without conflicts.

    Two of one owner conflict, and two who met before. If no seating without any is come upon,
    places are changed two by two as long as that keeps more of one owner apart, or lets fewer meet
    again. `owners` may leave out whom nobody else belongs to.
    """
    order = [name for group in groups for name in group]

    def conflict(one: str, other: str) -> int:
        return meetings.get(frozenset((one, other)), 0) + (
            _SAME_OWNER if owners.get(one, one) == owners.get(other, other) else 0
        )

    sizes = [len(group) for group in groups]
    if len(sizes) <= _TABLES_LOOKED_THROUGH:
        apart = {
            one: {other for other in order if other != one and not conflict(one, other)}
            for one in order
        }
        found = _Looking(sizes, apart).through(0, tuple(order))
        if found is not None:
            return found
    tables = [list(group) for group in groups]
    _lessen(tables, conflict)
    return tuple(tuple(table) for table in tables)


class _Looking:
    """A search in order: each table begins with the first who has none, the next who fit follow."""

    def __init__(self, sizes: Sequence[int], apart: Mapping[str, set[str]]) -> None:
        self._sizes = sizes
        self._apart = apart
        self._looks = 0

    def through(self, number: int, left: Seats) -> tuple[Seats, ...] | None:
        """Return the tables from `number` on of those who are left; None if there are none."""
        if not left:
            return ()
        first, rest = left[0], left[1:]
        for mates in self._mates((first,), rest, self._sizes[number] - 1):
            others = self.through(number + 1, tuple(one for one in rest if one not in mates))
            if others is not None:
                return ((first, *mates), *others)
            if self._looks > LOOKS_MAX:
                return None
        return None

    def _mates(self, table: Seats, candidates: Seats, count: int) -> Iterator[Seats]:
        if not count:
            yield ()
            return
        for place, one in enumerate(candidates):
            self._looks += 1
            if self._looks > LOOKS_MAX:
                return
            if all(one in self._apart[member] for member in table):
                for more in self._mates((*table, one), candidates[place + 1 :], count - 1):
                    yield (one, *more)


def _lessen(tables: list[list[str]], conflict: Callable[[str, str], int]) -> None:
    """Change places two by two as long as there are fewer conflicts afterwards."""

    def cost(table: Sequence[str], name: str, without: str) -> int:
        return sum(conflict(name, other) for other in table if other not in {name, without})

    def bad(table: Sequence[str]) -> bool:
        return any(conflict(one, other) for one, other in combinations(table, 2))

    # Most tables of many have none, and two without any are not looked at.
    flags = [bad(table) for table in tables]
    better = True
    while better:
        better = False
        for here, away in combinations(range(len(tables)), 2):
            if not (flags[here] or flags[away]):
                continue
            table, other = tables[here], tables[away]
            for place, there in product(range(len(table)), range(len(other))):
                one, two = table[place], other[there]
                before = cost(table, one, one) + cost(other, two, two)
                if before and cost(table, two, one) + cost(other, one, two) < before:
                    table[place], other[there] = two, one
                    better = True
            flags[here], flags[away] = bad(table), bad(other)
