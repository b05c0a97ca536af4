"""`top 3 settled at 95 %`: whether a tournament has shown its best, however often one looks.

The looks are planned (`goal.looks`), LOOKS of them, spread evenly over the schedule. At each, the
best so far are settled if every one of them is stronger than every other bot by more than the
boundary of that look (`boundaries`). That compares pairs at the two-sided level of the whole, with
no more correction for there being many bots: Hung and Fithian (2019) prove it for the winner and
the ranks after it, Goldwasser, Fithian and Hooker (2025) discuss a set of winners. The error rate
was measured besides: `server/docs/calibration.md`.

A verdict follows from the results up to its look and nothing else: whoever has the results can find
it again.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from statistics import NormalDist

import numpy as np

from kitumaija.server.goal import Goal, Settled, looks
from kitumaija.server.rating.fit.boundaries import boundaries
from kitumaija.server.rating.fit.comparisons import Comparisons, Floats, set_ends
from kitumaija.server.rating.fit.exact import inverse, product, scatter
from kitumaija.server.rating.fit.model import PRECISION, curvature, strengths, surplus
from kitumaija.server.rating.fit.student import quantile
from kitumaija.server.rating.fit.widening import Support, support
from kitumaija.server.rating.results import RatedResult

_NORMAL = NormalDist()


def when_settled(
    results: Collection[RatedResult],
    goal: Goal,
    *,
    planned: int,
    settled: int,
    contenders: Collection[str],
    table_size: int,
    known: int = 0,
) -> Settled | None:
    """Find the first planned look at which the goal was reached, if there was one.

    `results` are those of the first `settled` numbers of a schedule of `planned`, `contenders` the
    bots that can be among the best: a bot that was withdrawn is not. Only whole sets count:
    where a schedule is too short for any table to go through its rotations, nothing is settled.
    Of the looks after `known` numbers and less it is known already that they settle nothing.
    """
    if not any(known < numbers <= settled for numbers in looks(planned)):
        return None
    ends = set_ends(results)
    looked: list[tuple[int, float]] = []
    for numbers in looks(planned):
        if numbers > settled:
            break
        share = min(1.0, bisect_left(ends, numbers) * table_size / planned)
        # A look without a new set shows nothing new, and spends nothing.
        if share > (looked[-1][1] if looked else 0):
            looked.append((numbers, share))
    bounds = boundaries([share for _, share in looked], (1 - goal.level) / 2)
    for (numbers, _), bound in zip(looked, bounds, strict=True):
        if numbers <= known:
            continue
        so_far = Comparisons.of((one for one in results if one.number < numbers), whole=True)
        best = settled_by(so_far, goal, bound=bound, contenders=contenders)
        if best is not None:
            return Settled(looks(planned).index(numbers) + 1, numbers, best)
    return None


def settled_by(
    comparisons: Comparisons, goal: Goal, *, bound: float, contenders: Collection[str]
) -> tuple[str, ...] | None:
    """The best bots, if these comparisons settle who they are at this boundary."""
    if not set(contenders) <= set(comparisons.bots) or goal.first >= len(set(contenders)):
        return None
    fitted = strengths(comparisons)
    order = sorted(
        (bot for bot, name in enumerate(comparisons.bots) if name in set(contenders)),
        key=lambda bot: -fitted[bot],
    )
    spread = deviations(comparisons, fitted)
    pairs = list(to_compare(order, goal))
    # What is too near for the normal distribution is so for Student's: that is seen sooner.
    if not all(fitted[a] - fitted[b] > bound * spread[a, b] for a, b in pairs):
        return None
    rests_on = support(comparisons, fitted)
    if not all(
        fitted[a] - fitted[b] > spread[a, b] * _least(rests_on, (a, b), bound) for a, b in pairs
    ):
        return None
    best = [comparisons.bots[bot] for bot in order[: goal.first]]
    return tuple(best if goal.in_order else sorted(best, key=str.encode))


def deviations(comparisons: Comparisons, fitted: Floats) -> Floats:
    """The standard errors of all differences, as (bots, bots): the sandwich over sets.

    It is what the scatter of the replicates tends to, without their noise: Liang and Zeger (1986).
    The prior has its part, so that nobody who never lost is beyond doubt.
    """
    scattered = scatter(comparisons, surplus(comparisons, fitted))
    scattered[np.diag_indices(len(fitted))] += PRECISION
    spread = inverse(curvature(comparisons, fitted))
    covariance = product(product(spread, scattered), spread)
    variances = np.diag(covariance)
    squares = variances[:, None] + variances[None, :] - 2 * covariance
    found: Floats = np.sqrt(np.maximum(squares, 0))
    return found


def to_compare(order: Sequence[int], goal: Goal) -> Iterator[tuple[int, int]]:
    """The pairs that have to be apart, the first of each the stronger."""
    for place in range(goal.first):
        start = place + 1 if goal.in_order else goal.first
        for below in range(start, len(order)):
            yield order[place], order[below]


def _least(rests_on: Support, pair: tuple[int, int], bound: float) -> float:
    """By how many standard errors a pair is apart: the boundary, by Student's distribution."""
    freedom = int(min(rests_on.freedom[list(pair)]))
    if not freedom:
        return math.inf
    return float(max(rests_on.scale[list(pair)])) * quantile(_NORMAL.cdf(-bound), freedom)
