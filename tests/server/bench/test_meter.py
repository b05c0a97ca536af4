"""What is counted of what passes."""

from __future__ import annotations

import time

from kitumaija.server.bench.meter import Meter


def test_only_what_passes_while_it_is_measured_is_counted() -> None:
    meter = Meter()
    meter.frame()
    meter.decided(time.perf_counter())

    meter.begin()
    for _ in range(3):
        meter.frame()
        meter.decided(time.perf_counter())
    told = meter.end()
    meter.decided(time.perf_counter())

    assert (told.decisions, told.frames) == (3, 3)
    assert (meter.end().decisions, told.lost) == (3, 0)


def test_latencies_are_told_by_the_share_that_is_below() -> None:
    meter = Meter()
    meter.begin()
    now = time.perf_counter()
    for seconds in range(1_000):
        meter.decided(now - seconds)

    latency = meter.end().latency_ms

    assert list(latency) == ["50", "90", "99", "99.9"]
    for share, milliseconds in latency.items():
        # Some time has passed since `now`; a thousandth of them lies between two of these.
        assert float(share) * 10_000 <= milliseconds < float(share) * 10_000 + 60_000


def test_nothing_at_all_is_told_as_zeros() -> None:
    meter = Meter()
    meter.begin()

    told = meter.end()

    assert (told.decisions, set(told.latency_ms.values())) == (0, {0.0})
