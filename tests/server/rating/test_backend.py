"""The package's update with arithmetic of our own: published vectors, and far apart ratings."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import mpmath
import pytest

from kitumaija.server.rating.backend import BETA, MU, SIGMA, NotComputable, Rating, rate

DEFAULT = Rating()
TAU = SIGMA / 100
"""What the package's own default is, which the vectors were computed with."""

VECTORS = {
    "A, one wins": (
        [DEFAULT, DEFAULT],
        [0, 1],
        0.10,
        [(29.395832, 7.171476), (20.604168, 7.171476)],
    ),
    "B, two tie": (
        [DEFAULT, DEFAULT],
        [0, 0],
        0.10,
        [(25.000000, 6.457516), (25.000000, 6.457516)],
    ),
    "C, the expected, with more draws": (
        [Rating(31.5, 2.25), Rating(22, 5.5)],
        [0, 1],
        0.25,
        [(31.694936, 2.218989), (20.836526, 5.007256)],
    ),
    "D, a surprise": (
        [Rating(18, 1.2), Rating(38, 1.4)],
        [0, 1],
        0.10,
        [(18.847772, 1.181254), (36.847557, 1.368073)],
    ),
    "E, four with a tie": (
        [DEFAULT, Rating(30, 4), Rating(22, 3), Rating(28, 6)],
        [1, 0, 2, 1],
        0.10,
        [
            (26.230580, 4.935442),
            (31.626418, 3.621433),
            (21.168266, 2.835843),
            (27.028463, 4.375863),
        ],
    ),
    "G, ten newcomers": (
        [DEFAULT] * 10,
        list(range(10)),
        0.10,
        [
            (37.933639, 5.587189),
            (33.692381, 4.980818),
            (30.797514, 4.784622),
            (28.354758, 4.698275),
            (26.100369, 4.663173),
            (23.899631, 4.663173),
            (21.645242, 4.698275),
            (19.202486, 4.784622),
            (16.307619, 4.980818),
            (12.066361, 5.587189),
        ],
    ),
}


@pytest.mark.parametrize("name", VECTORS)
def test_the_published_vectors_come_out_to_six_digits(name: str) -> None:
    ratings, ranks, draw_probability, expected = VECTORS[name]

    found = rate(ratings, ranks, tau=TAU, draw_probability=draw_probability)

    assert [(round(rating.mu, 6), round(rating.sigma, 6)) for rating in found] == expected


def test_two_players_agree_with_the_closed_form_in_forty_digits() -> None:
    """The equations of Herbrich, Minka and Graepel (2006) for one against one, no tie."""
    mp: Any = mpmath.mp.clone()
    mp.dps = 40
    first, second = Rating(27.25, 3.5), Rating(24.0, 6.25)
    c = mp.sqrt(2 * mp.mpf(BETA) ** 2 + mp.mpf(first.sigma) ** 2 + mp.mpf(second.sigma) ** 2)
    # The quantile at (0.10 + 1) / 2, by which a draw has a probability of 0.10.
    margin = mp.sqrt(2) * BETA * mp.sqrt(2) * mp.erfinv(mp.mpf("0.10"))
    x = (mp.mpf(first.mu) - second.mu - margin) / c
    v = mp.npdf(x) / mp.ncdf(x)
    w = v * (v + x)
    exact = [
        (
            rating.mu + sign * mp.mpf(rating.sigma) ** 2 / c * v,
            rating.sigma * mp.sqrt(1 - mp.mpf(rating.sigma) ** 2 / c**2 * w),
        )
        for rating, sign in ((first, 1), (second, -1))
    ]

    found = rate([first, second], [1, 2], tau=0)

    for rating, (mu, sigma) in zip(found, exact, strict=True):
        assert abs(rating.mu - mu) < 1e-10
        assert abs(rating.sigma - sigma) < 1e-10


@pytest.mark.parametrize("gap", [200.0, 250.0, 400.0, 1e4, 1e8])
@pytest.mark.parametrize("ranks", [[1, 2], [1, 1], [2, 1]])
def test_a_gap_too_large_for_a_double_is_computed_all_the_same(
    gap: float, ranks: list[int]
) -> None:
    """Beyond 38 standard deviations, here a gap of 230, a double holds no such probability."""
    low, high = Rating(0.0, 1.0), Rating(gap, 1.0)

    after_low, after_high = rate([low, high], ranks, tau=0)

    assert low.mu <= after_low.mu < after_high.mu <= high.mu
    assert after_low.sigma <= low.sigma
    assert after_high.sigma <= high.sigma
    if ranks != [2, 1]:
        # So great a surprise moves both by their share of the gap that beta leaves them.
        share = 1 / (2 * BETA**2 + 2)
        assert math.isclose(after_low.mu, gap * share, rel_tol=0.05)
        assert math.isclose(after_low.mu - low.mu, high.mu - after_high.mu, rel_tol=1e-6)


def test_the_ways_to_compute_meet_where_one_takes_over() -> None:
    """No jump between what a double computes and what it leaves to mpmath."""
    gaps = [220.0 + step for step in range(20)]
    moves = [rate([Rating(0.0, 1.0), Rating(gap, 1.0)], [1, 2], tau=0)[0].mu for gap in gaps]

    steps = [later - earlier for earlier, later in pairwise(moves)]
    assert max(steps) - min(steps) < 1e-4


def test_what_nothing_can_compute_is_said() -> None:
    with pytest.raises(NotComputable, match=r"no update can be computed from .* ranks \[1, 2\]"):
        rate([Rating(0.0, 1.0), Rating(1e30, 1.0)], [1, 2], tau=0)


def test_a_rating_begins_at_25_and_shows_what_is_exceeded_almost_surely() -> None:
    assert (MU, SIGMA, BETA) == (25, 25 / 3, 25 / 6)
    assert Rating() == Rating(25, 25 / 3)
    assert Rating().score == 0
    assert Rating(30, 2).score == 24


def test_nobody_elses_precision_changes_ours() -> None:
    expected = rate([Rating(0.0, 1.0), Rating(400.0, 1.0)], [1, 2], tau=0)
    before = mpmath.mp.dps
    try:
        mpmath.mp.dps = 3
        found = rate([Rating(0.0, 1.0), Rating(400.0, 1.0)], [1, 2], tau=0)
    finally:
        mpmath.mp.dps = before

    assert found == expected
