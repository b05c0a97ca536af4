"""The picture of a load curve."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest

from kitumaija.server.bench.plot import SCENARIO, plot
from kitumaija.server.bench.scenarios import CURVE, SCENARIOS

SVG = "{http://www.w3.org/2000/svg}"


def curve(**medians: float) -> dict[str, Any]:
    """A result whose sides, by the matches of a bot, have these medians in both figures."""
    spreads = {
        name[1:]: {"median": value, "low": value / 2, "high": value * 2}
        for name, value in medians.items()
    }
    sides = {name: {"per_second": one, "p99_ms": one} for name, one in spreads.items()}
    return {"scenarios": {SCENARIO: {"sides": sides}}}


def drawn(result: dict[str, Any]) -> ET.Element:
    return ET.fromstring(plot(result))


def test_more_is_drawn_higher_in_both_panels() -> None:
    picture = drawn(curve(_1=100, _2=400, _4=200))

    lines = [line.attrib["points"].split() for line in picture.iter(f"{SVG}polyline")]
    assert len(lines) == 2
    for points in lines:
        across, down = zip(*(map(float, point.split(",")) for point in points), strict=True)
        assert list(across) == sorted(across)
        assert down[1] < down[2] < down[0]


def test_it_fits_its_frame_and_says_which_load_is_which() -> None:
    picture = drawn(curve(_1=3, _64=97_001))

    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    for line in picture.iter(f"{SVG}line"):
        assert all(0 <= float(line.attrib[end]) <= width for end in ("x1", "x2"))
        assert all(0 <= float(line.attrib[end]) <= height for end in ("y1", "y2"))
    texts = [text.text for text in picture.iter(f"{SVG}text")]
    assert {"1", "64", "matches of each bot", "decisions a second"} <= set(texts)


def test_nothing_measured_is_a_picture_too() -> None:
    assert drawn(curve(_1=0, _2=0)) is not None


def test_without_a_load_curve_it_says_how_to_measure_one() -> None:
    with pytest.raises(ValueError, match="--only load-curve"):
        plot({"scenarios": {}})


def test_what_is_drawn_is_what_is_measured() -> None:
    assert SCENARIO in {scenario.name for scenario in SCENARIOS}
    assert list(CURVE) == sorted(CURVE)
