"""Other results that might have been: the posterior bootstrap over sets.

Each replicate weighs every set with a draw of its own from the exponential distribution and moves
the prior's centre of every bot by a draw from the prior itself, and then solves for the strengths:
Lyddon, Holmes and Walker (2019); Fong, Lyddon and Holmes (2019). How far the replicates scatter is
how sure the strengths are, whether or not the model is right about the game.

The draws are a function of the seed alone. Only raw bits are taken from numpy's generator, for
these it promises never to change, and what is made of them is written down here.
"""

from __future__ import annotations

import hashlib

import numpy as np

from kitumaija.server.rating.fit.comparisons import Comparisons, Floats
from kitumaija.server.rating.fit.model import PRIOR_DEVIATION, solve

REPLICATES = 2_000

_DOMAIN = b"kitumaija/fit/v1\x00"
_CLOSE = 1e-2
NUMBERS_AT_ONCE = 4_000_000
"""How many numbers a piece of work holds in one array: 32 MB."""


def replicates(
    comparisons: Comparisons,
    fitted: Floats,
    *,
    seed: bytes,
    count: int = REPLICATES,
    numbers_at_once: int = NUMBERS_AT_ONCE,
) -> Floats:
    """The strengths of `count` replicates as (count, bots), from the `fitted` ones on."""
    bots = len(comparisons.bots)
    widest = max(len(comparisons.met), comparisons.sets, bots * bots, 1)
    at_once = max(1, numbers_at_once // widest)
    bits = np.random.PCG64(int.from_bytes(hashlib.sha256(_DOMAIN + seed).digest(), "little"))
    found = np.empty((count, bots))
    for first in range(0, count, at_once):
        rows = min(at_once, count - first)
        # Row by row, so that how much is done at once changes no draw.
        draws = _uniform(bits, rows, comparisons.sets + 2 * bots)
        weights = -np.log(draws[:, : comparisons.sets])
        one, other = np.split(draws[:, comparisons.sets :], 2, axis=1)
        # Box and Muller's normal deviates, one of each two.
        centres = PRIOR_DEVIATION * np.sqrt(-2 * np.log(one)) * np.cos(2 * np.pi * other)
        met, before = comparisons.totals(weights)
        start = np.broadcast_to(fitted, (rows, bots))
        found[first : first + rows] = solve(comparisons, met, before, centres, start, close=_CLOSE)
    return found


def _uniform(bits: np.random.PCG64, rows: int, columns: int) -> Floats:
    """Numbers between 0 and 1, neither of them included."""
    raw = np.asarray(bits.random_raw(rows * columns), dtype=np.uint64).reshape(rows, columns)
    draws: Floats = ((raw >> np.uint64(12)).astype(float) + 0.5) * 2.0**-52
    return draws
