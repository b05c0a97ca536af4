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
    found: list[float] = []
    motion: _Motion | None = None
    spent = 0.0
    for share in shares:
        to_spend = alpha * share**POWER - spent
        spent += to_spend
        motion = _Motion.begun(share) if motion is None else motion.on_to(share)
        found.append(motion.cut(to_spend) / share**0.5)
    return tuple(found)


class _Motion:
    """The density of the motion at a share of the information, of those that never crossed."""

    def __init__(self, share: float, at: Floats, density: Floats) -> None:
        self.share = share
        self.at = at
        self.density = density

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

    def cut(self, tail: float) -> float:
        """Take the topmost part of this probability away; return where it begins."""
        weighed = self.density * _weights(self.at)
        # Half of a point's own weight lies above it.
        beyond = np.cumsum(weighed[::-1])[::-1] - weighed / 2
        height = float(np.interp(-tail, -beyond, self.at))
        # What is left ends there: the grid is laid anew up to the boundary.
        left = np.linspace(self.at[0], height, _POINTS)
        self.density = np.interp(left, self.at, self.density)
        self.at = left
        return height


def _weights(at: Floats) -> Floats:
    """The trapezoidal rule."""
    weights = np.full(len(at), at[1] - at[0])
    weights[[0, -1]] /= 2
    return weights
