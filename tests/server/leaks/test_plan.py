"""The rounds of the leak check: what they cover."""

from __future__ import annotations

from typing import Any

import pytest

from kitumaija.server.choices import HandsVisible, IllegalActions
from kitumaija.server.leaks import Ending, rounds

SIZES = range(2, 11)


def test_rounds_cover_every_number_of_seats_with_every_way_to_end_and_every_option() -> None:
    games = 2 * len(SIZES) * len(Ending)
    played = list(rounds(games, seed="cover"))

    assert {(one.seats, one.ending) for one in played} == {
        (seats, ending) for seats in SIZES for ending in Ending
    }
    for name in ("free_from_stock", "pickup", "stopped", "hand_sizes"):
        kind: Any = type(getattr(played[0].options, name))
        assert {getattr(one.options, name) for one in played} == set(kind)
    assert {(one.ending, one.blind) for one in played} == {
        (ending, blind) for ending in Ending for blind in (False, True)
    }
    assert {one.forgiven for one in played} == {0, 1}
    assert {one.illegal for one in played} == set(IllegalActions)
    assert {one.hands_visible for one in played} == set(HandsVisible)
    assert {one.same for one in played if one.blind} == {0, 1}
    assert {one.victim == one.watcher for one in played if not one.ending.is_away} == {True, False}
    assert sum(one.matches for one in played) == games


@pytest.mark.parametrize("seats", [[2], [4, 10]])
def test_a_few_sizes_meet_every_way_to_end_soon(seats: list[int]) -> None:
    played = list(rounds(2 * len(Ending) * len(seats), seed="few", seats=seats, concurrent=1))

    assert {(one.seats, one.ending) for one in played} == {
        (size, ending) for size in seats for ending in Ending
    }


def test_a_bot_too_many_is_there_wherever_it_is_hidden_who_sits_in_a_match() -> None:
    for one in rounds(200, seed="bots"):
        more = len(one.bots) - one.seats
        assert (more > 0) == one.hides_who == (one.blind or not one.ending.begins)


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(ValueError, match="seats: got 11, wanted 2 to 10"):
        next(rounds(1, seed="wrong", seats=[11]))
    with pytest.raises(ValueError, match="games: got 0"):
        next(rounds(0, seed="wrong"))
