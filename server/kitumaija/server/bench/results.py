"""Medians and spreads of what was measured, as JSON, and two of them compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from kitumaija.server.bench.figures import Figures
from kitumaija.server.bench.scenarios import Ratio, Scenario

FORMAT = 1
"""The version of the JSON."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some turns, the lowest and the highest."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Of one value at least."""
        return cls(round(median(values), 4), round(min(values), 4), round(max(values), 4))

    def as_dict(self) -> dict[str, float]:
        """Return plain values for JSON."""
        return {"median": self.median, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class Measured:
    """The turns of one scenario: for each the figures of each side."""

    scenario: Scenario
    turns: Sequence[Mapping[str, Figures]]

    def sides(self) -> Mapping[str, Mapping[str, Spread]]:
        """Return the figures of each side over all turns."""
        first = self.turns[0]
        return {
            side: {name: Spread.of([turn[side][name] for turn in self.turns]) for name in figures}
            for side, figures in first.items()
        }

    def ratio(self, ratio: Ratio) -> Spread:
        """Return a ratio, or a difference, of the figures of the same turn, over all turns."""
        return Spread.of([_of_turn(ratio, turn) for turn in self.turns])

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, the turns too."""
        return {
            "title": self.scenario.title,
            "sides": {
                side: {name: spread.as_dict() for name, spread in figures.items()}
                for side, figures in self.sides().items()
            },
            "ratios": [
                {
                    "what": ratio.what,
                    "of": ratio.of,
                    "to": ratio.to,
                    "difference": ratio.difference,
                    **self.ratio(ratio).as_dict(),
                }
                for ratio in self.scenario.ratios
            ],
            "turns": [
                {side: dict(figures) for side, figures in turn.items()} for turn in self.turns
            ],
        }


def _of_turn(ratio: Ratio, turn: Mapping[str, Figures]) -> float:
    above, below = turn[ratio.of][ratio.figure], turn[ratio.to][ratio.figure]
    if ratio.difference:
        return above - below
    return above / below if below else 0.0
