"""How often the fit is right about players that play the game: the rows that begin with `engine`.

The entrants' levels are drawn anew for each tournament, so some are exactly alike; its sets are
drawn from a bank of real games (`tests/support/game_bank.py`), which says what is true.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from kitumaija.server.goal import Goal
from kitumaija.server.rating.fit import POINTS
from tests.server.rating.calibration import generator, measure_tournaments
from tests.server.rating.stopping import Drawn, measure_stopped
from tests.support.dialled import Dial
from tests.support.game_bank import Bank
from tests.support.simulated import Simulated

DIALS = (
    Dial(1.0),
    Dial(0.7),
    Dial(0.4),
    Dial(0.1),
    Dial(0.4, 0.1),
    Dial(0.0, 0.15),
)
"""The levels: ever less of the rule, and two that do by chance what they do."""

SETS = {2: 100, 3: 40, 4: 20}
"""How many sets of each table a bank has, by the seats of a table."""

_MIGHT_HAVE_BEEN = 100


@cache
def bank(seats: int, jobs: int) -> Bank:
    """The bank of the rows at tables of so many seats."""
    return Bank.played(f"bank {seats}", DIALS, seats=seats, sets=SETS[seats], jobs=jobs)


@dataclass(frozen=True)
class EngineRow:
    """Tournaments of players whose levels are drawn at random.

    The sets are drawn from the bank, or played `anew`.
    """

    entrants: int
    seats: int
    rounds: int
    tournaments: int = 2000
    anew: bool = False

    @property
    def name(self) -> str:
        """What the row is called, and its seed."""
        played = f"{self.entrants}/{self.seats}/{self.rounds}"
        return f"engine {played}{' anew' if self.anew else ''}"

    def tournament(self, sets: Bank, number: int) -> Simulated:
        """Draw one of them from a bank, or play it."""
        name = f"{self.name}/{number}"
        rng = generator(name)
        levels = rng.integers(sets.levels, size=self.entrants)
        if self.anew:
            return sets.played_anew(name, rng, levels, rounds=self.rounds)
        return sets.tournament(rng, levels, rounds=self.rounds)


ENGINE_ROWS = (
    EngineRow(6, 2, 20),
    EngineRow(6, 3, 10),
    EngineRow(6, 3, 10, tournaments=300, anew=True),
    EngineRow(20, 4, 10),
    EngineRow(60, 4, 10, tournaments=300),
)


def measure_engine(
    row: EngineRow, tournaments: int, *, jobs: int = 1, sets: Bank | None = None
) -> dict[str, Any]:
    """Draw so many tournaments of a row, and say how often the fit was right.

    Besides, of the bank: its games; the levels' strengths in points, where one of each level meets
    at random tables, and their standard errors as strengths in the endless game; and by how much,
    at most, the model is wrong about how often one level comes in before another.
    """
    sets = bank(row.seats, jobs) if sets is None else sets
    found = measure_tournaments(row.name, partial(row.tournament, sets), tournaments, jobs=jobs)
    one_each = np.arange(sets.levels)
    truth = sets.truth(one_each)
    rng = generator(f"{row.name}/bank")
    might = np.array([sets.other(rng).truth(one_each) for _ in range(_MIGHT_HAVE_BEEN)])
    model = 1 / (1 + np.exp(-np.subtract.outer(truth, truth)))
    return {
        **found,
        "games": int(np.prod(sets.places.shape[:3])),
        "levels": (truth * POINTS).tolist(),
        "level_errors": (might.std(axis=0, ddof=1) * POINTS).tolist(),
        "misfit": float(np.abs(sets.shares(one_each) - model).max()),
    }


@dataclass(frozen=True)
class EngineStops:
    """Tournaments that could be stopped early, of levels that are drawn, or of one of each."""

    entrants: int
    seats: int
    rounds: int
    first: int
    one_each: bool

    @property
    def name(self) -> str:
        """What the row is called, and its seed."""
        played = f"{self.entrants}/{self.seats}/{self.rounds}"
        return f"engine {played} top {self.first}, {self.levels}"

    @property
    def levels(self) -> str:
        """How the entrants' levels come, in words."""
        return "one of each" if self.one_each else "drawn"

    def drawn(self, sets: Bank, number: int) -> Drawn:
        """Draw one of them from a bank."""
        rng = generator(f"{self.name}/{number}")
        levels = (
            rng.permutation(sets.levels)
            if self.one_each
            else rng.integers(sets.levels, size=self.entrants)
        )
        return sets.truth(levels), *sets.draw(rng, levels, rounds=self.rounds)


ENGINE_STOPS = (
    EngineStops(6, 3, 40, 3, one_each=False),
    EngineStops(6, 3, 40, 1, one_each=True),
)


def measure_engine_stops(row: EngineStops, tournaments: int, *, jobs: int = 1) -> dict[str, Any]:
    """Look at so many tournaments of a row, and stop where the goal is reached."""
    goal = Goal(row.first, 0.95)
    return measure_stopped(partial(row.drawn, bank(row.seats, jobs)), goal, tournaments, jobs=jobs)
