"""The short form of `make soak-fuzz`: a few inputs at every door, by a seed that stays."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzz.doors import DOORS
from tests.fuzz.figures import Figures

INPUTS = {
    "records": 1_000,
    "settings": 150,
    "frames": 5_000,
    "page-tokens": 5_000,
    "calls": 300,
    "port": 200,
    "streams": 60,
}


@pytest.mark.parametrize("door", DOORS)
async def test_nothing_that_comes_through_a_door_breaks_what_is_behind_it(door: str) -> None:
    figures = await DOORS[door](Random(f"suite/{door}"), lambda tried: tried < INPUTS[door])

    assert figures.crashes == []
    assert figures.inputs >= INPUTS[door]
    assert len(figures.outcomes) > 1, "all inputs came to the same, so nothing was tried"


def test_what_breaks_is_counted_and_kept_with_its_input() -> None:
    figures = Figures()
    figures.came_to("OK")
    figures.broke(b"bad", ValueError("no such thing"))

    assert (figures.inputs, figures.outcomes["CRASH"]) == (2, 1)
    (crash,) = figures.crashes
    assert "bad" in crash
    assert "no such thing" in crash
