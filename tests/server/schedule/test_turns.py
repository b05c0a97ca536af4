"""The order of a table's turns: nobody gets more than a game ahead of the rounds, or behind."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitumaija.server.schedule.orbits import orbits
from kitumaija.server.schedule.turns import even_order, is_even, joint_order, round_end


def furthest(tables: Sequence[Sequence[int]], points: int, order: Sequence[tuple[int, int]]) -> int:
    """How far anybody is from the rounds that are over, counted game by game."""
    size, games = len(tables[0]), [0] * points
    rounds = len(order) * size // points
    ends = {round_end(number, points, size): number for number in range(1, rounds + 1)}
    worst = 0
    for match, (which, turn) in enumerate(order, start=1):
        for place in tables[which]:
            games[(place + turn) % points] += 1
        if match in ends:
            worst = max(worst, max(games) - ends[match], ends[match] - min(games))
    return worst


@pytest.mark.parametrize("points", range(3, 14))
def test_two_tables_of_up_to_thirteen_have_an_even_order_together(points: int) -> None:
    for size in range(2, min(points - 1, 10) + 1):
        full = orbits(points, size).full
        for number in range(0, len(full) - 1, 2):
            tables = full[number : number + 2]
            order = joint_order(tables, points)
            assert sorted(order) == [(which, turn) for which in (0, 1) for turn in range(points)]
            assert furthest(tables, points, order) <= 1


@pytest.mark.parametrize("points", range(3, 14))
def test_the_tables_that_are_turned_alone_have_an_even_order(points: int) -> None:
    for size in range(2, min(points, 10) + 1):
        found = orbits(points, size)
        alone = [(found.full[-1], points)] if len(found.full) % 2 else []
        for table, tables in [*alone, *found.short]:
            folded = sorted({place % tables for place in table})
            order = even_order(folded, tables)
            assert order is not None
            assert furthest([folded], tables, [(0, turn) for turn in order]) <= 1


def test_a_table_without_an_order_of_its_own_has_one_with_another() -> None:
    """Any two turns of the plane of order three leave one place out alike: too few to be even."""
    plane = tuple(place for place in range(13) if place not in {0, 1, 3, 9})
    assert even_order(plane, 13) is None
    other = (0, 1, 2, 3, 4, 5, 6, 7, 8)
    assert furthest([plane, other], 13, joint_order([plane, other], 13)) <= 1


@given(st.data())
def test_the_rule_on_gaps_is_the_count_of_games(data: st.DataObject) -> None:
    points = data.draw(st.integers(3, 30))
    table = tuple(sorted(data.draw(st.sets(st.integers(0, points - 1), min_size=2, max_size=10))))
    step = data.draw(st.integers(1, points - 1).filter(lambda step: gcd(step, points) == 1))
    order = [(0, step * number % points) for number in range(points)]
    assert is_even(table, points, step) == (furthest([table], points, order) <= 1)


def test_a_round_is_over_when_as_many_seats_were_filled_as_there_are_players() -> None:
    assert [round_end(number, 7, 3) for number in range(1, 4)] == [3, 5, 7]
    assert [round_end(number, 12, 4) for number in range(1, 5)] == [3, 6, 9, 12]
