"""When a decision's clock starts: with the write's return, or soon after hand-over.

The writer of a stream says `written`. For a bot that does not read no write returns, so `sweep`
starts the clocks of decisions that were handed over too long ago: not reading stops no clock. What
the server itself keeps back (`rpc/gate.py`) counts as handed over when it is let go.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import TypeAlias

from kitumaija.server.clock import nanos
from kitumaija.server.lobby.connection import Asked, Delivery
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
        self._expect(asked, at)

    def delivery(self, asked: Asked) -> Delivery:
        """Return what is to be told of the decision's way."""
        return Delivery(
            written=partial(self._start, asked),
            held=partial(self._held, asked),
            released=partial(self._released, asked),
        )

    def stalled(self, since: Nanos, until: Nanos) -> None:
        """Note that the server stood still: it could write nothing then, read or not."""
        for asked in self._handed:
            # Not the moment of hand-over, for what was kept back counts from when it was let go.
            counted = Nanos(asked.latest - self._within)
            asked.latest = Nanos(asked.latest + stalled_inside(since, until, counted))

    def sweep(self, now: Nanos) -> None:
        """Start the clocks of those that were handed over too long ago."""
        handed = self._handed
        while handed and (handed[0].started or handed[0].latest <= now):
            asked = handed.popleft()
            self._start(asked, now)

    def _expect(self, asked: Asked, at: Nanos) -> None:
        asked.latest = Nanos(at + self._within)
        self._handed.append(asked)

    def _held(self, asked: Asked) -> None:
        if not asked.held and not asked.started:
            asked.held = True
            self._handed.remove(asked)

    def _released(self, asked: Asked, at: Nanos) -> None:
        if asked.held:
            asked.held = False
            self._expect(asked, at)

    def _start(self, asked: Asked, at: Nanos) -> None:
        if asked.started:
            return
        asked.started = True
        # However late this is called, by a slow sweep or a slow write: the rule is about stamps.
        self._started(asked, min(at, asked.latest))
