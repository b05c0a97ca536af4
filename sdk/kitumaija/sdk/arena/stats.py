"""How often one bot beats another, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

Z_95 = 1.959963984540054
"""The 97.5 % point of the normal distribution: two-sided 95 %."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share with its 95 % interval, all from 0 to 1."""

    share: float
    low: float
    high: float


def estimate(values: Sequence[float]) -> Estimate:
    """Estimate a share from independent values between 0 and 1, at least one.

    The games of a set are not independent, so each value is the mean over the games of one set.
    The interval is Wilson's, with as many trials as would scatter like the values do: it stays
    within 0 and 1 and says something sensible even where all values are equal.

    Raises `ValueError` for no values.
    """
    count = len(values)
    if not count:
        raise ValueError("there is nothing to estimate from: got no values")
    share = fsum(values) / count
    trials = _equivalent_trials(values, share)
    spread = Z_95 * sqrt(share * (1 - share) / trials + Z_95**2 / (4 * trials**2))
    middle = share + Z_95**2 / (2 * trials)
    scale = 1 + Z_95**2 / trials
    return Estimate(share, max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


def _equivalent_trials(values: Sequence[float], share: float) -> float:
    """Return how many coin tosses of this share have the variance that the mean of values has."""
    count = len(values)
    squares = fsum((value - share) ** 2 for value in values)
    if count < 2 or not squares:
        return count
    return share * (1 - share) / (squares / (count - 1) / count)
