"""The load curve as a picture: throughput and latency by the matches of each bot, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log10
from typing import Any
from xml.etree import ElementTree as ET

SCENARIO = "load-curve"
"""The scenario that is drawn."""

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 560, 240, 70, 40, 50
_STYLE = (
    "text{font:12px sans-serif;fill:#333}.title{font-size:14px;font-weight:600}"
    ".grid{stroke:#ddd}.line{fill:none;stroke:#1f5fa8;stroke-width:2}.spread{stroke:#1f5fa8}"
    ".dot{fill:#1f5fa8}"
)


def plot(result: dict[str, Any]) -> str:
    """Return an SVG of two panels; medians as a line, spreads as bars.

    Raises `ValueError` for a result without a load curve.
    """
    measured = result["scenarios"].get(SCENARIO)
    if measured is None:
        raise ValueError(f"the result has no {SCENARIO}; measure it with --only {SCENARIO}")
    sides = measured["sides"]
    root = ET.Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {2 * (_HEIGHT + _TOP + _BOTTOM)}",
        role="img",
    )
    ET.SubElement(root, "title").text = "Throughput and latency by load"
    ET.SubElement(root, "style").text = _STYLE
    panels = (("decisions a second", "per_second"), ("p99 of an answer, ms", "p99_ms"))
    for number, (title, figure) in enumerate(panels):
        panel = ET.SubElement(
            root, "g", transform=f"translate(0 {number * (_HEIGHT + _TOP + _BOTTOM)})"
        )
        _panel(panel, title, list(sides), [side[figure] for side in sides.values()])
    return ET.tostring(root, encoding="unicode") + "\n"


def _panel(
    panel: ET.Element, title: str, names: Sequence[str], spreads: Sequence[dict[str, float]]
) -> None:
    top = _round_up(max(spread["high"] for spread in spreads))
    step = (_WIDTH - _LEFT - 40) / max(1, len(names) - 1)

    def place(number: int, value: float) -> tuple[float, float]:
        return _LEFT + 10 + number * step, _TOP + _HEIGHT * (1 - value / top)

    _text(panel, 10, 22, title).set("class", "title")
    for part in range(5):
        _, y = place(0, top * part / 4)
        grid = {"x1": _LEFT, "x2": _WIDTH - 10, "y1": y, "y2": y}
        ET.SubElement(panel, "line", _numbers(grid), **{"class": "grid"})
        _text(panel, _LEFT - 8, y + 4, f"{top * part / 4:g}").set("text-anchor", "end")
    points = [place(number, spread["median"]) for number, spread in enumerate(spreads)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    ET.SubElement(panel, "polyline", {"points": line, "class": "line"})
    for number, (name, spread) in enumerate(zip(names, spreads, strict=True)):
        x, y = points[number]
        ends = {
            "x1": x,
            "x2": x,
            "y1": place(0, spread["low"])[1],
            "y2": place(0, spread["high"])[1],
        }
        ET.SubElement(panel, "line", _numbers(ends), **{"class": "spread"})
        ET.SubElement(panel, "circle", _numbers({"cx": x, "cy": y, "r": 3}), **{"class": "dot"})
        _text(panel, x, _TOP + _HEIGHT + 18, name).set("text-anchor", "middle")
    middle = (_LEFT + _WIDTH) / 2
    _text(panel, middle, _TOP + _HEIGHT + 38, "matches of each bot").set("text-anchor", "middle")


def _text(parent: ET.Element, x: float, y: float, text: str) -> ET.Element:
    element = ET.SubElement(parent, "text", _numbers({"x": x, "y": y}))
    element.text = text
    return element


def _numbers(values: dict[str, float]) -> dict[str, str]:
    return {name: f"{value:.1f}".removesuffix(".0") for name, value in values.items()}


def _round_up(value: float) -> float:
    """Return the next number above `value` that is 1, 2, 4 or 8 times a power of ten."""
    if value <= 0:
        return 1.0
    power = 10.0 ** (ceil(log10(value)) - 1)
    return next(step * power for step in (1, 2, 4, 8, 10) if step * power >= value)
