"""The official update: equal treatment of equals, whatever their seats and order."""

from __future__ import annotations

import math
from itertools import permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kitumaija.server.rating import NotComputable, Rating, update
from kitumaija.server.rating.backend import rate

NEWCOMER = Rating()
IDS = ("ada", "bo", "cy", "dee", "eve", "fay")

SKILLS = st.builds(
    Rating, mu=st.floats(0, 50, allow_nan=False), sigma=st.floats(0.5, 25 / 3, allow_nan=False)
)


# What rounding once moved the wrong way: a winner by more than anybody doubted.
FOREGONE = (
    [
        Rating(63.93776444193415, 0.3216742538238691),
        Rating(66.9719127221553, 0.4695024858098057),
        Rating(-11.706150089801499, 0.38652837188104316),
    ],
    [2, 1, 2],
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Rating], list[int]]:
    """Up to six players, some of whom are equals, with places of which some are shared."""
    size = draw(st.integers(2, 6))
    few = draw(st.lists(SKILLS, min_size=1, max_size=3))
    ratings = draw(st.lists(st.sampled_from(few), min_size=size, max_size=size))
    ranks = draw(st.lists(st.integers(1, size), min_size=size, max_size=size))
    return ratings, ranks


@given(tables(), st.randoms())
@settings(max_examples=60)
def test_seats_and_the_order_of_input_change_nothing(
    table: tuple[list[Rating], list[int]], chance: object
) -> None:
    ratings, ranks = table
    ids = IDS[: len(ratings)]
    expected = dict(zip(ids, update(ratings, ranks, ids), strict=True))

    order = list(range(len(ids)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    found = update(
        [ratings[player] for player in order],
        [ranks[player] for player in order],
        [ids[player] for player in order],
    )

    assert dict(zip([ids[player] for player in order], found, strict=True)) == expected


@given(tables())
@settings(max_examples=60)
def test_equals_who_tie_stay_equal(table: tuple[list[Rating], list[int]]) -> None:
    ratings, ranks = table

    found = update(ratings, ranks, IDS[: len(ratings)])

    for first in range(len(found)):
        for second in range(first):
            if (ratings[first], ranks[first]) == (ratings[second], ranks[second]):
                assert found[first] == found[second]


@given(tables())
@example(FOREGONE)
@settings(max_examples=60)
def test_a_sole_winners_mean_never_falls_and_no_deviation_rises(
    table: tuple[list[Rating], list[int]],
) -> None:
    ratings, ranks = table

    found = update(ratings, ranks, IDS[: len(ratings)])

    assert all(after.sigma <= before.sigma for before, after in zip(ratings, found, strict=True))
    if ranks.count(min(ranks)) == 1:
        winner = ranks.index(min(ranks))
        assert found[winner].mu >= ratings[winner].mu


@pytest.mark.parametrize("seats", list(permutations(range(4)))[::5])
def test_tied_newcomers_stay_equal_to_a_millionth_in_every_seat(seats: tuple[int, ...]) -> None:
    ranks = [(1, 2, 2, 2)[seat] for seat in seats]

    found = update([NEWCOMER] * 4, ranks, IDS[:4])

    tied = [rating for rating, rank in zip(found, ranks, strict=True) if rank == 2]
    assert max(rating.mu for rating in tied) - min(rating.mu for rating in tied) < 1e-6
    assert max(rating.sigma for rating in tied) - min(rating.sigma for rating in tied) < 1e-6


def test_the_package_alone_would_part_three_equals_who_tie() -> None:
    """Why there is an official update at all."""
    raw = rate([NEWCOMER] * 3, [1, 1, 1], tau=0)

    assert raw[0].sigma - raw[1].sigma > 1e-3
    assert len(set(update([NEWCOMER] * 3, [1, 1, 1], IDS[:3]))) == 1


def test_without_ties_it_is_the_package_in_canonical_order() -> None:
    ratings = [Rating(28, 6), Rating(25, 8), Rating(22, 3)]

    found = update(ratings, [2, 3, 1], IDS[:3])

    assert (found[2], found[0], found[1]) == rate(
        [ratings[2], ratings[0], ratings[1]], [1, 2, 3], tau=0
    )


def test_with_ties_it_is_the_mean_of_both_orders_of_every_tied_group() -> None:
    a, b, c, d, e = ratings = [Rating(20 + 3 * player, 4 + player) for player in range(5)]

    found = update(ratings, [1, 1, 3, 4, 4], IDS[:5])

    forward = rate([a, b, c, d, e], [1, 1, 3, 4, 4], tau=0)
    backward = rate([b, a, c, e, d], [1, 1, 3, 4, 4], tau=0)
    for player, other in enumerate([1, 0, 2, 4, 3]):
        assert math.isclose(found[player].mu, (forward[player].mu + backward[other].mu) / 2)
        assert math.isclose(
            found[player].sigma, (forward[player].sigma + backward[other].sigma) / 2
        )


def test_only_the_order_of_the_places_counts() -> None:
    ratings = [Rating(28, 6), Rating(25, 8), Rating(22, 3)]

    assert update(ratings, [1, 2, 2], IDS[:3]) == update(ratings, [3, 90, 90], IDS[:3])


def test_alone_nobody_is_rated() -> None:
    assert update([NEWCOMER], [1], ["ada"]) == (NEWCOMER,)
    assert update([], [], []) == ()


@pytest.mark.parametrize(
    ("ratings", "ranks", "ids"),
    [
        ([NEWCOMER], [1, 2], ["ada", "bo"]),
        ([NEWCOMER, NEWCOMER], [1], ["ada", "bo"]),
        ([NEWCOMER, NEWCOMER], [1, 2], ["ada"]),
        ([NEWCOMER, NEWCOMER], [1, 2], ["ada", "ada"]),
    ],
)
def test_parts_that_do_not_fit_are_refused(
    ratings: list[Rating], ranks: list[int], ids: list[str]
) -> None:
    with pytest.raises(ValueError, match="wanted one of each for every player, and no id twice"):
        update(ratings, ranks, ids)


def test_what_cannot_be_computed_is_said() -> None:
    with pytest.raises(NotComputable):
        update([Rating(0, 1), Rating(1e30, 1)], [1, 2], IDS[:2])
