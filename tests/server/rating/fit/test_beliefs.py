"""What is believed of the strengths, and how surely."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from kitumaija.server.rating.fit import POINTS, fit
from kitumaija.server.rating.fit.beliefs import groups
from kitumaija.server.rating.fit.comparisons import Comparisons
from kitumaija.server.rating.fit.model import strengths
from kitumaija.server.rating.fit.resampling import replicates
from tests.support.placed import game, round_robin

BOTS = ["a", "b", "c", "d", "e", "f"]


def test_intervals_narrow_with_the_root_of_the_games() -> None:
    def width(rounds: int) -> float:
        found = fit(BOTS, round_robin(BOTS, 3, rounds=rounds, seed="w"), table_size=3, seed=b"")
        return float(np.mean([row.high - row.low for row in found.rows]))

    assert width(2) / width(18) == pytest.approx(3, rel=0.25)


def test_replicates_scatter_as_the_theory_of_one_strength_says() -> None:
    # Of 2,000 games between two, 1,200 won: the standard error of the odds' logarithm is known.
    results = [game(n, *(("a", "b") if n % 10 < 6 else ("b", "a"))) for n in range(2000)]
    # Shuffled, so that no set is made of one kind.
    order = np.random.default_rng(2).permutation(2000).tolist()
    shuffled = [game(number, *results[of].seats) for number, of in enumerate(order)]
    comparisons = Comparisons.of(shuffled)

    drawn = replicates(comparisons, strengths(comparisons), seed=b"x", count=4000)

    expected = 1 / math.sqrt(2000 * 0.6 * 0.4)
    assert (drawn[:, 0] - drawn[:, 1]).std() == pytest.approx(expected, rel=0.08)


def test_matches_of_a_set_that_always_end_alike_are_no_more_evidence_than_one() -> None:
    def width(*, alike: bool) -> float:
        rng = np.random.default_rng(3)
        tables = []
        for of_set in range(60):
            first = rng.random() < 0.5
            for at in range(2):
                won = first if alike else rng.random() < 0.5
                tables.append(game(2 * of_set + at, *(("a", "b") if won else ("b", "a"))))
        found = fit("ab", tables, table_size=2, seed=b"s")
        return found.rows[0].high - found.rows[0].low

    assert width(alike=True) / width(alike=False) == pytest.approx(math.sqrt(2), rel=0.15)


def test_the_chances_of_a_pair_add_up_to_one_and_follow_the_order() -> None:
    found = fit(BOTS, round_robin(BOTS, 3, rounds=2, seed="p"), table_size=3, seed=b"")

    above = np.array(found.above)
    assert above + above.T == pytest.approx(np.ones((6, 6)))
    assert (above[0, 1:] > 0.5).all()
    assert (np.diff(above[0]) > -0.05).all()
    assert 0 < above.min() < above.max() < 1


def test_ranks_and_groups_tell_one_story() -> None:
    found = fit(BOTS, round_robin(BOTS, 3, rounds=8, seed="g"), table_size=3, seed=b"")

    assert all(row.best <= row.rank <= row.worst for row in found.rows)
    assert all(one.best <= two.best and one.worst <= two.worst for one, two in pairwise(found.rows))
    alone = {row.bot_id for row in found.rows if row.best == row.worst}
    assert not alone & {bot for group in found.alike for bot in group}
    assert found.rows[0].bot_id == "f"
    assert found.rows[0].worst < 6


def test_after_one_set_nothing_is_sure_of_anybody() -> None:
    found = fit("ab", [game(0, "a", "b"), game(1, "b", "a")], table_size=2, seed=b"")

    assert [(row.low, row.high) for row in found.rows] == [(-math.inf, math.inf)] * 2
    assert [(row.best, row.worst) for row in found.rows] == [(1, 2)] * 2
    assert found.alike == (("a", "b"),)


def test_an_unbeaten_bot_has_a_wide_interval_and_not_an_empty_one() -> None:
    results = [game(n, *(("b", "c"), ("a", "b"), ("c", "b"), ("a", "c"))[n % 4]) for n in range(48)]

    found = fit("abc", results, table_size=2, seed=b"u")

    best = found.rows[0]
    assert best.bot_id == "a"
    assert best.high - best.low > 100
    assert best.high < 10 * POINTS


def test_groups_are_the_longest_runs_without_a_pair_apart() -> None:
    apart = np.zeros((5, 5), dtype=bool)
    apart[0, 3] = apart[0, 4] = apart[1, 4] = apart[2, 4] = apart[3, 4] = True

    assert groups([0, 1, 2, 3, 4], apart) == [[0, 1, 2], [1, 2, 3]]
    assert groups([0, 1], ~np.eye(2, dtype=bool)) == []
