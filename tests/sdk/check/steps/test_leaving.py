"""How the waits between dials are judged."""

from __future__ import annotations

import pytest

from kitumaija.sdk.check.step import Failed
from kitumaija.sdk.check.steps.leaving import judge_waits


@pytest.mark.parametrize(
    ("waits", "wanted"),
    [
        ([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], "waits that grow from one dial to the next"),
        ([0.05, 0.07, 0.05, 0.06, 0.05, 0.06], "waits that grow from one dial to the next"),
        ([0.5, 0.5, 0.5, 0.51, 0.5, 0.5], "waits that are drawn at random"),
        ([0.25, 0.5, 1.0, 2.0, 4.01, 8.0], "waits that are drawn at random"),
    ],
)
def test_waits_that_all_bots_have_alike_or_that_do_not_grow_are_told(
    waits: list[float], wanted: str
) -> None:
    with pytest.raises(Failed, match=wanted):
        judge_waits(waits, least=0.3)


@pytest.mark.parametrize(
    "waits",
    [
        [0.21, 0.37, 0.32, 0.49, 3.0, 3.21],
        [0.02, 0.4, 0.05, 0.9, 0.1, 2.3],
        [0.15, 0.33, 0.62, 1.4, 3.1, 4.2],
    ],
)
def test_waits_that_grow_and_are_drawn_pass(waits: list[float]) -> None:
    judge_waits(waits, least=0.3)
