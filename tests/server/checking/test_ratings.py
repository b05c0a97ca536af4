"""Ratings that the results do not make: what the check says to them."""

from __future__ import annotations

import json

from tests.server.checking.damages import rating_state, said
from tests.support.busy_store import FINISHED, Busy, Damage


def test_a_rating_that_the_results_do_not_make_is_found(either: Busy) -> None:
    with either.damaged() as damage:
        _change_table(damage, "mu", 26.0)
        sentence = said(damage)
    assert sentence.startswith(
        "the tournament 'cup', 3 seats: 'ann' is stored with mu 26.000000, sigma "
    )
    assert "and the results make it mu " in sentence


def test_games_that_the_results_do_not_hold_are_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        _change_table(damage, "games", 4)
        assert said(damage) == (
            "the tournament 'cup', 3 seats: 'ann' has 4 games in the ratings, and the results "
            "hold 3"
        )


def test_ratings_that_are_not_there_are_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        damage.run("DELETE FROM rating_states WHERE tournament_id = 'cup' AND table_size = 3")
        assert said(damage) == (
            "the tournament 'cup', 3 seats: was started and has no ratings stored"
        )


def test_a_finished_tournament_that_is_not_rated_to_its_end_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        damage.run(
            "UPDATE rating_states SET rated = 3 WHERE tournament_id = 'cup' AND table_size = 2"
        )
        assert said(damage) == (
            "the tournament 'cup', 2 seats: its row has 3 rated, and its table 6"
        )


def _change_table(damage: Damage, name: str, value: float) -> None:
    state = rating_state(damage, FINISHED, 3)
    state["entries"]["ann"][name] = value
    damage.run(
        "UPDATE rating_states SET state = :s WHERE tournament_id = 'cup' AND table_size = 3",
        s=json.dumps(state),
    )
