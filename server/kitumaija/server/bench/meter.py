"""Counting what passes while it is measured."""

from __future__ import annotations

import time
from array import array

from kitumaija.server.bench.job import Told

SHARES = (50.0, 90.0, 99.0, 99.9)
"""Which shares of the latencies are told, in per cent."""


class Meter:
    """Counts from `begin` to `end`; what passes before or after is not counted."""

    def __init__(self) -> None:
        self._on = False
        self._began = self._cpu = 0.0
        self._latencies = array("d")
        self._frames = 0
        self.lost = 0
        """Streams that ended before their time."""

    def begin(self) -> None:
        """Count from here on."""
        self._began, self._cpu = time.perf_counter(), time.process_time()
        self._on = True

    def frame(self) -> None:
        """A frame has come."""
        self._frames += self._on

    def decided(self, since: float) -> None:
        """A decision counts whose answer was sent `since`, by `time.perf_counter`."""
        if self._on:
            self._latencies.append(time.perf_counter() - since)

    def end(self) -> Told:
        """Count no more, and tell what there was."""
        seconds, cpu = time.perf_counter() - self._began, time.process_time() - self._cpu
        self._on = False
        ordered = sorted(self._latencies)
        return Told(
            decisions=len(ordered),
            seconds=seconds,
            cpu_seconds=cpu,
            frames=self._frames,
            latency_ms={f"{share:g}": round(_at(ordered, share) * 1e3, 4) for share in SHARES},
            lost=self.lost,
        )


def _at(ordered: list[float], share: float) -> float:
    """Return the value below which `share` per cent of the values lie; 0 without any."""
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))]
