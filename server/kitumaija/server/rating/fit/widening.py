"""How much there is to see a strength's scatter by, and how far to widen what was seen.

Replicates scatter too little, for two reasons. Each set pulls the fit towards itself, and so looks
less surprising than it was: by its leverage, as in the jackknife over clusters (Bell and McCaffrey,
2002; MacKinnon, Nielsen and Webb, 2023). And a scatter that is seen in few sets may be small by
chance: hence Student's distribution, with Satterthwaite's degrees of freedom, which count the sets
that bear on the bot as if they bore alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kitumaija.server.rating.fit.comparisons import Comparisons, Floats, Indices
from kitumaija.server.rating.fit.exact import inverse, total
from kitumaija.server.rating.fit.model import PRECISION, chances, curvature
from kitumaija.server.rating.fit.student import quantile

_HIGHEST_LEVERAGE = 0.9
"""A set that decides more than this of a strength leaves nothing to see a scatter by."""

_FEWEST_SETS = 2


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """What the scatter of each bot's strength is seen by.

    `scale` undoes the pull of the sets; `freedom` are degrees of freedom, 0 where nothing can be
    said.
    """

    scale: Floats
    freedom: Indices

    def widening(self, tail: float, normal: float) -> Floats:
        """The factor for what has `tail` beyond it, where the normal distribution has `normal`.

        Infinite where nothing can be said.
        """
        return np.array(
            [
                scale * quantile(tail, freedom) / normal if freedom else math.inf
                for scale, freedom in zip(self.scale.tolist(), self.freedom.tolist(), strict=True)
            ]
        )


def support(comparisons: Comparisons, fitted: Floats) -> Support:
    """Find out what the `fitted` strength of each bot rests on."""
    bots = len(fitted)
    chance = chances(comparisons, fitted)
    weights = comparisons.met * (chance * (1 - chance))[comparisons.of_pair]
    a, b = comparisons.pairs[comparisons.of_pair].T
    spread = inverse(curvature(comparisons, fitted))
    # The share of a bot's strength that its sets decide; a set of k tells of k − 1 differences.
    seats = comparisons.bots_in[comparisons.of_set]
    pull = weights * seats / (seats - 1)
    own = np.diag(spread)
    decided = np.bincount(a, pull * (own[a] - spread[a, b]), minlength=bots)
    decided += np.bincount(b, pull * (own[b] - spread[a, b]), minlength=bots)
    leverage = np.minimum(decided / comparisons.sets_of, _HIGHEST_LEVERAGE)
    about_mean = spread - total(spread) / bots
    by_prior = PRECISION * total(about_mean * about_mean, axis=1)
    freedom = np.zeros(bots, dtype=np.int64)
    for bot in range(bots):
        apart = about_mean[bot, a] - about_mean[bot, b]
        sums = np.bincount(comparisons.of_set, weights * apart * apart, comparisons.sets)
        by_set: Floats = sums.astype(float, copy=False)
        bearing = total(by_set) + by_prior[bot]
        alike = bearing * bearing / total(by_set * by_set)
        freedom[bot] = max(1, int(alike) - 1)
    return Support(
        scale=1 / (1 - leverage),
        freedom=np.where(comparisons.sets_of < _FEWEST_SETS, 0, freedom),
    )
