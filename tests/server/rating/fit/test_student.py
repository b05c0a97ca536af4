"""Student's distribution, against printed tables and its own closed forms."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest

from kitumaija.server.rating.fit.student import quantile


@pytest.mark.parametrize(
    ("tail", "freedom", "expected"),
    [
        (0.025, 1, 12.7062),
        (0.025, 2, 4.3027),
        (0.025, 5, 2.5706),
        (0.025, 10, 2.2281),
        (0.005, 30, 2.7500),
        (0.0005, 7, 5.4079),
        (0.025, 120, 1.9799),
    ],
)
def test_quantiles_are_those_of_the_printed_tables(
    tail: float, freedom: int, expected: float
) -> None:
    assert quantile(tail, freedom) == pytest.approx(expected, abs=6e-5)


@pytest.mark.parametrize("tail", [0.4, 0.025, 1e-4, 1e-9])
def test_with_one_and_two_degrees_of_freedom_it_is_the_closed_form(tail: float) -> None:
    assert quantile(tail, 1) == pytest.approx(1 / math.tan(math.pi * tail), rel=1e-6)
    two = (1 - 2 * tail) / math.sqrt(2 * tail * (1 - tail))
    assert quantile(tail, 2) == pytest.approx(two, rel=1e-6)


@pytest.mark.parametrize("tail", [0.5, 0.3, 0.025, 1e-3, 1e-7])
def test_where_the_sum_gives_way_to_the_expansion_nothing_jumps(tail: float) -> None:
    below, above = quantile(tail, 400), quantile(tail, 401)

    assert above == pytest.approx(below, rel=2e-4, abs=1e-9)
    assert above <= below + 1e-9
    assert quantile(tail, 10**9) == pytest.approx(-NormalDist().inv_cdf(tail), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(("tail", "freedom"), [(0, 3), (0.6, 3), (0.025, 0)])
def test_what_has_no_quantile_is_refused(tail: float, freedom: int) -> None:
    with pytest.raises(ValueError, match="degrees of freedom"):
        quantile(tail, freedom)
