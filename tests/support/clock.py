"""A clock that stands still until a test moves it."""

from __future__ import annotations

from datetime import timedelta

from kitumaija.server.match import Nanos

NANOS_PER_MILLISECOND = 1_000_000


def ms(milliseconds: float) -> int:
    """Return milliseconds in nanoseconds."""
    return round(milliseconds * NANOS_PER_MILLISECOND)


def in_nanos(duration: timedelta) -> int:
    """Return a duration in nanoseconds."""
    return duration // timedelta(microseconds=1) * 1_000


class ManualClock:
    """A monotonic clock as the server wants one; it moves by `advance` and `jump` alone.

    It starts far from zero, as a real one does, so that nothing can count on its zero.
    """

    def __init__(self, start: int = 7_000_000_000_000) -> None:
        self._now = start

    def now(self) -> Nanos:
        """Return the time in nanoseconds."""
        return Nanos(self._now)

    def advance(self, nanos: int) -> Nanos:
        """Move on by so many nanoseconds, and return the time then."""
        if nanos < 0:
            raise ValueError(f"a monotonic clock never goes back, got {nanos}")
        self._now += nanos
        return self.now()

    def jump(self, to: int) -> Nanos:
        """Move on to an instant, and return it."""
        return self.advance(to - self._now)
