"""What may be believed of strengths, from replicates of them: intervals, chances, groups.

All of it is read off the scatter of the replicates about the fitted strengths, widened by what
`widening` says. For a difference of two bots, the one that is known less decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from kitumaija.server.rating.fit.comparisons import Floats
from kitumaija.server.rating.fit.widening import Support

LEVEL = 0.95
"""How sure an interval is, and how sure all that is said of the order is at once."""

_TAIL = (1 - LEVEL) / 2
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True, eq=False)
class Beliefs:
    """What is believed of the bots, in the order of the fit.

    `low` and `high` bound each strength, infinite where nothing can be said. `above[a, b]` is the
    chance that a is stronger than b, the diagonal one half. `apart[a, b]` is whether a is surely
    stronger: that no such verdict about any pair is wrong has the probability LEVEL.
    """

    low: Floats
    high: Floats
    above: Floats
    apart: NDArray[np.bool_]

    @property
    def ranks(self) -> list[tuple[int, int]]:
        """The best and the worst rank that each bot may have, sure all at once."""
        bots = len(self.low)
        better = 1 + self.apart.sum(axis=0)
        worse = bots - self.apart.sum(axis=1)
        return list(zip(better.tolist(), worse.tolist(), strict=True))


def believe(fitted: Floats, replicates: Floats, rests_on: Support) -> Beliefs:
    """Read the beliefs off the replicates (count, bots) about the `fitted` strengths."""
    widening = rests_on.widening(_TAIL, -_NORMAL.inv_cdf(_TAIL))
    known = np.isfinite(widening)
    quantiles = np.quantile(replicates, [_TAIL, 1 - _TAIL], axis=0)
    low, high = fitted + np.where(known, widening, 1) * (quantiles - fitted)
    above, spread = _above(fitted, replicates, widening)
    reach = _reach(fitted, replicates, spread)
    far = rests_on.widening(_NORMAL.cdf(-reach), reach) if reach else widening
    return Beliefs(
        low=np.where(known, low, -np.inf),
        high=np.where(known, high, np.inf),
        above=above,
        apart=np.subtract.outer(fitted, fitted) > reach * spread * np.maximum.outer(far, far),
    )


def groups(order: list[int], apart: NDArray[np.bool_]) -> list[list[int]]:
    """The longest runs of the order, two bots or more, of which no two are apart.

    Runs may overlap: a may not be told from b, nor b from c, and a still be stronger than c.
    """
    found: list[list[int]] = []
    end = 0
    for start in range(len(order)):
        reached = max(end, start + 1)
        while reached < len(order) and not any(
            apart[order[bot], order[reached]] for bot in range(start, reached)
        ):
            reached += 1
        if reached > end and reached - start > 1:
            found.append(order[start:reached])
        end = max(end, reached)
    return found


def _above(fitted: Floats, replicates: Floats, widening: Floats) -> tuple[Floats, Floats]:
    """The chance of each to be stronger than each other, and the spread of each difference."""
    count, bots = replicates.shape
    above = np.empty((bots, bots))
    spread = np.empty((bots, bots))
    for bot in range(bots):
        gaps = replicates[:, bot, None] - replicates
        # Widening the scatter about the fitted gap moves the place where the gap is none.
        wide = np.maximum(widening[bot], widening)
        nothing = (fitted[bot] - fitted) * (1 - 1 / wide)
        wins = (gaps > nothing).sum(axis=0) + (gaps == nothing).sum(axis=0) / 2
        above[bot] = (wins + 0.5) / (count + 1)
        spread[bot] = gaps.std(axis=0)
    # Nobody differs from itself, and nothing is to be divided by that.
    np.fill_diagonal(spread, 1)
    return above, spread


def _reach(fitted: Floats, replicates: Floats, spread: Floats) -> float:
    """How many spreads the widest-off difference of a replicate reaches, at the level LEVEL.

    What is apart by more is apart for sure, all pairs at once: the studentized maximum of Westfall
    and Young (1993).
    """
    farthest = np.zeros(len(replicates))
    for bot in range(len(fitted) - 1):
        off = replicates[:, bot, None] - replicates[:, bot + 1 :]
        off -= fitted[bot] - fitted[bot + 1 :]
        np.maximum(farthest, (np.abs(off) / spread[bot, bot + 1 :]).max(axis=1), out=farthest)
    return float(np.quantile(farthest, LEVEL))
