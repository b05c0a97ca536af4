"""Measuring scenarios, in turns, and all that was found as one thing for JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from kitumaija.server.bench.machine import this_machine
from kitumaija.server.bench.results import FORMAT, Measured
from kitumaija.server.bench.scenarios import SCENARIOS, Scenario
from kitumaija.server.bench.sides import Scale


def chosen(names: Sequence[str]) -> list[Scenario]:
    """Return the scenarios of these names, all without any.

    Raises `ValueError` for a name that there is not.
    """
    known = {scenario.name: scenario for scenario in SCENARIOS}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(f"got the scenario {unknown[0]}, wanted one of {', '.join(known)}")
    return [known[name] for name in names] if names else list(SCENARIOS)


def measure(
    scenarios: Sequence[Scenario],
    scale: Scale,
    turns: int,
    *,
    begun: Callable[[Scenario, int], object],
) -> list[Measured]:
    """Measure each scenario `turns` times; `begun` is told which turn of which comes next.

    The turns of all scenarios take turns too: what disturbs a machine for some minutes then touches
    one turn of each, and not all of one.

    Raises `BenchError` where a process fails, `grpc.RpcError` where a server refuses.
    """
    measured: list[list[Any]] = [[] for _ in scenarios]
    for turn in range(turns):
        for scenario, found in zip(scenarios, measured, strict=True):
            begun(scenario, turn)
            found.append(scenario.turn(scale))
    return [Measured(scenario, found) for scenario, found in zip(scenarios, measured, strict=True)]


def whole(measured: Sequence[Measured], scale: Scale, turns: int, at: datetime) -> dict[str, Any]:
    """Return everything as plain values for JSON."""
    return {
        "format": FORMAT,
        "at": at.isoformat(timespec="seconds"),
        "machine": dict(this_machine()),
        "bots": scale.bots,
        "seconds": scale.times.seconds,
        "warm_up": scale.times.warm_up,
        "turns": turns,
        "scenarios": {found.scenario.name: found.as_dict() for found in measured},
    }
