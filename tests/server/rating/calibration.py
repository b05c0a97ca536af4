"""How often the fit is right about bots whose strength is known: the rows of the tables.

Each row is some thousand simulated tournaments with a seed of its own, so that rows can be played
one by one, in any order, and come out the same. `tests/server/rating/make_calibration.py` plays
them and writes them down.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from kitumaija.server.rating import rebuild
from kitumaija.server.rating.fit import POINTS
from kitumaija.server.rating.fit.beliefs import Beliefs, believe
from kitumaija.server.rating.fit.comparisons import Comparisons, Floats
from kitumaija.server.rating.fit.model import strengths
from kitumaija.server.rating.fit.resampling import replicates
from kitumaija.server.rating.fit.widening import support
from tests.support.cores import by_number
from tests.support.placed import round_robin
from tests.support.simulated import WORLDS, Simulated, simulate

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
        rng = generator(f"{self.name}/{number}")
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


def measure(row: Row, tournaments: int, *, jobs: int = 1) -> dict[str, Any]:
    """Play so many tournaments of a row, and say how often the fit was right."""
    return measure_tournaments(row.name, row.tournament, tournaments, jobs=jobs)


def measure_tournaments(
    name: str, tournament: Callable[[int], Simulated], count: int, *, jobs: int = 1
) -> dict[str, Any]:
    """Say how often the fit was right about so many tournaments, by number."""
    seen = by_number(partial(_held, name, tournament), count, jobs=jobs)
    covered = np.array([one.covered for one in seen])
    wrong = np.array([one.wrong for one in seen], dtype=float)
    claims, came_true = np.sum([one.bins for one in seen], axis=0)
    return {
        "tournaments": count,
        "coverage": float(covered.mean()),
        "coverage_error": standard_error(covered),
        "half_width": float(np.mean([one.half_width for one in seen])),
        "wrong_verdict": float(wrong.mean()),
        "wrong_verdict_error": standard_error(wrong),
        "ranks_hold": float(np.mean([one.ranks_hold for one in seen])),
        "chances": claims.astype(int).tolist(),
        "came_true": came_true.astype(int).tolist(),
    }


@dataclass(frozen=True, eq=False)
class _Held:
    """How the fit fared in one tournament.

    `covered` is the share of the bots whose interval held the truth, `half_width` is in points.
    `bins` counts the pairs by the chance that was said, and of them those of which it came true.
    """

    covered: float
    half_width: float
    wrong: bool
    ranks_hold: bool
    bins: Floats


def _held(name: str, tournament: Callable[[int], Simulated], number: int) -> _Held:
    played = tournament(number)
    found = _beliefs(played, seed=f"{name}/{number}".encode())
    gaps = np.subtract.outer(played.truth, played.truth)
    return _Held(
        covered=float(np.mean((found.low <= played.truth) & (played.truth <= found.high))),
        half_width=float(np.mean(found.high - found.low)) / 2 * POINTS,
        wrong=bool((found.apart & (gaps <= 0)).any()),
        ranks_hold=_ranks_hold(found, played.truth),
        bins=_in_bins(found.above, gaps),
    )


ORDERS = "orders"
"""The name of the figures of `measure_orders`."""


def measure_orders(results: int = 2000, orders: int = 50) -> dict[str, Any]:
    """Rate the same results in many orders, officially and by the fit; say how far they differ.

    `spread` is the standard deviation of a bot's official mu over the orders, the mean of all bots,
    and `together` that of their mean, by which they all move alike.
    """
    bots = [f"bot-{bot}" for bot in range(8)]
    played = round_robin(bots, 2, rounds=results // 56 + 1, seed=ORDERS)[:results]
    rng = generator(ORDERS)
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


def _in_bins(above: Floats, gaps: Floats) -> Floats:
    """Count the pairs by the chance that one is stronger, and those of them of which it is."""
    one, other = np.triu_indices(len(above), 1)
    chances, real = above[one, other], gaps[one, other]
    forward = chances >= 0.5
    chances = np.where(forward, chances, 1 - chances)
    real = np.where(forward, real, -real)
    unequal = real != 0
    bins = np.searchsorted(BINS, chances[unequal], side="right") - 1
    count = len(BINS) - 1
    found = np.zeros((2, count))
    found[0] = np.bincount(bins, minlength=count)
    found[1] = np.bincount(bins, weights=real[unequal] > 0, minlength=count)
    return found


def generator(name: str) -> np.random.Generator:
    """Numbers by chance that follow from a name."""
    digest = hashlib.sha256(name.encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "little")))


def standard_error(values: Floats) -> float:
    """The standard error of a mean."""
    return float(values.std(ddof=1) / len(values) ** 0.5)
