"""Adaptive against uniform tables: the rows of the table of `adaptive.md`.

Bots of known strength play sets in the world `luce` until it is settled who the best three are, or
until the budget is spent. Both ways to seat them are looked at as often and stopped by the same
rule; the budget is that of the uniform one.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from kitumaija.server.goal import LOOKS, Goal
from kitumaija.server.rating.fit import POINTS
from kitumaija.server.rating.fit.boundaries import boundaries
from kitumaija.server.rating.fit.choosing import choose_tables
from kitumaija.server.rating.fit.comparisons import Comparisons, Floats, Indices
from kitumaija.server.rating.fit.settling import settled_by
from tests.support.simulated import WORLDS, compare, draw_tables

GOAL = Goal(3, 0.95)
SPREAD = 200
"""The standard deviation of the bots' strengths, in points."""

BATCHES_A_LOOK = 2
"""How often tables are chosen from a look to the next."""

_BOUNDS = boundaries([look / LOOKS for look in range(1, LOOKS + 1)], (1 - GOAL.level) / 2)


@dataclass(frozen=True)
class Race:
    """Tournaments of `entrants` at tables of `seats`, with a budget of so many `rounds` of all.

    The third best is `gap` points better than the fourth; the others are as they are drawn.
    """

    entrants: int
    seats: int
    rounds: int
    gap: int
    tournaments: int

    @property
    def name(self) -> str:
        """What the row is called, and its seed."""
        return f"{self.entrants}/{self.seats}/{self.rounds} gap {self.gap}"

    @property
    def sets(self) -> int:
        """The budget."""
        return self.rounds * self.entrants // self.seats

    def strengths(self, rng: np.random.Generator) -> Floats:
        """The strengths of one tournament's bots."""
        drawn = np.sort(rng.standard_normal(self.entrants))[::-1] * SPREAD
        drawn[: GOAL.first] += drawn[GOAL.first] + self.gap - drawn[GOAL.first - 1]
        return rng.permutation(drawn) / POINTS


RACES = (
    Race(6, 3, 120, 80, 200),
    Race(6, 3, 120, 1, 400),
    Race(20, 4, 120, 80, 100),
    Race(20, 4, 120, 1, 200),
    Race(60, 4, 120, 80, 40),
    Race(60, 4, 60, 1, 160),
)


def measure_race(race: Race) -> dict[str, Any]:
    """Play so many tournaments both ways: the share of the budget played, the settled, the wrong.

    Each is a pair, uniform and adaptive; `needed` is what share of the uniform matches the adaptive
    need, with its bounds.
    """
    played: list[list[float]] = []
    settled, wrong = np.zeros(2), np.zeros(2)
    for number in range(race.tournaments):
        skills = race.strengths(_generator(f"{race.name}/{number}"))
        played.append([])
        for way, adaptive in enumerate((False, True)):
            rng = _generator(f"{race.name}/{number}/{way}")
            share, right = _until_settled(race, skills, rng, adaptive=adaptive)
            played[-1].append(share)
            settled[way] += right is not None
            wrong[way] += right is False
    shares = np.array(played)
    return {
        "tournaments": race.tournaments,
        "played": shares.mean(axis=0).tolist(),
        "needed": _ratio(shares, _generator(race.name)),
        "settled": (settled / race.tournaments).tolist(),
        "wrong": (wrong / race.tournaments).tolist(),
    }


def _until_settled(
    race: Race, skills: Floats, rng: np.random.Generator, *, adaptive: bool
) -> tuple[float, bool | None]:
    """Play a tournament; return the share of the budget, and if it was settled, whether rightly."""
    bots = [f"bot-{bot:02}" for bot in range(race.entrants)]
    best = {bots[bot] for bot in np.argsort(-skills)[: GOAL.first]}
    steps = LOOKS * BATCHES_A_LOOK
    uniform = draw_tables(rng, race.entrants, seats=race.seats, rounds=race.rounds)
    tables = np.empty((0, race.seats), dtype=np.int64)
    scores = np.empty((0, race.seats, race.seats))
    said = compare(tables, scores, bots=race.entrants)
    for step in range(1, steps + 1):
        until = race.sets * step // steps
        more = uniform[len(tables) : until]
        if adaptive:
            count = until - len(tables)
            more = _chosen(said, bots, race.seats, tables=count, seed=skills.tobytes()[:32])
        tables = np.concatenate([tables, more])
        luck = WORLDS["luce"].scores(rng, skills[more][:, None, :], race.seats)
        scores = np.concatenate([scores, luck])
        look, between = divmod(step, BATCHES_A_LOOK)
        if between and not adaptive:
            continue
        said = compare(tables, scores, bots=race.entrants)
        if not between:
            found = settled_by(said, GOAL, bound=_BOUNDS[look - 1], contenders=bots)
            if found is not None:
                return until / race.sets, set(found) == best
    return 1.0, None


def _chosen(said: Comparisons, bots: list[str], seats: int, *, tables: int, seed: bytes) -> Indices:
    chosen = choose_tables(said, GOAL, contenders=bots, table_size=seats, tables=tables, seed=seed)
    return np.array([[bots.index(bot) for bot in table] for table in chosen])


def _ratio(shares: Floats, rng: np.random.Generator) -> list[float]:
    """What share of the uniform matches the adaptive need, with a bootstrap's 95 % bounds."""
    picked = rng.integers(len(shares), size=(2_000, len(shares)))
    sums = shares[picked].sum(axis=1)
    bounds = np.quantile(sums[:, 1] / sums[:, 0], [0.025, 0.975]).tolist()
    total = shares.sum(axis=0)
    return [float(total[1] / total[0]), *bounds]


def _generator(name: str) -> np.random.Generator:
    digest = hashlib.sha256(name.encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "little")))
