"""Rounds as they are kept."""

from __future__ import annotations

import pytest

from kitumaija.server.store import AlreadyStored, NotStored, RoundRow, Store, rounds
from tests.support.stores import add_cup

FIRST = RoundRow("cup", 2, 0, 0, (("ada", "bö"), ("cy", "di")), ("eve",))
SECOND = RoundRow("cup", 2, 1, 4, (("ada", "eve"),), ("bö",))


def test_rounds_are_kept_in_order_each_with_its_points_once_it_is_over(store: Store) -> None:
    with store.write() as tx:
        add_cup(tx, "ada")
        assert rounds.last(tx, "cup", 2) is None
        rounds.add(tx, FIRST)
        rounds.close(tx, "cup", 2, 0, {"ada": 4, "bö": 0})
        rounds.add(tx, SECOND)

    with store.read() as tx:
        first, second = rounds.of(tx, "cup", 2)
        assert first.points == {"ada": 4, "bö": 0}
        assert (first.tables, first.byes, first.matches) == (FIRST.tables, FIRST.byes, 4)
        assert second == SECOND
        assert rounds.last(tx, "cup", 2) == SECOND
        assert rounds.of(tx, "cup", 3) == ()
        assert rounds.starts(tx, "cup") == (0, 4)


def test_the_round_of_a_match_is_found_by_its_number(store: Store) -> None:
    with store.write() as tx:
        add_cup(tx, "ada")
        assert rounds.of_match(tx, "cup", 2, 0) is None
        rounds.add(tx, FIRST)
        rounds.close(tx, "cup", 2, 0, {})
        rounds.add(tx, SECOND)
        found = [rounds.of_match(tx, "cup", 2, number) for number in (0, 3, 4, 5)]
    assert [row.number for row in found if row] == [0, 0, 1, 1]
    # One without points is over like any other.
    assert found[0] is not None
    assert found[0].points == {}


def test_a_round_is_drawn_once_and_closed_once(store: Store) -> None:
    with store.write() as tx:
        add_cup(tx, "ada")
        rounds.add(tx, FIRST)
        rounds.close(tx, "cup", 2, 0, {"ada": 4})
    with pytest.raises(AlreadyStored), store.write() as tx:
        rounds.add(tx, FIRST)
    with pytest.raises(NotStored, match="no round 0 of 'cup' is open"), store.write() as tx:
        rounds.close(tx, "cup", 2, 0, {"ada": 5})
    with pytest.raises(NotStored), store.write() as tx:
        rounds.close(tx, "cup", 2, 1, {})
