"""`top 3 settled at 95 %`: whether a tournament has shown its best, however often one looks.

The looks are planned: LOOKS of them, spread evenly over the schedule. At each, the best so far are
settled if every one of them is stronger than every other bot by more than the boundary of that
look (`boundaries`). That compares pairs at the two-sided level of the whole, with no more
correction for there being many bots: Hung and Fithian (2019) prove it for the winner and the ranks
after it, Goldwasser, Fithian and Hooker (2025) discuss a set of winners. The error rate was
measured besides: `server/docs/calibration.md`.

A verdict follows from the results up to its look and nothing else: whoever has the results can find
it again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from kitumaija.server.rating.fit.boundaries import boundaries
from kitumaija.server.rating.fit.comparisons import Comparisons, Floats
from kitumaija.server.rating.fit.model import PRECISION, curvature, strengths, surplus
from kitumaija.server.rating.fit.student import quantile
from kitumaija.server.rating.fit.widening import Support, support
from kitumaija.server.rating.results import RatedResult

LOOKS = 20

_GOAL = re.compile(r"(order of )?top (\d+) settled at (\d+(?:\.\d+)?) ?%")
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Goal:
    """To know the `first` best bots, with the error rate 1 − level; `in_order`, and their order."""

    first: int
    level: float
    in_order: bool = False

    @classmethod
    def of(cls, text: str) -> Goal:
        """Read `top 3 settled at 95 %` or `order of top 3 settled at 95 %`; raises ValueError."""
        found = _GOAL.fullmatch(" ".join(text.split()))
        wanted = "wanted such as 'top 3 settled at 95 %' or 'order of top 3 settled at 95 %'"
        if found is None:
            raise ValueError(f"got the goal {text!r}; {wanted}")
        first, level = int(found[2]), float(found[3]) / 100
        if first < 1 or not 0.5 <= level < 1:
            raise ValueError(
                f"got the goal {text!r}; {wanted}, of the top 1 or more, at 50 % to under 100 %"
            )
        return cls(first, level, in_order=found[1] is not None)


@dataclass(frozen=True, slots=True)
class Settled:
    """The goal was reached at look number `look`, from 1, after `matches` numbers of the schedule.

    `best` are the bots, the strongest first; in the order of their ids where the order is not
    settled.
    """

    look: int
    matches: int
    best: tuple[str, ...]


def looks(planned: int) -> tuple[int, ...]:
    """After how many numbers of a schedule of `planned` to look, each after more than the last."""
    return tuple(sorted({math.ceil(planned * look / LOOKS) for look in range(1, LOOKS + 1)} - {0}))


def when_settled(
    results: Collection[RatedResult],
    goal: Goal,
    *,
    planned: int,
    settled: int,
    contenders: Collection[str],
    table_size: int,
) -> Settled | None:
    """Find the first planned look at which the goal was reached, if there was one.

    `results` are those of the first `settled` numbers of a schedule of `planned`, `contenders` the
    bots that can be among the best: a bot that was withdrawn is not. Only whole sets count:
    where a schedule is too short for any table to go through its rotations, nothing is settled.
    """
    looked: list[tuple[int, float, Comparisons]] = []
    for numbers in looks(planned):
        if numbers > settled:
            break
        so_far = [result for result in results if result.number < numbers]
        comparisons = Comparisons.of(so_far, whole=True)
        share = min(1.0, comparisons.sets * table_size / planned)
        # A look without a new set shows nothing new, and spends nothing.
        if comparisons.sets and (not looked or share > looked[-1][1]):
            looked.append((numbers, share, comparisons))
    if not looked:
        return None
    bounds = boundaries([share for _, share, _ in looked], (1 - goal.level) / 2)
    for (numbers, _, comparisons), bound in zip(looked, bounds, strict=True):
        best = settled_by(comparisons, goal, bound=bound, contenders=contenders)
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
    inverse = np.linalg.inv(curvature(comparisons, fitted))
    moved = comparisons.by_bot(surplus(comparisons, fitted)) @ inverse
    covariance = moved.T @ moved + PRECISION * inverse @ inverse
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
