"""Whether the best are known, however often one looks."""

from __future__ import annotations

import numpy as np
import pytest

from kitumaija.server.goal import LOOKS, Goal, Settled
from kitumaija.server.rating import RatedResult
from kitumaija.server.rating.fit.comparisons import Comparisons
from kitumaija.server.rating.fit.model import strengths
from kitumaija.server.rating.fit.resampling import replicates
from kitumaija.server.rating.fit.settling import deviations, settled_by, when_settled
from tests.support.placed import round_robin

BOTS = ("a", "b", "c", "d", "e", "f")
TOP_TWO = Goal.of("top 2 settled at 95 %")
RESULTS = round_robin(BOTS, 2, rounds=40, seed="settling")


def _when(
    goal: Goal, *, settled: int = len(RESULTS), contenders: tuple[str, ...] = BOTS
) -> Settled | None:
    return when_settled(
        RESULTS[:settled],
        goal,
        planned=len(RESULTS),
        settled=settled,
        contenders=contenders,
        table_size=2,
    )


def test_what_is_settled_stays_so_whatever_comes_after_and_is_not_before() -> None:
    found = _when(TOP_TWO)

    assert found is not None
    assert set(found.best) == {"e", "f"}
    assert 1 < found.look < LOOKS
    assert _when(TOP_TWO, settled=found.matches) == found
    assert _when(TOP_TWO, settled=found.matches - 1) is None


def test_their_order_takes_longer_to_know_than_who_they_are() -> None:
    found = _when(TOP_TWO)
    in_order = _when(Goal.of("order of top 2 settled at 95 %"))

    assert found is not None
    assert in_order is None or in_order.look >= found.look


def test_bots_that_are_alike_are_not_settled() -> None:
    rng = np.random.default_rng(8)
    results = [
        RatedResult(number, seats, (1, 2) if rng.random() < 0.5 else (2, 1), (False, False))
        for number, seats in enumerate(result.seats for result in RESULTS)
    ]

    settled = when_settled(
        results,
        TOP_TWO,
        planned=len(results),
        settled=len(results),
        contenders=BOTS,
        table_size=2,
    )

    assert settled is None


def test_a_bot_that_left_is_not_among_the_best_nor_in_their_way() -> None:
    found = _when(TOP_TWO, contenders=("a", "b", "c", "d", "e"))

    assert found is None or "f" not in found.best
    comparisons = Comparisons.of(RESULTS)
    assert settled_by(comparisons, Goal(1, 0.95), bound=0.1, contenders=("a", "f")) == ("f",)
    assert settled_by(comparisons, Goal(1, 0.95), bound=0.1, contenders=("a", "b")) == ("b",)


def test_a_contender_without_a_game_leaves_everything_open() -> None:
    comparisons = Comparisons.of(RESULTS)

    assert settled_by(comparisons, TOP_TWO, bound=0.1, contenders=(*BOTS, "new")) is None


def test_half_a_set_counts_for_nothing() -> None:
    pair = [result for result in RESULTS if set(result.seats) == {"a", "b"}]

    assert Comparisons.of(pair[:3], whole=True).sets == 1
    assert Comparisons.of(pair[:3]).sets == 2


def test_the_standard_errors_are_the_scatter_of_the_replicates() -> None:
    comparisons = Comparisons.of(round_robin(BOTS, 3, rounds=10, seed="errors"))
    fitted = strengths(comparisons)

    drawn = replicates(comparisons, fitted, seed=b"e", count=2000)

    scatter = np.std(drawn[:, :, None] - drawn[:, None, :], axis=0)
    off = ~np.eye(6, dtype=bool)
    assert deviations(comparisons, fitted)[off] == pytest.approx(scatter[off], rel=0.08)
