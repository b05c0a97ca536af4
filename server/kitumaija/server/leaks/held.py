"""Time and chance that stand still, so that two servers have the same of both."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

from kitumaija.server.clock import NANOS_PER_MICROSECOND, nanos
from kitumaija.server.match.values import Nanos

_START = 7_000_000_000_000
_WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


class HeldClock:
    """A monotonic clock that moves by `advance` alone, and the wall clock that goes with it."""

    def __init__(self) -> None:
        self._now = _START

    def now(self) -> Nanos:
        """Return the time in nanoseconds."""
        return Nanos(self._now)

    def wall(self) -> datetime:
        """Return the date and time that it is by this clock."""
        return _WHEN + timedelta(microseconds=(self._now - _START) // NANOS_PER_MICROSECOND)

    def advance(self, duration: timedelta) -> None:
        """Move on."""
        self._now += nanos(duration)


class RepeatedBytes:
    """Random bytes that are the same for the same seed: the n-th call gives the same ones."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._calls = 0

    def __call__(self, size: int) -> bytes:
        """Return so many bytes."""
        self._calls += 1
        return hashlib.shake_256(f"{self._seed} {self._calls}".encode()).digest(size)
