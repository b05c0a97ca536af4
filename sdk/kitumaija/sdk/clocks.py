"""Clocks: what the SDK reads the time from. They are always passed in.

A clock is a function that returns nanoseconds from some fixed point, never falling. On the network
it is `time.monotonic_ns`. Local games use a `CountedClock` unless told otherwise, so that a bot
that budgets its time plays the same game for the same seed on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic_ns
from typing import TypeAlias

Clock: TypeAlias = Callable[[], int]
"""Returns nanoseconds from some fixed point."""

real_clock: Clock = monotonic_ns
"""The machine's monotonic clock."""

READING = timedelta(milliseconds=1)
"""What one reading of a `CountedClock` costs, unless told otherwise."""


class CountedClock:
    """A clock that moves on by `reading` whenever it is read, and only then.

    A bot that works until its time is up works for as many rounds as it reads the clock: the same
    number everywhere.
    """

    def __init__(self, reading: timedelta = READING) -> None:
        self._step = nanoseconds(reading)
        if self._step <= 0:
            raise ValueError(f"a reading costs {reading}, wanted more than zero")
        self._now = 0

    def __call__(self) -> int:
        """Return the time in nanoseconds, and let `reading` pass."""
        self._now += self._step
        return self._now


@dataclass(slots=True)
class Bank:
    """One seat's time in a match, in nanoseconds: the bank is spent only above `per_decision`."""

    per_decision: int
    increment: int
    margin: int
    left: int

    def charge(self, used: int) -> bool:
        """Charge a decision that took `used` nanoseconds; return False if it took too long.

        One that did empties the bank, and earns no increment.
        """
        over = max(0, used - self.per_decision - self.margin)
        in_time = over <= self.left
        self.left = max(0, self.left - over)
        if in_time:
            self.left += self.increment
        return in_time


def nanoseconds(duration: timedelta) -> int:
    """Return a duration as a whole number of nanoseconds."""
    return duration // timedelta(microseconds=1) * 1000


def duration(nanos: int) -> timedelta:
    """Return nanoseconds as a duration, cut off below a microsecond."""
    return timedelta(microseconds=nanos // 1000)
