"""What is kept of a measurement: named numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from kitumaija.server.bench.processes import Bout

Figures: TypeAlias = Mapping[str, float]
"""Numbers by name. The unit is in the name, and `per_second` counts decisions."""


def of_bout(bout: Bout) -> Figures:
    """Return the figures of a load."""
    told = bout.told
    decisions = max(1, told.decisions)
    return {
        "per_second": round(told.per_second, 1),
        "p50_ms": told.latency_ms["50"],
        "p99_ms": told.latency_ms["99"],
        "p99_9_ms": told.latency_ms["99.9"],
        "cpu_us": round(bout.cpu_seconds / decisions * 1e6, 1),
        "callers_cpu_us": round(told.cpu_seconds / decisions * 1e6, 1),
        "decisions_a_frame": round(told.decisions / max(1, told.frames), 2),
        "mib": round(bout.mib, 1),
    }
