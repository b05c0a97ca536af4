"""All tables, up to turning the circle."""

from __future__ import annotations

from itertools import combinations

import pytest

from kitumaija.server.schedule.orbits import full_orbits, orbits


@pytest.mark.parametrize("points", range(2, 13))
def test_the_turns_of_all_orbits_are_every_table_once(points: int) -> None:
    for size in range(2, min(points, 10) + 1):
        found = orbits(points, size)
        assert len(found.full) == full_orbits(points, size)
        turned = [
            tuple(sorted((place + turn) % points for place in table))
            for table, tables in [*((table, points) for table in found.full), *found.short]
            for turn in range(tables)
        ]
        assert sorted(turned) == list(combinations(range(points), size))


def test_they_come_in_the_order_of_their_gaps() -> None:
    assert orbits(7, 3).full == ((0, 1, 2), (0, 1, 3), (0, 1, 4), (0, 1, 5), (0, 2, 4))
    assert orbits(6, 4).short == (((0, 1, 3, 4), 3),)


def test_orbits_that_nobody_lists_are_counted() -> None:
    assert full_orbits(102, 4) == 41_650
