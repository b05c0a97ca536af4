"""Families of tables: how evenly they let everybody meet everybody, and that they stay the same."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from kitumaija.server.schedule.families import SPREAD_MAX, family, least_spread
from kitumaija.server.schedule.turns import even_order


@pytest.mark.parametrize(
    ("points", "size", "count", "spread"),
    [
        (7, 3, 1, 0),  # the seven points and lines of the smallest projective plane
        (13, 4, 1, 0),  # and of the plane of order three
        (11, 5, 1, 0),  # the biplane of eleven points
        (16, 6, 2, 0),
        (12, 4, 10, 1),
        (12, 10, 2, 1),
        (20, 10, 5, 1),
        (40, 4, 6, 1),
        (40, 10, 5, 1),
        (24, 2, 5, 1),
        (8, 7, 3, 0),
    ],
)
def test_a_family_is_as_even_as_is_known(points: int, size: int, count: int, spread: int) -> None:
    found = family(points, size, count)
    assert found.spread == spread
    assert spread >= least_spread(points, size, count)
    assert spread <= SPREAD_MAX

    met: Counter[tuple[int, ...]] = Counter()
    for table in found.tables:
        assert len(set(table)) == size
        assert even_order(table, points) is not None
        for turn in range(points):
            turned = sorted((place + turn) % points for place in table)
            met.update(combinations(turned, 2))
    assert len(found.tables) == count
    counts = [met[pair] for pair in combinations(range(points), 2)]
    assert max(counts) - min(counts) == spread


def test_a_family_stays_as_it_was_published() -> None:
    assert family(7, 3, 1).tables == GOLDEN_PLANE
    assert family(12, 4, 2).tables == GOLDEN


GOLDEN_PLANE = ((3, 4, 6),)
GOLDEN = ((3, 8, 10, 11), (3, 4, 7, 9))


def test_what_is_no_family_is_refused() -> None:
    with pytest.raises(ValueError, match="got 1 of 7"):
        family(7, 7, 1)
    with pytest.raises(ValueError, match="got 0 of 3"):
        family(7, 3, 0)
