from __future__ import annotations

import pytest

from kitumaija.server.match.trail import Trail


def test_a_longer_trail_has_the_items_of_the_shorter_and_its_own() -> None:
    short = Trail([1, 2])
    long = short.plus(3, 4)
    assert list(short) == [1, 2]
    assert list(long) == [1, 2, 3, 4]
    assert len(long) == 4


def test_two_trails_that_grow_out_of_one_do_not_see_each_other() -> None:
    stem = Trail([1])
    left, right = stem.plus(2), stem.plus(3)
    assert list(left) == [1, 2]
    assert list(right) == [1, 3]
    assert list(stem) == [1]
    assert list(left.plus(4)) == [1, 2, 4]
    assert list(right.plus(5)) == [1, 3, 5]


def test_the_empty_trail_keeps_nothing_of_what_grew_out_of_it() -> None:
    empty: Trail[int] = Trail()
    grown = empty.plus(1)
    assert list(empty) == []
    assert list(grown) == [1]
    assert empty._items == []


def test_since_gives_the_items_from_a_number_on() -> None:
    trail = Trail("abc").plus("d")
    assert trail.since(2) == ("c", "d")
    assert trail.since(4) == ()


def test_trails_are_equal_if_their_items_are() -> None:
    assert Trail([1]).plus(2) == Trail([1, 2])
    assert Trail([1]) != Trail([2])
    assert Trail([1]) != [1]


@pytest.mark.parametrize("index", [-1, 2])
def test_an_index_outside_is_an_error_that_says_what_is_wanted(index: int) -> None:
    long = Trail([1, 2])
    long.plus(3)
    with pytest.raises(IndexError, match="from 0 to 1"):
        long[index]


def test_an_index_inside_gives_the_item() -> None:
    assert Trail([7, 8])[1] == 8


def test_a_trail_shows_its_items() -> None:
    assert repr(Trail([1, 2])) == "Trail([1, 2])"
