"""Intervals: known values, edges, and how often they hold."""

from __future__ import annotations

from math import isclose
from random import Random

import pytest

from kitumaija.sdk.arena import estimate


def test_independent_tosses_have_wilsons_interval() -> None:
    # 40 of 100 by Wilson's formula, as in any table of it; the sample's own variance has n - 1.
    found = estimate([1.0] * 40 + [0.0] * 60)

    assert found.share == 0.4
    assert isclose(found.low, 0.3094, abs_tol=1e-3)
    assert isclose(found.high, 0.4980, abs_tol=1e-3)


@pytest.mark.parametrize(("value", "edge"), [(1.0, "high"), (0.0, "low")])
def test_a_clean_sweep_has_an_interval_that_ends_at_the_edge(value: float, edge: str) -> None:
    found = estimate([value] * 20)

    assert getattr(found, edge) == value
    assert 0.1 < found.high - found.low < 0.2


def test_one_value_says_next_to_nothing() -> None:
    found = estimate([0.5])

    assert found.high - found.low > 0.85


def test_nothing_cannot_be_estimated_from() -> None:
    with pytest.raises(ValueError, match="no values"):
        estimate([])


def test_values_that_scatter_less_than_tosses_give_a_narrower_interval() -> None:
    wide, narrow = estimate([0.0, 1.0] * 50), estimate([0.4, 0.6] * 50)

    assert narrow.high - narrow.low < (wide.high - wide.low) / 3


def test_the_interval_holds_the_true_share_about_95_times_of_100() -> None:
    random, held = Random(5), 0
    for _ in range(2_000):
        values = [
            (random.random() < 0.55) * 0.5 + (random.random() < 0.55) * 0.5 for _ in range(40)
        ]
        found = estimate(values)
        held += found.low <= 0.55 <= found.high

    assert 0.93 <= held / 2_000 <= 0.97
