"""How often the fit is right about bots whose strength is known: the rows of the tables.

Each row is some thousand simulated tournaments with a seed of its own, so that rows can be played
one by one, in any order, and come out the same. `tests/server/rating/make_calibration.py` plays
them and writes them down.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kitumaija.server.rating import rebuild
from kitumaija.server.rating.fit import POINTS
from kitumaija.server.rating.fit.beliefs import Beliefs, believe
from kitumaija.server.rating.fit.boundaries import boundaries
from kitumaija.server.rating.fit.comparisons import Comparisons, Floats
from kitumaija.server.rating.fit.model import strengths
from kitumaija.server.rating.fit.resampling import replicates
from kitumaija.server.rating.fit.settling import LOOKS, Goal, settled_by
from kitumaija.server.rating.fit.widening import support
from tests.support.placed import round_robin
from tests.support.simulated import WORLDS, Simulated, compare, draw_tables, simulate

REPLICATES = 400
"""Fewer than the command draws; the noise of the few makes intervals cover a little less."""

USUAL_SPREAD = 120
"""Of the bots' strengths, in points: they differ, and few matches do not show how."""

BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
"""The bounds between which chances to be stronger are looked at together."""


@dataclass(frozen=True)
class Row:
    """Tournaments of one kind; `spread` is the standard deviation of the strengths, in points."""

    world: str
    entrants: int
    seats: int
    rounds: int
    spread: int = USUAL_SPREAD

    @property
    def name(self) -> str:
        """What the row is called, and its seed."""
        return f"{self.world} {self.entrants}/{self.seats}/{self.rounds}/{self.spread}"

    def tournament(self, number: int) -> Simulated:
        """Play one of them."""
        rng = _generator(f"{self.name}/{number}")
        drawn = rng.standard_normal(self.entrants) * self.spread / POINTS
        return simulate(rng, WORLDS[self.world], drawn, seats=self.seats, rounds=self.rounds)


ROWS = (
    Row("luce", 6, 2, 20),
    Row("luce", 6, 3, 10),
    Row("bell", 6, 3, 10),
    Row("moods", 6, 3, 10),
    Row("luce", 20, 4, 10),
    Row("moods", 20, 4, 10),
    Row("luce", 20, 4, 10, spread=0),
    Row("luce", 60, 4, 10),
)


def measure(row: Row, tournaments: int) -> dict[str, Any]:
    """Play so many tournaments of a row, and say how often the fit was right."""
    covered, widths, wrong, ranked = [], [], [], []
    seen = np.zeros((2, len(BINS) - 1))
    for number in range(tournaments):
        played = row.tournament(number)
        found = _beliefs(played, seed=f"{row.name}/{number}".encode())
        covered.append(np.mean((found.low <= played.truth) & (played.truth <= found.high)))
        widths.append(np.mean(found.high - found.low) / 2 * POINTS)
        gaps = np.subtract.outer(played.truth, played.truth)
        wrong.append(bool((found.apart & (gaps <= 0)).any()))
        ranked.append(_ranks_hold(found, played.truth))
        _sort_into_bins(found.above, gaps, seen)
    claims, came_true = seen
    return {
        "tournaments": tournaments,
        "coverage": float(np.mean(covered)),
        "coverage_error": _standard_error(np.array(covered)),
        "half_width": float(np.mean(widths)),
        "wrong_verdict": float(np.mean(wrong)),
        "wrong_verdict_error": _standard_error(np.array(wrong, dtype=float)),
        "ranks_hold": float(np.mean(ranked)),
        "chances": claims.astype(int).tolist(),
        "came_true": came_true.astype(int).tolist(),
    }


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


