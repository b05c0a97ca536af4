"""How often intervals without the luck of the cards hold the truth, by simulation."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kitumaija.server.rating.fit import POINTS
from kitumaija.server.rating.fit.beliefs import Beliefs, believe
from kitumaija.server.rating.fit.comparisons import Comparisons, Floats
from kitumaija.server.rating.fit.luck import without_luck
from kitumaija.server.rating.fit.model import strengths
from kitumaija.server.rating.fit.resampling import replicates
from kitumaija.server.rating.fit.widening import support
from tests.support.simulated import WORLDS, simulate


@dataclass(frozen=True)
class Covered:
    """Simulated tournaments of which the luck of the cards is known, but for a blur."""

    entrants: int
    seats: int
    rounds: int

    @property
    def name(self) -> str:
        """What the row is called, and its seed."""
        return f"covered {self.entrants}/{self.seats}/{self.rounds}"


COVERED = (Covered(6, 3, 10), Covered(20, 4, 10))

_SPREAD = 120
_BLUR = 1.0
_REPLICATES = 400
_COMPARED = 200
"""In how many tournaments the width with the luck is looked at too."""


def measure_covered(row: Covered, tournaments: int) -> dict[str, Any]:
    """Say how often the intervals without luck hold the truth, and how much narrower they are.

    `off` is by how many points the strength of the strongest bot is off the truth, on average, and
    `off_with_luck` the same of the fit with the luck.
    """
    covered, narrow, wide, off, off_with_luck = [], [], [], [], []
    for number in range(tournaments):
        name = f"{row.name}/{number}".encode()
        seed = int.from_bytes(hashlib.sha256(name).digest(), "little")
        rng = np.random.Generator(np.random.PCG64(seed))
        drawn = rng.standard_normal(row.entrants) * _SPREAD / POINTS
        played = simulate(
            rng, WORLDS["luce"], drawn, seats=row.seats, rounds=row.rounds, blur=_BLUR
        )
        left, _ = without_luck(played.comparisons)
        found = _beliefs(left, seed=name)
        covered.append(float(np.mean((found.low <= played.truth) & (played.truth <= found.high))))
        narrow.append(_half_width(found))
        if number < _COMPARED:
            wide.append(_half_width(_beliefs(played.comparisons, seed=name)))
        best = int(np.argmax(played.truth))
        off.append(_off(left, played.truth, best))
        off_with_luck.append(_off(played.comparisons, played.truth, best))
    return {
        "tournaments": tournaments,
        "coverage": float(np.mean(covered)),
        "coverage_error": _standard_error(covered),
        "half_width": float(np.mean(narrow)),
        "half_width_with_luck": float(np.mean(wide)),
        "off": float(np.mean(off)),
        "off_with_luck": float(np.mean(off_with_luck)),
        "off_error": _standard_error(off),
    }


def _beliefs(comparisons: Comparisons, *, seed: bytes) -> Beliefs:
    fitted = strengths(comparisons)
    drawn = replicates(comparisons, fitted, seed=seed, count=_REPLICATES)
    return believe(fitted, drawn, support(comparisons, fitted))


def _off(comparisons: Comparisons, truth: Floats, bot: int) -> float:
    return float((strengths(comparisons) - truth)[bot]) * POINTS


def _half_width(found: Beliefs) -> float:
    return float(np.mean(found.high - found.low)) / 2 * POINTS


def _standard_error(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1) / len(values) ** 0.5)
