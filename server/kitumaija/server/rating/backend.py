"""The one place that calls the trueskill package, with arithmetic of our own choosing.

The package's own normal distribution is off by up to 1e-6, and with a draw probability near 0 it
raises a sigma at a tie. So it is given the standard library's, which is exact to 1e-12. Where the
ratings lie so far apart that a double holds no such probability, mpmath computes it with 60 digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import Any

import mpmath
import trueskill

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
DRAW_PROBABILITY = 0.10
DIGITS = 60

_NORMAL = NormalDist()
_Function = Callable[[Any], Any]


class NotComputable(ArithmeticError):
    """The ratings lie too far apart for any arithmetic at hand; they are to be left as they are."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a skill: its mean and its standard deviation."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def score(self) -> float:
        """The skill that is exceeded almost surely: mu − 3 sigma."""
        return self.mu - 3 * self.sigma


def rate(
    ratings: Sequence[Rating],
    ranks: Sequence[int],
    *,
    tau: float,
    draw_probability: float = DRAW_PROBABILITY,
) -> tuple[Rating, ...]:
    """Rate one free-for-all by the package alone; a lower rank is better, equal ranks are ties.

    The outcome depends a little on the order in which tied players are given. Raises NotComputable
    where even 60 digits do not do.
    """
    groups = [(trueskill.Rating(rating.mu, rating.sigma),) for rating in ratings]
    for environment in (_quick, _patient):
        try:
            rated = environment(tau, draw_probability).rate(groups, ranks=list(ranks))
            found = tuple(Rating(float(group[0].mu), float(group[0].sigma)) for group in rated)
        except (ArithmeticError, ValueError):
            # Besides FloatingPointError, which it announces, the package lets through whatever
            # a division by an underflow or a square root of its leftovers gives.
            continue
        if all(math.isfinite(rating.mu) and rating.sigma > 0 for rating in found):
            return found
    raise NotComputable(f"no update can be computed from {list(ratings)} with ranks {list(ranks)}")


@cache
def _quick(tau: float, draw_probability: float) -> trueskill.TrueSkill:
    return _environment(tau, draw_probability, (_cdf, _NORMAL.pdf, _NORMAL.inv_cdf))


@cache
def _patient(tau: float, draw_probability: float) -> trueskill.TrueSkill:
    # A context of its own: the global one's precision is anybody's to change.
    context: Any = mpmath.MPContext()
    context.dps = DIGITS
    functions = (context.ncdf, context.npdf, _NORMAL.inv_cdf)
    return _environment(tau, draw_probability, functions)


def _environment(
    tau: float, draw_probability: float, functions: tuple[_Function, _Function, _Function]
) -> trueskill.TrueSkill:
    return trueskill.TrueSkill(
        mu=MU,
        sigma=SIGMA,
        beta=BETA,
        tau=tau,
        draw_probability=draw_probability,
        backend=functions,
    )


def _cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))
