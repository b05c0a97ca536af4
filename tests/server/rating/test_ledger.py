"""Ratings in the store."""

from __future__ import annotations

import pytest

from kitumaija.server.rating import (
    RatingTable,
    load_table,
    rebuild_table,
    results_of,
    save_table,
)
from kitumaija.server.store import Store, matches, ratings
from tests.support.stores import add_cup, begin_match, finish_match, later, placed

ENTRANTS = ("ada", "bo", "cy")


@pytest.fixture
def cup(store: Store) -> Store:
    """A store with a tournament of three, numbers 0 to 5 begun."""
    with store.write() as tx:
        add_cup(tx, *ENTRANTS)
    for number, seats in enumerate([("ada", "bo"), ("bo", "cy"), ("cy", "ada")] * 2):
        begin_match(store, number, *seats)
    return store


def _advance(store: Store) -> RatingTable:
    with store.write() as tx:
        table = load_table(tx, "cup", 2, ENTRANTS)
        table = table.apply_all(results_of(tx, "cup", 2, first=table.rated))
        save_table(tx, "cup", 2, table)
        return table


def test_ratings_go_as_far_as_the_schedule_is_settled_without_a_gap(cup: Store) -> None:
    assert _advance(cup) == RatingTable.of(ENTRANTS)
    for number in (1, 3):
        finish_match(cup, f"cup-2-{number}-1")
    assert _advance(cup).rated == 0

    finish_match(cup, "cup-2-0-1")
    table = _advance(cup)

    assert (table.rated, table.games) == (2, 2)
    with cup.read() as tx:
        stored = ratings.load(tx, "cup", 2)
        assert stored is not None
        assert stored.rated == 2
        assert load_table(tx, "cup", 2, ENTRANTS) == table


def test_whatever_the_order_of_the_endings_the_table_is_the_same(cup: Store) -> None:
    for number in (5, 2, 0, 4, 1, 3):
        match_id = f"cup-2-{number}-1"
        if number == 4:
            with cup.write() as tx:
                matches.cancel(tx, match_id, 1, reason="x", ended_at=later(1))
        else:
            with cup.read() as tx:
                sat = [seat.bot_id for seat in matches.seats(tx, match_id)]
            finish_match(cup, match_id, placed(match_id, *sat, decisions=number))
        _advance(cup)

    with cup.read() as tx:
        assert load_table(tx, "cup", 2, ENTRANTS) == rebuild_table(tx, "cup", 2, ENTRANTS)
        assert load_table(tx, "cup", 2, ENTRANTS).rated == 6
        assert load_table(tx, "cup", 2, ENTRANTS).games == matches.counts(tx, "cup").finished


def test_rebuilding_needs_the_results_alone(cup: Store) -> None:
    for number in range(6):
        finish_match(cup, f"cup-2-{number}-1")
    expected = _advance(cup)
    with cup.write() as tx:
        ratings.save(tx, "cup", 2, 1, {"form": "nonsense"})

    with cup.read() as tx:
        assert rebuild_table(tx, "cup", 2, ENTRANTS) == expected
        with pytest.raises(ValueError, match="rebuild them"):
            load_table(tx, "cup", 2, ENTRANTS)


def test_results_stop_at_the_first_number_that_is_open(cup: Store) -> None:
    for number in (0, 1, 2, 4):
        finish_match(cup, f"cup-2-{number}-1")

    with cup.read() as tx:
        assert [result.number for result in results_of(tx, "cup", 2)] == [0, 1, 2]
        assert [result.number for result in results_of(tx, "cup", 2, first=2)] == [2]
        assert list(results_of(tx, "cup", 2, first=3)) == []
