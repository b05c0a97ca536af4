"""A few tables that, turned round the circle, let everybody meet everybody about equally often.

Turned to all n points, a table of k gives every player k games, one in each of its places, and lets
two players meet once for each pair of its members that lies as far apart as they do. So a family
of tables is as even as the distances in it are: where each distance comes equally often it is a
difference family, and what it makes is a balanced incomplete block design (R. C. Bose, On the
construction of balanced incomplete block designs, Annals of Eugenics 9, 1939; C. J. Colbourn and
J. H. Dinitz, Handbook of Combinatorial Designs, 2nd edition, VI.16).

Few families are known by formula, so they are searched for: by threshold accepting (G. Dueck and
T. Scheuer, Journal of Computational Physics 90, 1990) over whole numbers, with draws of its own,
so that the same family is found everywhere and always. Every table of a family can be turned so
that nobody gets more than a game ahead of the rounds (`turns.even_order`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from typing import TypeAlias

from kitumaija.server.schedule.turns import even_order, is_even, round_end

MOVES_LEAST, MOVES_A_MEMBER, MOVES_MOST = 30_000, 10, 100_000
"""How many moves one attempt has: so many for each member, within these bounds."""

ATTEMPTS_TO_BOUND, ATTEMPTS_TO_BEST = 20, 4
"""How many attempts are made while the spread is above `SPREAD_MAX`, and to make it the least."""

LARGE = 300
"""From how many tables on an attempt takes so long that one within `SPREAD_MAX` is enough."""

UNBOUND_MAX = 12
"""Up to how many tables every second attempt looks for an order of turns afterwards.

The other attempts keep to tables that equal steps will do for, of which there are fewer."""

SPREAD_MAX = 2
"""By how many tables the meetings of two pairs may differ, where it can be helped."""

Members: TypeAlias = tuple[int, ...]
"""The places of a table's members on the circle."""


@dataclass(frozen=True, slots=True)
class Family:
    """Tables to be turned round a circle of `points`."""

    points: int
    tables: tuple[Members, ...]
    meetings: tuple[int, ...]
    """At 1 … n-1: how often two players so far apart meet while each table is turned once round."""

    @property
    def spread(self) -> int:
        """By how much the meetings of two pairs differ at the most."""
        return max(self.meetings[1:]) - min(self.meetings[1:])


def least_spread(points: int, size: int, count: int) -> int:
    """Return the spread that no family of so many tables can be below: 0 or 1."""
    return 0 if count * size * (size - 1) % (points - 1) == 0 else 1


@lru_cache(maxsize=16)
def family(points: int, size: int, count: int) -> Family:
    """Return `count` tables of `size` out of `points`, as even as was found.

    It takes less than a second where it finds the least spread that there is, as it mostly does,
    and some seconds where it does not. Raises `ValueError` unless 2 <= size < points and
    count >= 1.
    """
    if not 2 <= size < points or count < 1:
        raise ValueError(
            f"a family has 1 table or more, of 2 to {points - 1} of {points} members; "
            f"got {count} of {size}"
        )
    wanted = least_spread(points, size, count)
    best = _Search(points, size, count, 0, unbound=False).run(wanted)
    for attempt in range(1, ATTEMPTS_TO_BOUND):
        tried = count >= LARGE or attempt >= ATTEMPTS_TO_BEST
        enough = best.spread <= SPREAD_MAX and tried
        if best.spread <= wanted or enough:
            break
        unbound = attempt % 2 == 1 and count <= UNBOUND_MAX
        found = _Search(points, size, count, attempt, unbound=unbound).run(wanted)
        ordered = not unbound or all(even_order(table, points) for table in found.tables)
        if found.spread < best.spread and ordered:
            best = found
    return best


