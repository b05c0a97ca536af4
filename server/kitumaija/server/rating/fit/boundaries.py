"""How far apart is far enough, if one looks again and again: alpha spending.

A statistic that grows like a Brownian motion is looked at several times. The chance that it ever
crosses by luck is to be at most alpha: so each look may spend only a part of it. How much had been
spent when the share t of the information was there is alpha · t ** POWER (Kim and DeMets, 1987);
the boundary of each look then follows by recursive integration (Lan and DeMets, 1983; Armitage,
McPherson and Rowe, 1969). When the looks are taken may be anything that does not depend on what
they show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from kitumaija.server.rating.fit.comparisons import Floats

POWER = 2.0
"""Early looks, of which little is known, may spend little."""

_NORMAL = NormalDist()
_POINTS = 1_001
_REACH = 9.0
"""Beyond so many standard deviations nothing is left to integrate."""


def boundaries(shares: Sequence[float], alpha: float) -> tuple[float, ...]:
    """The boundaries, in standard deviations, for looks at these shares of the information.

    The statistic crosses one of them with the probability alpha · (the last share) ** POWER, if
    there is nothing to be found. Raises ValueError for shares that do not rise within 0 to 1, and
    for an alpha that is not between 0 and 0.5.
    """
    if not 0 < alpha < 0.5:
        raise ValueError(f"got the error rate {alpha}; wanted one above 0 and under 0.5")
    if any(not 0 < share <= 1 for share in shares) or sorted(set(shares)) != list(shares):
        raise ValueError(f"got looks at {list(shares)}; wanted shares that rise, above 0, to 1")
    return _looked(tuple(shares), alpha).bounds if shares else ()


@dataclass(frozen=True, slots=True, eq=False)
class _Motion:
    """The density of the motion at a share of the information, of those that never crossed."""

    share: float
    at: Floats
    density: Floats

    @classmethod
    def begun(cls, share: float) -> _Motion:
        at = np.linspace(-_REACH, _REACH, _POINTS) * share**0.5
        return cls(share, at, np.exp(-(at**2) / (2 * share)) / (2 * np.pi * share) ** 0.5)

    def on_to(self, share: float) -> _Motion:
        step = share - self.share
        at = np.linspace(-_REACH, _REACH, _POINTS) * share**0.5
        gaps = at[:, None] - self.at[None, :]
        kernel = np.exp(-(gaps**2) / (2 * step)) / (2 * np.pi * step) ** 0.5
        return _Motion(share, at, kernel @ (self.density * _weights(self.at)))

    def cut(self, tail: float) -> tuple[float, _Motion]:
        """Return where the topmost part of this probability begins, and what is left below it."""
        weighed = self.density * _weights(self.at)
        # Half of a point's own weight lies above it.
        beyond = np.cumsum(weighed[::-1])[::-1] - weighed / 2
        height = float(np.interp(-tail, -beyond, self.at))
        # What is left ends there: the grid is laid anew up to the boundary.
        left = np.linspace(self.at[0], height, _POINTS)
        return height, _Motion(self.share, left, np.interp(left, self.at, self.density))


@dataclass(frozen=True, slots=True, eq=False)
class _Looked:
    """What there is after some looks: their boundaries, what was spent, and who never crossed."""

    bounds: tuple[float, ...]
    spent: float
    motion: _Motion


@lru_cache(maxsize=256)
def _looked(shares: tuple[float, ...], alpha: float) -> _Looked:
    """Take looks at these shares, one or more.

    Each takes a hundredth of a second. A tournament that is looked at once more asks for all looks
    before it again: so each is kept, and builds on the one before it.
    """
    *earlier, share = shares
    before = _looked(tuple(earlier), alpha) if earlier else None
    motion = before.motion.on_to(share) if before else _Motion.begun(share)
    bounds, spent = (before.bounds, before.spent) if before else ((), 0.0)
    to_spend = alpha * share**POWER - spent
    height, left = motion.cut(to_spend)
    return _Looked((*bounds, height / share**0.5), spent + to_spend, left)


def _weights(at: Floats) -> Floats:
    """The trapezoidal rule."""
    weights = np.full(len(at), at[1] - at[0])
    weights[[0, -1]] /= 2
    return weights
