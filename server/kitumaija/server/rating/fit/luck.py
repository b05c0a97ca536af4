"""The luck of the cards taken out of comparisons: control variates by cross-fitting.

What the cards alone would have made of a set (`reference`) has a mean that is known, whoever
plays: no bot is favoured. So a multiple of it may be taken off what the set says, and what is left
says the same in the long run and scatters less (Lavenberg and Welch, 1981). The best multiple, the
*coefficient*, has to be estimated. If a set had a part in its own, the two would hang together, and
the mean would be moved; so the sets are dealt out to FOLDS parts, and the coefficient of each comes
from all others (Chernozhukov and others, 2018).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from kitumaija.server.rating.fit.comparisons import Comparisons, Floats, Indices
from kitumaija.server.rating.fit.model import solve, strengths, surplus

FOLDS = 10

_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Luck:
    """What the cards did.

    `coefficient` is how many places a match a bot gains for each place that the cards favour it by,
    the mean of the folds; `explained` the share of the scatter of the sets that goes with it, under
    0 where it grows. `favour` is how many places a match the cards favoured each bot by, in the
    `sets` of which that is known; bots without such a set are left out.
    """

    coefficient: float
    explained: float
    favour: dict[str, float]
    sets: int


def without_luck(comparisons: Comparisons) -> tuple[Comparisons, Luck]:
    """Take the luck of the cards out, as far as it is known; return what is left, and what it was.

    The comparisons have one set or more.
    """
    favours = comparisons.by_bot(comparisons.luck)
    known = comparisons.known
    fold = np.arange(comparisons.sets) % FOLDS
    coefficients = np.array(_coefficients(comparisons, favours, fold))[fold]
    left = replace(
        comparisons,
        before=comparisons.before - coefficients[comparisons.of_set] * comparisons.luck,
    )
    whole = comparisons.by_bot(surplus(comparisons, strengths(comparisons)))[known]
    rest = whole - (coefficients[:, None] * favours)[known]
    scatter = float((whole**2).sum())
    luck = Luck(
        coefficient=float(coefficients.mean()),
        explained=1 - float((rest**2).sum()) / scatter if scatter else 0.0,
        favour=dict(_a_match(comparisons, favours)),
        sets=int(known.sum()),
    )
    return left, luck


def _coefficients(comparisons: Comparisons, favours: Floats, fold: Indices) -> list[float]:
    """The coefficient of each fold, from the sets of all others: their least squares."""
    others = (fold[None, :] != np.arange(FOLDS)[:, None]).astype(float)
    met, before = comparisons.totals(others)
    start = np.zeros((FOLDS, len(comparisons.bots)))
    fitted = solve(comparisons, met, before, np.zeros_like(start), start, close=_CLOSE)
    found: list[float] = []
    for weights, at in zip(others, fitted, strict=True):
        gained = comparisons.by_bot(surplus(comparisons, at))
        squares = float(weights @ (favours**2).sum(axis=1))
        product = float(weights @ (favours * gained).sum(axis=1))
        found.append(product / squares if squares else 0.0)
    return found


def _a_match(comparisons: Comparisons, favours: Floats) -> Iterator[tuple[str, float]]:
    """Yield what the cards favoured each bot by, as places a match."""
    a, b = comparisons.pairs[comparisons.of_pair].T
    bots = len(comparisons.bots)
    # Each match of a set of k stands in the entries of k − 1 pairs of a bot.
    told = comparisons.known[comparisons.of_set]
    shares = comparisons.met * told / (comparisons.bots_in[comparisons.of_set] - 1)
    matches = np.bincount(a, shares, bots) + np.bincount(b, shares, bots)
    for bot, favour, count in zip(comparisons.bots, favours.sum(axis=0), matches, strict=True):
        if count:
            yield bot, float(favour / count)
