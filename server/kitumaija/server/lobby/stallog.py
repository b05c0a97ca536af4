"""What the log says of stalls: their sum, in at most one line every few seconds."""

from __future__ import annotations

from datetime import timedelta

import structlog

from kitumaija.server.clock import nanos
from kitumaija.server.match.values import Nanos

_log = structlog.stdlib.get_logger("kitumaija.match")

WORTH_A_LINE = timedelta(milliseconds=100)
"""What the stalls of one line last together, at least: small delays are everyday."""

_EVERY = timedelta(seconds=10)


class StallLog:
    """Sums up the stalls of one kind; `event` is what the line says."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._not_before: Nanos | None = None
        self._times = self._total = self._longest = 0

    def note(self, since: Nanos, until: Nanos) -> None:
        """Add a stall, and say so at once if nothing was said lately."""
        self._times += 1
        self._total += until - since
        self._longest = max(self._longest, until - since)
        self.sweep(until)

    def sweep(self, now: Nanos) -> None:
        """Say what has come together, if it is worth a line and time for one."""
        if self._total < nanos(WORTH_A_LINE):
            return
        if self._not_before is not None and now < self._not_before:
            return
        _log.warning(
            self._event,
            milliseconds=self._total // 1_000_000,
            times=self._times,
            longest_milliseconds=self._longest // 1_000_000,
        )
        self._not_before = Nanos(now + nanos(_EVERY))
        self._times = self._total = self._longest = 0
