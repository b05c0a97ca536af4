"""The strengths that explain the comparisons best: Bradley and Terry's model with a prior.

Bot a comes in before bot b with the probability 1 / (1 + exp(b's strength − a's)); a shared place
is half a win for each. A table of k is read as its k (k − 1) / 2 pairs. `server/docs/ratings.md`
says why this model, and where it comes from.

The prior is a normal distribution of each strength about 0: a bot that was never beaten is given
the strength at which so many wins are no surprise, and not an infinite one. With it there is
always exactly one answer.

The strengths themselves, and what is computed of them alone, are the same to the last bit on every
machine (`exact`). Those of the replicates, many problems at once, are a library's to solve.
"""

from __future__ import annotations

import math

import numpy as np

from kitumaija.server.rating.fit.comparisons import Comparisons, Floats
from kitumaija.server.rating.fit.exact import exponential, solved, total

PRIOR_DEVIATION = 2.0
"""The standard deviation of the prior, as the logarithm of odds."""

POINTS = 400 / math.log(10)
"""Points of the published scale to a unit of the logarithm of odds, as in Elo's."""

PRECISION = PRIOR_DEVIATION**-2
"""The information that the prior has about each strength."""

_STEPS_MAX = 200
_LONGEST_STEP = 2.0
_CLOSE = 1e-11


class DoesNotConverge(ArithmeticError):
    """The strengths could not be computed; no results are known that bring this about."""


def strengths(comparisons: Comparisons) -> Floats:
    """The strengths of all bots about their mean, as logarithms of odds, by `comparisons.bots`.

    Raises DoesNotConverge.
    """
    bots = len(comparisons.bots)
    met, before = comparisons.totals(np.ones(comparisons.sets))
    a, b = comparisons.pairs.T
    found = np.zeros(bots)
    for _ in range(_STEPS_MAX):
        chance = chances(comparisons, found)
        surplus = before - met * chance
        pull = -found * PRECISION
        pull += np.bincount(a, surplus, minlength=bots)
        pull -= np.bincount(b, surplus, minlength=bots)
        step = solved(curvature(comparisons, found), pull)
        longest = float(np.abs(step).max(initial=0.0))
        # Far from the answer the curvature misleads: then the step is shortened, not turned.
        found += step * min(1, _LONGEST_STEP / max(longest, _LONGEST_STEP))
        if longest <= _CLOSE:
            centred: Floats = found - total(found) / max(1, bots)
            return centred
    raise DoesNotConverge(f"the strengths are not found after {_STEPS_MAX} steps")


def solve(
    comparisons: Comparisons,
    met: Floats,
    before: Floats,
    centres: Floats,
    start: Floats,
    *,
    close: float,
) -> Floats:
    """Solve many problems over the same pairs at once, by Newton's method.

    `met` and `before` are (problems, pairs), the prior's `centres` and where to `start`
    (problems, bots). The strengths come back as (problems, bots), each row about its mean, exact to
    about the square of `close`. Raises DoesNotConverge.
    """
    found = start.copy()
    if not found.size:
        return found
    a, b = comparisons.pairs.T
    open_ones = np.arange(len(found))
    for _ in range(_STEPS_MAX):
        now = found[open_ones]
        chance = 1 / (1 + np.exp(now[:, b] - now[:, a]))
        pull = (centres[open_ones] - now) * PRECISION
        surplus = before[open_ones] - met[open_ones] * chance
        pull += _by_bot(surplus, a, now.shape) - _by_bot(surplus, b, now.shape)
        step = np.linalg.solve(
            _curvature(met[open_ones] * chance * (1 - chance), a, b, now.shape[1]), pull[..., None]
        )[..., 0]
        longest = np.abs(step).max(axis=1, initial=0.0)
        step *= np.minimum(1, _LONGEST_STEP / np.maximum(longest, _LONGEST_STEP))[:, None]
        found[open_ones] += step
        open_ones = open_ones[longest > close]
        if not len(open_ones):
            centred: Floats = found - found.mean(axis=1, keepdims=True)
            return centred
    raise DoesNotConverge(f"{len(open_ones)} problems are not solved after {_STEPS_MAX} steps")


def curvature(comparisons: Comparisons, at: Floats) -> Floats:
    """The information about the strengths at `at`, prior and all, as (bots, bots)."""
    met, _ = comparisons.totals(np.ones(comparisons.sets))
    a, b = comparisons.pairs.T
    chance = chances(comparisons, at)
    weights, bots = met * chance * (1 - chance), len(at)
    found = np.zeros((bots, bots))
    found[a, b] = found[b, a] = -weights
    own = np.bincount(a, weights, minlength=bots) + np.bincount(b, weights, minlength=bots)
    found[np.diag_indices(bots)] = PRECISION + own
    return found


def chances(comparisons: Comparisons, at: Floats) -> Floats:
    """How likely the first of each pair comes in before the second, with the strengths `at`."""
    a, b = comparisons.pairs.T
    chance: Floats = 1 / (1 + exponential(at[b] - at[a]))
    return chance


def surplus(comparisons: Comparisons, at: Floats) -> Floats:
    """By how much a came in before b more often than the strengths `at` say, by entry."""
    found: Floats = (
        comparisons.before - comparisons.met * chances(comparisons, at)[comparisons.of_pair]
    )
    return found


def _curvature(weights: Floats, a: np.ndarray, b: np.ndarray, bots: int) -> Floats:
    matrix = np.zeros((len(weights), bots, bots))
    matrix[:, a, b] = -weights
    matrix[:, b, a] = -weights
    diagonal = np.arange(bots)
    matrix[:, diagonal, diagonal] = PRECISION - matrix.sum(axis=2)
    return matrix


def _by_bot(values: Floats, of: np.ndarray, shape: tuple[int, ...]) -> Floats:
    """Sum what belongs to a bot: (problems, pairs) with a bot a pair give (problems, bots)."""
    problems, bots = shape
    flat = (np.arange(problems)[:, None] * bots + of).ravel()
    sums = np.bincount(flat, weights=values.ravel(), minlength=problems * bots)
    return sums.reshape(shape).astype(float, copy=False)
