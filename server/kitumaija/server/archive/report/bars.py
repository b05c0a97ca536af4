"""How often each place was reached, as a bar: the better the place, the fuller its colour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kitumaija.server.archive.report.html import Html, tag

_WIDTH: Final = 120
_HEIGHT: Final = 14
_GAP: Final = 1
_PALEST: Final = 0.12
"""How full the colour of the last place is."""


def stacked(places: Mapping[int, int], table_size: int) -> Html:
    """Return a bar of how often each place was reached; it reads as the numbers aloud."""
    total = sum(places.values()) or 1
    parts: list[Html] = []
    at = 0.0
    for place in range(1, table_size + 1):
        width = _WIDTH * places.get(place, 0) / total
        if width:
            shown = max(width - _GAP, width / 2)
            parts.append(_part(place, table_size, x=f"{at:.1f}", width=f"{shown:.1f}"))
        at += width
    counted = ", ".join(
        f"place {place}: {places.get(place, 0)}" for place in range(1, table_size + 1)
    )
    # Who points at the bar is told the numbers, too.
    return tag(
        "svg",
        tag("title", counted),
        *parts,
        width=str(_WIDTH),
        height=str(_HEIGHT),
        role="img",
        aria_label=counted,
        class_="bar",
    )


def legend(table_size: int) -> Html:
    """Return what the colours of the bars mean."""
    shown = [
        tag(
            "span",
            tag(
                "svg",
                _part(place, table_size, x="0", width=str(_HEIGHT)),
                width=str(_HEIGHT),
                height=str(_HEIGHT),
                aria_hidden="true",
            ),
            f" {place}.",
        )
        for place in range(1, table_size + 1)
    ]
    return tag("p", "Places: ", *shown, class_="legend")


def _part(place: int, table_size: int, *, x: str, width: str) -> Html:
    share = (place - 1) / (table_size - 1)
    fullness = f"{1 - (1 - _PALEST) * share:.2f}"
    return tag("rect", x=x, y="1", width=width, height=str(_HEIGHT - 2), fill_opacity=fullness)
