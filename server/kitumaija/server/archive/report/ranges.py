"""Ranges drawn as lines, all of a table on one scale."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from kitumaija.server.archive.report.html import Html, tag

_WIDTH: Final = 140
_HEIGHT: Final = 14
_EDGE: Final = 5


@dataclass(frozen=True, slots=True)
class Scale:
    """From where to where the scale goes."""

    low: float
    high: float

    @classmethod
    def of(cls, ranges: Iterable[tuple[float, float]]) -> Scale:
        """Return the scale on which all ranges lie, as far as they are finite."""
        ends = [end for both in ranges for end in both if math.isfinite(end)]
        return cls(min(ends, default=0.0), max(ends, default=1.0))

    def drawn(self, middle: float, low: float, high: float) -> Html:
        """Return a range as a line with a point in it; an infinite end goes to the scale's own."""
        at = f"{_HEIGHT / 2:g}"
        ends = {"y1": at, "y2": at}
        scale = tag("line", x1=str(_EDGE), x2=str(_WIDTH - _EDGE), class_="scale", **ends)
        line = tag("line", x1=self._at(low), x2=self._at(high), class_="range", **ends)
        point = tag("circle", cx=self._at(middle), cy=at, r="4", class_="mean")
        return tag(
            "svg",
            *(scale, line, point),
            width=str(_WIDTH),
            height=str(_HEIGHT),
            role="img",
            aria_label=f"{middle:z.2f}, from {low:z.2f} to {high:z.2f}",
        )

    def _at(self, value: float) -> str:
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low or 1.0)
        return f"{_EDGE + (_WIDTH - 2 * _EDGE) * share:.1f}"


def range_of(low: float, high: float) -> str:
    """Return a range in words."""
    if not (math.isfinite(low) or math.isfinite(high)):
        return "not known yet"
    return f"{bound(low)} to {bound(high)}"


def bound(value: float) -> str:
    """Return an end of a range, in points; it is unknown where it is infinite."""
    return f"{value:+z.0f}" if math.isfinite(value) else "?"
