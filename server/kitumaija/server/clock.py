"""Time as an argument: the monotonic clock that durations are measured on, and the wall clock.

Nothing else in the server asks the system what time it is. Stamps are monotonic nanoseconds, so a
wall clock that is set forwards or back changes no verdict.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol, TypeAlias

from kitumaija.server.match.values import NANOS_PER_MICROSECOND, Nanos, nanos

__all__ = [
    "NANOS_PER_MICROSECOND",
    "NANOS_PER_SECOND",
    "Clock",
    "MonotonicClock",
    "Wall",
    "nanos",
    "utc_now",
]

NANOS_PER_SECOND = 1_000_000_000

Wall: TypeAlias = Callable[[], datetime]
"""Returns the date and time in UTC: for people and records, never for a duration."""


class Clock(Protocol):
    """Where stamps come from."""

    def now(self) -> Nanos:
        """Return the monotonic time in nanoseconds; it never goes back."""
        ...


class MonotonicClock:
    """The machine's monotonic clock."""

    __slots__ = ()

    def now(self) -> Nanos:
        """Return `time.monotonic_ns()`."""
        return Nanos(time.monotonic_ns())


def utc_now() -> datetime:
    """Return the date and time in UTC by the system's wall clock."""
    return datetime.now(tz=UTC)
