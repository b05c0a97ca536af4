"""What can be measured, each with what it is compared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from kitumaija.server.bench.figures import Figures, of_bout
from kitumaija.server.bench.idle import Idle
from kitumaija.server.bench.local import arena_figures, engine_figures
from kitumaija.server.bench.sides import Echo, Full, Scale

THINK = (0.004, 0.036)
"""How long a bot thinks about a decision where it thinks: such bots do not move in step."""

CURVE = (1, 2, 4, 8, 16, 32, 64)
"""The matches of a bot, from light load to heavy."""

ECHO, SERVER = "echo", "server"
"""The names of the sides that are there most often."""


Turn: TypeAlias = Callable[[Scale], Mapping[str, Figures]]
"""Measures each side once, one right after the other."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A figure of one side over, or less, the same figure of another."""

    what: str
    figure: str
    of: str
    to: str
    difference: bool = False
    """Whether it is the one less the other, and not the one over the other."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One thing to measure."""

    name: str
    title: str
    turn: Turn
    ratios: tuple[Ratio, ...] = ()


def _sides(**sides: Callable[[Scale], Echo | Full]) -> Turn:
    def turn(scale: Scale) -> Mapping[str, Figures]:
        return {name: of_bout(side(scale).measure(scale.times)) for name, side in sides.items()}

    return turn


def _load_curve(scale: Scale) -> Mapping[str, Figures]:
    """Let thinking bots have more and more matches."""
    sides = {str(matches): Full(scale.bots, matches, think=THINK) for matches in CURVE}
    return {name: of_bout(side.measure(scale.times)) for name, side in sides.items()}


def _idle(scale: Scale) -> Mapping[str, Figures]:
    """Let ten, fifty and a hundred times as many bots come and not play; by TLS ten times."""
    seconds = scale.times.seconds
    sides = {f"{10 * scale.bots} by TLS": Idle(10 * scale.bots, tls=True)}
    sides |= {str(more * scale.bots): Idle(more * scale.bots) for more in (10, 50, 100)}
    return {name: side.measure(seconds) for name, side in sides.items()}


def _burst(scale: Scale) -> Mapping[str, Figures]:
    return {SERVER: Idle(50 * scale.bots, door=0).measure(scale.times.seconds)}


def _half_load(scale: Scale) -> Mapping[str, Figures]:
    """Find out how much the server can do, and have both do half of that."""
    full = Full(scale.bots, 8)
    most = of_bout(full.measure(scale.times))
    rate = most["per_second"] / 2
    think = scale.bots * 8 / rate
    halved = Full(scale.bots, 8, think=(think / 2, think * 3 / 2))
    return {
        ECHO: of_bout(Echo(scale.bots, per_second=rate).measure(scale.times)),
        SERVER: of_bout(halved.measure(scale.times)),
    }


def _per_second(of: str = SERVER, to: str = ECHO) -> Ratio:
    return Ratio("decisions a second", "per_second", of, to)


def _added(figure: str, what: str) -> Ratio:
    return Ratio(f"{what}, added", figure, SERVER, ECHO, difference=True)


_LATENCIES = (_added("p50_ms", "p50 in ms"), _added("p99_ms", "p99 in ms"))


def _all_of_them(scale: Scale) -> Echo:
    return Echo(scale.bots)


SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        "latency",
        "One match of two bots that answer at once",
        _sides(echo=lambda _: Echo(1), server=lambda _: Full(2, 1)),
        _LATENCIES,
    ),
    Scenario(
        "half-load",
        "Bots with 8 matches each, at half of what the server can do",
        _half_load,
        (*_LATENCIES, Ratio("p99", "p99_ms", SERVER, ECHO)),
    ),
    Scenario(
        "many-8",
        "Bots that answer at once, 8 matches each",
        _sides(echo=_all_of_them, server=lambda scale: Full(scale.bots, 8)),
        (_per_second(), _added("cpu_us", "processor a decision in µs")),
    ),
    Scenario(
        "many-16",
        "Bots that answer at once, 16 matches each",
        _sides(echo=_all_of_them, server=lambda scale: Full(scale.bots, 16)),
        (_per_second(),),
    ),
    Scenario(
        "many-64",
        "Bots that answer at once, 64 matches each",
        _sides(echo=_all_of_them, server=lambda scale: Full(scale.bots, 64)),
        (_per_second(),),
    ),
    Scenario(
        "wide",
        "Ten times as many bots, one match each",
        _sides(
            echo=lambda scale: Echo(10 * scale.bots), server=lambda scale: Full(10 * scale.bots, 1)
        ),
        (_per_second(),),
    ),
    Scenario(
        "thinking-8",
        "Bots that think 4 to 36 ms about each decision, 8 matches each",
        _sides(echo=_all_of_them, server=lambda scale: Full(scale.bots, 8, think=THINK)),
        (_per_second(),),
    ),
    Scenario(
        "thinking-32",
        "Bots that think 4 to 36 ms about each decision, 32 matches each",
        _sides(echo=_all_of_them, server=lambda scale: Full(scale.bots, 32, think=THINK)),
        (_per_second(),),
    ),
    Scenario(
        "locked",
        "The best case: fixed pairs in step, 64 matches each",
        _sides(echo=_all_of_them, server=lambda scale: Full(scale.bots, 64, locked=True)),
        (_per_second(),),
    ),
    Scenario(
        "framed",
        "The echo alone: a frame of 1, of 8 and of 64 answers at a time on each stream",
        _sides(
            echo=_all_of_them,
            of_8=lambda scale: Echo(scale.bots, 8),
            of_64=lambda scale: Echo(scale.bots, 64),
        ),
        (_per_second(of="of_8"), _per_second(of="of_64")),
    ),
    Scenario(
        "ten-seats",
        "Tables of ten, 8 matches a bot",
        _sides(echo=_all_of_them, server=lambda scale: Full(max(10, scale.bots), 8, seats=10)),
        (_per_second(),),
    ),
    Scenario(
        "tls",
        "The same with TLS and without",
        _sides(
            echo=_all_of_them,
            server=lambda scale: Full(scale.bots, 8),
            tls=lambda scale: Full(scale.bots, 8, tls=True),
        ),
        (_per_second(of="tls", to=SERVER),),
    ),
    Scenario(
        "durability",
        "What outlives a crash of the machine: all of it, or all but the last moments",
        _sides(
            echo=_all_of_them,
            server=lambda scale: Full(scale.bots, 8),
            normal=lambda scale: Full(scale.bots, 8, options=("--durability", "normal")),
        ),
        (_per_second(of=SERVER, to="normal"),),
    ),
    Scenario(
        "load-curve",
        "Bots that think 4 to 36 ms about each decision, by the matches of each",
        _load_curve,
    ),
    Scenario("idle", "Bots that are connected and do not play", _idle),
    Scenario("burst", "Fifty times as many bots that all come at once", _burst),
    Scenario(
        "engine", "The rules alone: random games, each decision with its view", engine_figures
    ),
    Scenario("arena", "Games of sample bots in `kitumaija arena`", arena_figures),
)