class _Draws:
    """Numbers that look drawn: the linear congruence of Knuth's MMIX, its upper half."""

    __slots__ = ("_state",)

    def __init__(self, *seed: int) -> None:
        self._state = 0
        for number in seed:
            self._state += number
            self.below(1)

    def below(self, bound: int) -> int:
        """Return the next number, from 0 to `bound` - 1."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
        return (self._state >> 32) * bound >> 32


class _Search:
    """One attempt. A move puts another point in the place of one member of one table.

    Its cost is the sum of the squares of (n-1) x meetings - total, over the distances 1 … n-1,
    divided by n-1: zero where all pairs meet equally often.
    """

    def __init__(self, points: int, size: int, count: int, attempt: int, *, unbound: bool) -> None:
        self._points, self._size, self._count = points, size, count
        self._unbound = unbound
        self._draws = _Draws(points, size, count, attempt)
        steps = [step for step in range(1, points // 2 + 1) if gcd(step, points) == 1] or [1]
        self._steps = [steps[number % len(steps)] for number in range(count)]
        self._tables = [self._beginning(step) for step in self._steps]
        self._meetings = [0] * points
        for table in self._tables:
            _count_meetings(table, self._meetings)
        self._total = count * size * (size - 1)
        self._cost = sum(((points - 1) * one - self._total) ** 2 for one in self._meetings[1:]) // (
            points - 1
        )

    def run(self, wanted: int) -> Family:
        """Move until the spread is `wanted` or the moves are used up; return the best it met."""
        best: Family | None = None
        lowest, least = self._cost, self._spread()
        slack = 8 * (self._points - 1)
        moves = min(max(MOVES_LEAST, MOVES_A_MEMBER * self._count * self._size), MOVES_MOST)
        for move in range(moves):
            if least <= wanted:
                break
            heat = 12 * (self._points - 1) * (moves - move) // moves
            threshold = heat * self._draws.below(1000) // 1000 * self._draws.below(1000) // 1000
            if self._move(threshold) and self._cost <= lowest + slack:
                lowest = min(lowest, self._cost)
                spread = self._spread()
                if spread < least:
                    least = spread
                    # Thousands of tables are copied only when it is nearly the best.
                    best = self._now() if spread <= 2 * SPREAD_MAX else None
        return best or self._now()

    def _beginning(self, step: int) -> list[int]:
        """A table with one member in each of as many equal parts of the circle, steps apart."""
        points, size = self._points, self._size
        table: list[int] = []
        for part in range(size):
            start, end = round_end(part, points, size), round_end(part + 1, points, size)
            table.append((start + self._draws.below(end - start)) * step % points)
        return table

    def _spread(self) -> int:
        return max(self._meetings[1:]) - min(self._meetings[1:])

    def _now(self) -> Family:
        tables = tuple(tuple(sorted(table)) for table in self._tables)
        return Family(self._points, tables, tuple(self._meetings))

    def _move(self, threshold: int) -> bool:
        """Make a move if it costs at most `threshold` more; return whether it was made."""
        points = self._points
        number = self._draws.below(self._count)
        table = self._tables[number]
        place = self._draws.below(self._size)
        old, new = table[place], self._draws.below(points)
        if new in table:
            return False
        changes: dict[int, int] = {}
        for other in table:
            if other != old:
                for apart, change in ((old - other, -1), (new - other, 1)):
                    far = min(apart % points, -apart % points)
                    changes[far] = changes.get(far, 0) + change
        added = 0
        for far, change in changes.items():
            # Half way round, both ways are the same distance.
            by = 2 * change if 2 * far == points else change
            excess = (points - 1) * self._meetings[far] - self._total
            added += by * (2 * excess + (points - 1) * by) * (1 if 2 * far == points else 2)
        if added > threshold:
            return False
        table[place] = new
        if not self._unbound and not is_even(table, points, self._steps[number]):
            table[place] = old
            return False
        for far, change in changes.items():
            self._meetings[far] += change
            self._meetings[points - far] += change
        self._cost += added
        return True


def _count_meetings(table: Iterable[int], meetings: list[int]) -> None:
    members = list(table)
    points = len(meetings)
    for number, one in enumerate(members):
        for other in members[:number]:
            meetings[(one - other) % points] += 1
            meetings[(other - one) % points] += 1
