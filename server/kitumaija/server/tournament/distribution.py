"""How many numbers are distributed, in memory that does not grow with them."""

from __future__ import annotations

from collections import Counter
from math import ceil

_DIGITS = 8
"""How many leading binary digits of a number are kept: it is rounded up by less than 1 %."""


class Distribution:
    """Counts whole numbers, of either sign, in steps of less than 1 % of their size."""

    __slots__ = ("_counts", "_max", "count")

    def __init__(self) -> None:
        self.count = 0
        """How many numbers there are."""
        self._counts: Counter[int] = Counter()
        self._max = 0

    def add(self, number: int) -> None:
        """Count a number."""
        self._max = number if not self.count else max(self._max, number)
        self.count += 1
        self._counts[_rounded(number)] += 1

    def join(self, other: Distribution) -> None:
        """Count all the numbers of another distribution."""
        if other.count:
            self._max = other.max if not self.count else max(self._max, other.max)
            self.count += other.count
            self._counts.update(other._counts)

    @property
    def max(self) -> int:
        """The highest number, exactly; 0 if there is none."""
        return self._max

    def share(self, percent: float) -> int:
        """Return a number than which so many percent of all are not higher; 0 if there is none.

        It is the lowest of them that will do, rounded up by less than 1 % of its size.
        """
        wanted = ceil(self.count * percent / 100)
        for number in sorted(self._counts):
            wanted -= self._counts[number]
            if wanted <= 0:
                return min(number, self._max)
        return 0


def _rounded(number: int) -> int:
    """Round up to `_DIGITS` leading binary digits."""
    shift = max(0, abs(number).bit_length() - _DIGITS)
    return -(-number >> shift) << shift