def measure_stops(row: Stops, tournaments: int) -> dict[str, Any]:
    """Look at so many tournaments of a row LOOKS times each, and stop where the goal is reached."""
    goal = Goal(row.first, 0.95, row.in_order)
    shares = [look / LOOKS for look in range(1, LOOKS + 1)]
    bounds = boundaries(shares, (1 - goal.level) / 2)
    bots = [f"bot-{bot:02}" for bot in range(row.entrants)]
    a_round = row.entrants // row.seats
    stopped, wrong = [], []
    for number in range(tournaments):
        rng = _generator(f"{row.name}/{number}")
        skills = row.strengths(rng)
        tables = draw_tables(rng, row.entrants, seats=row.seats, rounds=row.rounds)
        scores = WORLDS["luce"].scores(rng, skills[tables][:, None, :], row.seats)
        best = [bots[bot] for bot in np.argsort(-skills)[: row.first]]
        found, played = None, 1.0
        for share, bound in zip(shares, bounds, strict=True):
            sets = round(row.rounds * share) * a_round
            so_far = compare(tables[:sets], scores[:sets], bots=row.entrants)
            found = settled_by(so_far, goal, bound=bound, contenders=bots)
            if found is not None:
                played = share
                break
        stopped.append(played)
        right = found == (tuple(best) if row.in_order else tuple(sorted(best)))
        wrong.append(found is not None and not right)
    return {
        "tournaments": tournaments,
        "settled": float(np.mean([share < 1 for share in stopped])),
        "played": float(np.mean(stopped)),
        "wrong": float(np.mean(wrong)),
        "wrong_error": _standard_error(np.array(wrong, dtype=float)),
    }


ORDERS = "orders"
"""The name of the figures of `measure_orders`."""


def measure_orders(results: int = 2000, orders: int = 50) -> dict[str, Any]:
    """Rate the same results in many orders, officially and by the fit; say how far they differ.

    `spread` is the standard deviation of a bot's official mu over the orders, the mean of all bots,
    and `together` that of their mean, by which they all move alike.
    """
    bots = [f"bot-{bot}" for bot in range(8)]
    played = round_robin(bots, 2, rounds=results // 56 + 1, seed=ORDERS)[:results]
    rng = _generator(ORDERS)
    means, official, fitted = [], set(), set()
    for _ in range(orders):
        order = rng.permutation(results).tolist()
        renumbered = [replace(played[of], number=number) for number, of in enumerate(order)]
        table = rebuild(bots, renumbered)
        means.append([table.entries[bot].rating.mu for bot in bots])
        official.add(tuple(row.bot_id for row in table.ranking()))
        fitted.add(tuple(strengths(Comparisons.of(renumbered)).tolist()))
    mu = np.array(means)
    return {
        "results": results,
        "orders": orders,
        "spread": float(mu.std(axis=0).mean()),
        "together": float(mu.mean(axis=1).std()),
        "official_orders": len(official),
        "fits": len(fitted),
    }


def _beliefs(played: Simulated, *, seed: bytes) -> Beliefs:
    fitted = strengths(played.comparisons)
    drawn = replicates(played.comparisons, fitted, seed=seed, count=REPLICATES)
    return believe(fitted, drawn, support(played.comparisons, fitted))


def _ranks_hold(found: Beliefs, truth: Floats) -> bool:
    """Whether every bot's true rank is within its bounds; equals may have any rank of theirs."""
    stronger = (truth[None, :] > truth[:, None]).sum(axis=1)
    as_strong = (truth[None, :] >= truth[:, None]).sum(axis=1)
    return all(
        best <= last and first + 1 <= worst
        for (best, worst), first, last in zip(
            found.ranks, stronger.tolist(), as_strong.tolist(), strict=True
        )
    )


def _sort_into_bins(above: Floats, gaps: Floats, seen: Floats) -> None:
    """Count each pair in the bin of the chance that one is stronger, and whether it is."""
    one, other = np.triu_indices(len(above), 1)
    chances, real = above[one, other], gaps[one, other]
    forward = chances >= 0.5
    chances = np.where(forward, chances, 1 - chances)
    real = np.where(forward, real, -real)
    unequal = real != 0
    bins = np.searchsorted(BINS, chances[unequal], side="right") - 1
    seen[0] += np.bincount(bins, minlength=len(BINS) - 1)
    seen[1] += np.bincount(bins, weights=real[unequal] > 0, minlength=len(BINS) - 1)


def _generator(name: str) -> np.random.Generator:
    digest = hashlib.sha256(name.encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "little")))


def _standard_error(values: Floats) -> float:
    return float(values.std(ddof=1) / len(values) ** 0.5)
