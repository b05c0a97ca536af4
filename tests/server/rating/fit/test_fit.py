"""The batch fit as a whole."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from kitumaija.server.rating import RatedResult, rebuild
from kitumaija.server.rating.fit import fit
from kitumaija.server.rating.fit.comparisons import Comparisons
from kitumaija.server.rating.fit.model import strengths
from kitumaija.server.rating.fit.resampling import replicates
from tests.support.placed import game, round_robin

BOTS = [f"bot-{number}" for number in range(8)]


def test_the_same_two_thousand_results_in_fifty_orders_give_the_same_to_the_last_bit() -> None:
    results = round_robin(BOTS, 4, rounds=8, seed="orders")[:2000]
    assert len(results) == 2000
    expected = fit(BOTS, results, table_size=4, seed=b"public", count=20)
    rng = random.Random(50)

    for _ in range(50):
        rng.shuffle(results)
        assert fit(BOTS, results, table_size=4, seed=b"public", count=20) == expected


def test_the_fit_does_not_know_in_which_order_the_schedule_was_played() -> None:
    """Strengths and order; what is a set, and so how sure they are, is the schedule's to say."""
    results = round_robin(BOTS, 4, rounds=1, seed="schedule")
    expected = strengths(Comparisons.of(results))
    rng = random.Random(1)

    for _ in range(20):
        numbers = list(range(len(results)))
        rng.shuffle(numbers)
        elsewhen = [replace(one, number=at) for one, at in zip(results, numbers, strict=True)]
        assert (strengths(Comparisons.of(elsewhen)) == expected).all()


def test_where_results_are_few_the_official_order_depends_on_theirs_and_the_fit_does_not() -> None:
    results = round_robin(BOTS[:4], 2, rounds=2, seed="few")
    rng = random.Random(2)
    official, fitted = set(), set()
    for _ in range(20):
        rng.shuffle(results)
        renumbered = [replace(one, number=at) for at, one in enumerate(results)]
        table = rebuild(BOTS[:4], renumbered)
        official.add(tuple(round(table.entries[bot].rating.mu, 6) for bot in BOTS[:4]))
        fitted.add(tuple(strengths(Comparisons.of(renumbered)).tolist()))

    assert len(official) > 1
    assert len(fitted) == 1


def test_the_seed_alone_decides_the_draws() -> None:
    results = round_robin(BOTS[:5], 2, rounds=2, seed="draws")

    one = fit(BOTS, results, table_size=2, seed=b"one", count=200)

    assert fit(BOTS, results, table_size=2, seed=b"one", count=200) == one
    other = fit(BOTS, results, table_size=2, seed=b"two", count=200)
    assert [row.strength for row in other.rows] == [row.strength for row in one.rows]
    assert [row.low for row in other.rows] != [row.low for row in one.rows]


def test_how_much_is_computed_at_once_changes_nothing() -> None:
    comparisons = Comparisons.of(round_robin(BOTS[:5], 2, rounds=2, seed="pieces"))
    fitted = strengths(comparisons)

    def drawn(numbers_at_once: int) -> list[float]:
        found = replicates(
            comparisons, fitted, seed=b"p", count=50, numbers_at_once=numbers_at_once
        )
        return [float(value) for value in found.flat]

    assert drawn(1) == pytest.approx(drawn(10**9), abs=1e-12)


def test_forfeits_and_absences_are_counted_and_leave_every_strength_as_it_is() -> None:
    results = round_robin(BOTS[:4], 2, rounds=2, seed="apart")
    first = len(results)
    more = [
        game(first, "bot-0", "bot-3", forfeited="bot-3"),
        RatedResult(first + 1, ("bot-0",), absent=("bot-3",)),
    ]

    without = fit(BOTS[:4], results, table_size=2, seed=b"f", count=20)
    found = fit(BOTS[:4], [*results, *more], table_size=2, seed=b"f", count=20)

    assert found.rows == without.rows
    before, after = without.tallies["bot-3"], found.tallies["bot-3"]
    assert after.games == before.games + 2
    assert (after.forfeits, after.absences) == (before.forfeits + 1, 1)
    assert after.places == before.places
    # The one that stayed has the win in its tally, as it has in the standings.
    assert found.tallies["bot-0"].games == without.tallies["bot-0"].games + 1


def test_places_are_told_by_seat() -> None:
    results = [game(0, "a", "b"), game(1, "b", "a"), game(2, "a", "b", places=(1, 1))]

    tallied = fit("ab", results, table_size=2, seed=b"", count=20).tallies

    assert tallied["a"].places == ((2, 0), (0, 1))
    assert tallied["b"].places == ((1, 0), (1, 1))
    assert tallied["b"].by_place == (2, 1)


def test_entrants_of_whom_no_game_says_anything_are_named_and_not_ranked() -> None:
    found = fit(
        "abcd", [game(0, "a", "b"), game(1, "c", "a", forfeited="c")], table_size=2, seed=b""
    )

    assert [row.bot_id for row in found.rows] == ["a", "b"]
    assert found.unfitted == ("c", "d")
    assert fit("ab", [], table_size=2, seed=b"").unfitted == ("a", "b")


def test_equals_share_a_rank_and_the_next_is_skipped() -> None:
    results = [game(n, *pair) for n, pair in enumerate(("ab", "ba", "ac", "bc"))]

    found = fit("abc", results, table_size=2, seed=b"", count=20)

    assert [(row.rank, row.bot_id) for row in found.rows] == [(1, "a"), (1, "b"), (3, "c")]


def test_a_result_of_a_stranger_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\['b'\] are no entrants"):
        fit("a", [game(0, "a", "b")], table_size=2, seed=b"")


def test_a_fit_is_made_of_plain_numbers() -> None:
    found = fit("ab", [game(n, "a", "b") for n in range(4)], table_size=2, seed=b"", count=20)

    numbers = [value for row in found.rows for value in (row.strength, row.low, row.high)]
    assert all(type(value) is float for value in (*numbers, *found.above[0]))
    assert not any(isinstance(row.rank, np.integer) for row in found.rows)
