"""How far apart is far enough, if one looks again and again."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from kitumaija.server.rating.fit.boundaries import POWER, boundaries

SHARES = (0.2, 0.4, 0.6, 0.8, 1.0)


def test_one_look_at_the_end_is_the_plain_test() -> None:
    (only,) = boundaries([1.0], 0.025)

    assert only == pytest.approx(NormalDist().inv_cdf(0.975), abs=2e-4)


def test_each_look_spends_what_it_may_and_no_more() -> None:
    paths = np.random.default_rng(5).standard_normal((200_000, 5)) * 0.2**0.5
    reached = np.cumsum(paths, axis=1) / np.sqrt(SHARES)

    crossed = np.logical_or.accumulate(reached > boundaries(SHARES, 0.05), axis=1).mean(axis=0)

    expected = [0.05 * share**POWER for share in SHARES]
    assert crossed == pytest.approx(expected, abs=0.0016)


def test_a_boundary_depends_on_no_look_after_it() -> None:
    assert boundaries(SHARES[:3], 0.025) == boundaries(SHARES, 0.025)[:3]


def test_looks_may_be_anywhere() -> None:
    found = boundaries([0.05, 0.5, 0.51, 1.0], 0.025)

    assert found[0] > 3.5
    assert found[2] > found[1]
    assert found[3] < found[1]


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.5, 0.2), (0.0, 1.0), (0.5, 1.1)])
def test_looks_that_do_not_rise_are_refused(shares: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="wanted shares that rise"):
        boundaries(shares, 0.025)


@pytest.mark.parametrize("alpha", [0.0, 0.5])
def test_an_error_rate_that_is_none_is_refused(alpha: float) -> None:
    with pytest.raises(ValueError, match="above 0 and under 0.5"):
        boundaries([1.0], alpha)
