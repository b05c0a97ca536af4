"""What results say of skill."""

from __future__ import annotations

import numpy as np
import pytest

from kitumaija.server.rating import RatedResult
from kitumaija.server.rating.fit.comparisons import Comparisons
from tests.support.placed import game


def _said(comparisons: Comparisons) -> dict[tuple[str, str], tuple[float, float]]:
    """How often each pair met, and how often the first of it came in before the second."""
    met, before = comparisons.totals(np.ones(comparisons.sets))
    return {
        (comparisons.bots[a], comparisons.bots[b]): (met[pair], before[pair])
        for pair, (a, b) in enumerate(comparisons.pairs.tolist())
    }


def test_a_table_says_of_each_pair_who_came_in_before_whom_and_a_shared_place_is_half() -> None:
    found = Comparisons.of([game(0, "cy", "ada", "bo", places=(1, 2, 2))])

    assert found.bots == ("ada", "bo", "cy")
    assert _said(found) == {("ada", "bo"): (1, 0.5), ("ada", "cy"): (1, 0), ("bo", "cy"): (1, 0)}


def test_a_forfeited_seat_and_an_absent_bot_are_compared_with_nobody() -> None:
    forfeit = game(0, "ada", "bo", "cy", forfeited="cy")
    absence = RatedResult(1, ("ada", "bo"), (2, 1), (False, False), absent=("dee",))

    found = Comparisons.of([forfeit, absence])

    assert _said(found) == {("ada", "bo"): (2, 1)}


def test_a_match_of_which_all_but_one_were_forfeited_says_nothing() -> None:
    found = Comparisons.of([game(0, "ada", "bo", forfeited="bo")])

    assert found.bots == ()
    assert found.sets == 0


def test_a_set_is_as_many_matches_of_a_table_as_it_has_seats_in_schedule_order() -> None:
    pair = [game(number, "ada", "bo") for number in (7, 1, 4)]
    other = [game(number, "ada", "bo", "cy") for number in (0, 9, 3, 2)]

    found = Comparisons.of([*pair, *other])

    met, before = found.totals(np.eye(found.sets))
    assert found.sets == 4
    assert found.sets_of.tolist() == [4, 4, 2]
    assert sorted(found.bots_in.tolist()) == [2, 2, 3, 3]
    assert sorted(met[:, 0].tolist()) == [1, 1, 2, 3]
    assert (before <= met).all()


def test_a_match_that_a_bot_did_not_come_to_is_of_a_set_of_those_who_came() -> None:
    whole = [game(0, "ada", "bo", "cy"), game(1, "bo", "cy", "ada")]
    without = RatedResult(2, ("cy", "ada"), (1, 2), (False, False), absent=("bo",))

    assert sorted(Comparisons.of([*whole, without]).bots_in.tolist()) == [2, 3]


def test_two_results_of_one_number_are_refused() -> None:
    with pytest.raises(ValueError, match="got two results of number 3"):
        Comparisons.of([game(3, "ada", "bo"), game(3, "bo", "ada")])
