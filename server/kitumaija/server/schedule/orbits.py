"""The tables of `size` out of `points` on a circle, up to turning the circle.

A table is written as the places of its members on the circle, ascending from 0. All turns of one
table are its orbit: `points` tables, or fewer where a part of a turn brings the table back onto
itself. The orbits are counted by formula and listed in the order of their gaps, each from its least
rotation (fixed-density necklaces, by the recursion of Fredricksen, Kessler and Maiorana).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import comb, gcd
from typing import TypeAlias

Table: TypeAlias = tuple[int, ...]
"""Places on the circle, ascending, the first of them 0."""


@dataclass(frozen=True, slots=True)
class Orbits:
    """All orbits of the tables of one size."""

    full: tuple[Table, ...]
    """A table of each orbit that has as many tables as there are points."""
    short: tuple[tuple[Table, int], ...]
    """A table of each smaller orbit, with the number of its tables; the smallest come first."""


def full_orbits(points: int, size: int) -> int:
    """Return how many orbits have as many tables as there are points.

    By inclusion and exclusion over the fractions of a turn that could bring a table onto itself.
    """
    common = gcd(points, size)
    unturned = sum(
        _moebius(fold) * comb(points // fold, size // fold)
        for fold in range(1, common + 1)
        if common % fold == 0
    )
    return unturned // points


@lru_cache(maxsize=4)
def orbits(points: int, size: int) -> Orbits:
    """Return all orbits; a plan of ten million matches has some fifty thousand."""
    full: list[Table] = []
    short: list[tuple[Table, int]] = []
    for gaps, period in _necklaces(points, size):
        table = (0, *accumulate(gaps[:-1]))
        if period == size:
            full.append(table)
        else:
            short.append((table, points * period // size))
    return Orbits(tuple(full), tuple(sorted(short, key=lambda orbit: orbit[1])))


def _necklaces(points: int, size: int) -> Iterator[tuple[Table, int]]:
    """Yield every way around the circle as gaps, once, with the length after which they repeat."""
    gaps = [1] * (size + 1)  # the gaps themselves are 1 to `size`; the one at 0 begins the chain

    def extend(place: int, period: int, left: int) -> Iterator[tuple[Table, int]]:
        if place > size:
            if size % period == 0:
                yield tuple(gaps[1:]), period
            return
        least = gaps[place - period]
        behind = size - place
        if behind == 0:  # the last gap is what is left
            choices = range(max(least, left), left + 1)
        elif place == 1:  # the first gap is the smallest of all
            choices = range(1, left // size + 1)
        else:
            choices = range(least, left - behind * gaps[1] + 1)
        for gap in choices:
            gaps[place] = gap
            yield from extend(place + 1, period if gap == least else place, left - gap)

    yield from extend(1, 1, points)


def _moebius(number: int) -> int:
    """Return 1, 0 or -1: for an even number of different primes, a repeated one, an odd number."""
    sign, rest, prime = 1, number, 2
    while rest > 1:
        if rest % prime == 0:
            rest //= prime
            if rest % prime == 0:
                return 0
            sign = -sign
        prime += 1
    return sign
