"""When a decision's clock starts: with the write's return, or soon after hand-over.

The writer of a stream says `written`. For a bot that does not read no write returns, so `sweep`
starts the clocks of decisions that were handed over too long ago: not reading stops no clock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import timedelta
from typing import TypeAlias

from kitumaija.server.clock import nanos
from kitumaija.server.lobby.connection import Asked
from kitumaija.server.match.clocks import stalled_inside
from kitumaija.server.match.values import Nanos

ClockStarted: TypeAlias = Callable[[Asked, Nanos], None]
"""Called once a decision, with the moment at which its clock started."""


class ClockStarts:
    """The decisions that were handed over and whose clock has not started yet."""

    def __init__(self, within: timedelta, started: ClockStarted) -> None:
        self._within = nanos(within)
        self._started = started
        self._handed: deque[Asked] = deque()

    def handed_over(self, asked: Asked, at: Nanos) -> None:
        """Note that a decision was put on a bot's line."""
        asked.handed_at = at
        asked.latest = Nanos(at + self._within)
        self._handed.append(asked)

    def written(self, asked: Asked, at: Nanos) -> None:
        """Note that the write of a decision returned."""
        self._start(asked, at)

    def stalled(self, since: Nanos, until: Nanos) -> None:
        """Note that the server stood still: it could write nothing then, read or not."""
        for asked in self._handed:
            asked.latest = Nanos(asked.latest + stalled_inside(since, until, asked.handed_at))

    def sweep(self, now: Nanos) -> None:
        """Start the clocks of those that were handed over too long ago."""
        handed = self._handed
        while handed and (handed[0].started or handed[0].latest <= now):
            asked = handed.popleft()
            self._start(asked, now)

    def _start(self, asked: Asked, at: Nanos) -> None:
        if asked.started:
            return
        asked.started = True
        # However late this is called, by a slow sweep or a slow write: the rule is about stamps.
        self._started(asked, min(at, asked.latest))
