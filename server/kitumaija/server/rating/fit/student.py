"""Student's t distribution, for degrees of freedom that are whole numbers.

The formulas are those of Abramowitz and Stegun's Handbook of Mathematical Functions (1964).
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

_EXACT_TO = 400
"""Up to so many degrees of freedom the finite sum is taken, above them the expansion."""


@lru_cache(maxsize=4096)
def quantile(tail: float, freedom: int) -> float:
    """The value that is exceeded with the probability `tail`, at most one half.

    The tail beyond it is right to 2e-6 of itself. Raises ValueError for no degree of freedom, and
    for a tail that is not above 0 and at most 0.5.
    """
    if freedom < 1 or not 0 < tail <= 0.5:
        raise ValueError(f"got the tail {tail} and {freedom} degrees of freedom")
    if freedom > _EXACT_TO:
        return _expanded(-NormalDist().inv_cdf(tail), freedom)
    # The tail falls as the angle grows, whose tangent is t over the root of the freedom.
    low, high = 0.0, math.pi / 2
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if _beyond(middle, freedom) > tail else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


def _beyond(angle: float, freedom: int) -> float:
    """The probability beyond an angle: the finite sums 26.7.3 and 26.7.4 of the Handbook."""
    sine, cosine = math.sin(angle), math.cos(angle)
    total, term = 0.0, cosine if freedom % 2 else 1.0
    for power in range(1 if freedom % 2 else 0, freedom - 1, 2):
        total += term
        term *= cosine * cosine * (power + 1) / (power + 2)
    within = 2 / math.pi * (angle + sine * total) if freedom % 2 else sine * total
    return (1 - within) / 2


def _expanded(normal: float, freedom: int) -> float:
    """Cornish and Fisher's expansion about the normal quantile: 26.7.5 of the Handbook."""
    x, square = normal, normal * normal
    terms = (
        x * (square + 1) / 4,
        x * (5 * square**2 + 16 * square + 3) / 96,
        x * (3 * square**3 + 19 * square**2 + 17 * square - 15) / 384,
    )
    found: float = x + sum(term / freedom**power for power, term in enumerate(terms, start=1))
    return found
