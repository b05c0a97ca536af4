"""The server's pulse: what is looked at again and again, and the watch over its own delays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TypeAlias

from kitumaija.server.clock import Clock, nanos
from kitumaija.server.match.values import Nanos

Sweep: TypeAlias = Callable[[Nanos], None]
Stalled: TypeAlias = Callable[[Nanos, Nanos], None]


class StallWatch:
    """Notices that the event loop stood still, from a beat that did not come when it was due.

    Whoever stamps something looks first, so that a stall is known before anything is judged by a
    stamp that the stall made late. `first` is another look, such as that for the disk's stalls,
    which has to come before: one that began earlier is then told before the part of it that both
    saw.
    """

    def __init__(
        self, stalled: Stalled, *, worth_telling: timedelta, first: Sweep | None = None
    ) -> None:
        self._stalled = stalled
        self._first = first
        self._least = nanos(worth_telling)
        self._due: Nanos | None = None

    def expect(self, due: Nanos) -> None:
        """Say when the next beat is due. Before the first call nothing is watched."""
        self._due = due

    def look(self, now: Nanos) -> None:
        """Tell of a stall that lasts till now, if there is one."""
        if self._first is not None:
            self._first(now)
        if self._due is not None and now - self._due > self._least:
            since, self._due = self._due, now
            self._stalled(since, now)


class Pulse:
    """Calls the sweeps, over and over, from `start` to `stop`; or once, from `beat`."""

    def __init__(
        self, clock: Clock, watch: StallWatch, every: timedelta, sweeps: Sequence[Sweep]
    ) -> None:
        self._clock = clock
        self._watch = watch
        self._every = every
        self._sweeps = tuple(sweeps)
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Beat from now on, and watch that the beats are in time."""
        self._watch.expect(Nanos(self._clock.now() + nanos(self._every)))
        self._timer = asyncio.get_running_loop().call_later(
            self._every.total_seconds(), self._beat_again
        )

    def stop(self) -> None:
        """Beat no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def beat(self) -> None:
        """Call every sweep once, with one and the same stamp."""
        now = self._clock.now()
        for sweep in self._sweeps:
            sweep(now)

    def _beat_again(self) -> None:
        self._watch.look(self._clock.now())
        # The next beat is planned first: a sweep that raises must not be the last.
        self.start()
        self.beat()
