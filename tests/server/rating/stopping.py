"""How often a tournament that is stopped early has named the best rightly: the rows with `stop`.

As in `calibration.py`, each row has a seed of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from kitumaija.server.goal import LOOKS, Goal
from kitumaija.server.rating.fit import POINTS
from kitumaija.server.rating.fit.boundaries import boundaries
from kitumaija.server.rating.fit.comparisons import Floats, Indices
from kitumaija.server.rating.fit.settling import settled_by, to_compare
from tests.server.rating.calibration import USUAL_SPREAD, generator, standard_error
from tests.support.cores import by_number
from tests.support.simulated import WORLDS, compare, draw_tables

Drawn: TypeAlias = tuple[Floats, Indices, Floats]
"""A tournament's true strengths, its tables (sets, seats), its scores (sets, matches, seats)."""


@dataclass(frozen=True)
class Stops:
    """Tournaments that could be stopped early, when it is settled who the `first` best are.

    `alike` says how the strengths were drawn: `no`, at random; `at the edge`, at random but for the
    last of the best and the first of the rest, who differ by a point; `all`, by a point or so. The
    last two are where a wrong verdict is likeliest.
    """

    entrants: int
    seats: int
    rounds: int
    first: int
    alike: str
    in_order: bool = False
    spread: int = USUAL_SPREAD

    @property
    def name(self) -> str:
        """What the row is called, and its seed."""
        order = " in order" if self.in_order else ""
        wide = "" if self.spread == USUAL_SPREAD else f", spread {self.spread}"
        played = f"{self.entrants}/{self.seats}/{self.rounds}"
        return f"stop {played} top {self.first}{order}, {self.alike}{wide}"

    def strengths(self, rng: np.random.Generator) -> Floats:
        """The strengths of one tournament's bots."""
        scale = 1 if self.alike == "all" else self.spread
        drawn = np.sort(rng.standard_normal(self.entrants))[::-1] * scale
        if self.alike == "at the edge":
            drawn[self.first] = drawn[self.first - 1] - 1
        return rng.permutation(drawn) / POINTS


STOPS = (
    Stops(6, 3, 40, 3, "no"),
    Stops(6, 3, 40, 3, "at the edge"),
    Stops(6, 3, 40, 3, "all"),
    Stops(6, 3, 40, 1, "all"),
    Stops(6, 3, 40, 3, "all", in_order=True),
    Stops(6, 3, 40, 1, "no", spread=300),
    Stops(20, 4, 40, 3, "no"),
    Stops(20, 4, 40, 1, "no", spread=300),
    Stops(20, 4, 40, 3, "at the edge"),
    Stops(20, 4, 40, 3, "all"),
)


def measure_stops(row: Stops, tournaments: int, *, jobs: int = 1) -> dict[str, Any]:
    """Look at so many tournaments of a row LOOKS times each, and stop where the goal is reached."""
    goal = Goal(row.first, 0.95, row.in_order)
    return measure_stopped(partial(_stops_drawn, row), goal, tournaments, jobs=jobs)


def _stops_drawn(row: Stops, number: int) -> Drawn:
    rng = generator(f"{row.name}/{number}")
    skills = row.strengths(rng)
    tables = draw_tables(rng, row.entrants, seats=row.seats, rounds=row.rounds)
    return skills, tables, WORLDS["luce"].scores(rng, skills[tables][:, None, :], row.seats)


def measure_stopped(
    drawn: Callable[[int], Drawn], goal: Goal, count: int, *, jobs: int = 1
) -> dict[str, Any]:
    """Say how often the goal was reached, and the verdict wrong, of so many tournaments."""
    shares = [look / LOOKS for look in range(1, LOOKS + 1)]
    bounds = boundaries(shares, (1 - goal.level) / 2)
    looks = list(zip(shares, bounds, strict=True))
    seen = by_number(partial(_stopped, drawn, goal, looks), count, jobs=jobs)
    wrong = np.array([not right for _, right in seen], dtype=float)
    return {
        "tournaments": count,
        "settled": float(np.mean([share < 1 for share, _ in seen])),
        "played": float(np.mean([share for share, _ in seen])),
        "wrong": float(wrong.mean()),
        "wrong_error": standard_error(wrong),
    }


def _stopped(
    drawn: Callable[[int], Drawn], goal: Goal, looks: Sequence[tuple[float, float]], number: int
) -> tuple[float, bool]:
    """The share of a tournament that was played, and whether the verdict is right, if any.

    `looks` are the shares at which to look, each with its boundary.
    """
    truth, tables, scores = drawn(number)
    bots = [f"bot-{bot:02}" for bot in range(len(truth))]
    a_round = len(truth) // tables.shape[1]
    rounds = len(tables) // a_round
    for share, bound in looks:
        sets = round(rounds * share) * a_round
        so_far = compare(tables[:sets], scores[:sets], bots=len(bots))
        best = settled_by(so_far, goal, bound=bound, contenders=bots)
        if best is not None:
            order = [bots.index(bot) for bot in best]
            order += sorted(set(range(len(bots))) - set(order))
            # Of equals neither is stronger, so a verdict that parts them is wrong.
            return share, all(truth[a] > truth[b] for a, b in to_compare(order, goal))
    return 1.0, True
