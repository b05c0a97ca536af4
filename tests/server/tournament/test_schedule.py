"""The round robin: even in every way, lazy, and the same for everybody who computes it."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitumaija.server.tournament.permutation import Permutation
from kitumaija.server.tournament.schedule import RoundRobin, audit, unrank

SEED = bytes(range(32))


def entrants(count: int) -> list[str]:
    return [f"bot-{number:03}" for number in range(count)]


@pytest.mark.parametrize("count", range(2, 13))
@pytest.mark.parametrize("rounds", [1, 2])
def test_every_set_meets_in_all_its_rotations_every_round(count: int, rounds: int) -> None:
    for size in range(2, min(count, 10) + 1):
        schedule = RoundRobin(entrants(count), table_size=size, rounds=rounds, seed=SEED)
        tables = list(schedule)
        assert len(tables) == len(schedule) == comb(count, size) * size * rounds

        sets = Counter(frozenset(seats) for seats in tables)
        assert len(sets) == comb(count, size)
        assert set(sets.values()) == {size * rounds}
        seated = Counter((frozenset(seats), seats[0]) for seats in tables)
        assert set(seated.values()) == {rounds}


@pytest.mark.parametrize("count", range(2, 13))
def test_every_entrant_sits_equally_often_in_every_seat_and_meets_everybody_alike(
    count: int,
) -> None:
    for size in range(2, min(count, 10) + 1):
        counted = RoundRobin(entrants(count), table_size=size, rounds=1, seed=SEED).audit()
        assert set(counted.games.values()) == {comb(count - 1, size - 1) * size}
        assert len(counted.seats) == count * size
        assert set(counted.seats.values()) == {comb(count - 1, size - 1)}
        assert len(counted.meetings) == comb(count, 2)
        assert set(counted.meetings.values()) == {comb(count - 2, size - 2) * size}


def test_each_round_is_even_by_itself() -> None:
    schedule = RoundRobin(entrants(5), table_size=3, rounds=3, seed=SEED)
    a_round = len(schedule) // 3
    for start in range(0, len(schedule), a_round):
        counted = audit(schedule[start : start + a_round])
        assert set(counted.games.values()) == {18}


def test_the_order_comes_from_the_seed_and_not_from_the_order_of_entering() -> None:
    one = list(RoundRobin(entrants(6), table_size=2, rounds=1, seed=SEED))
    assert one == list(RoundRobin(reversed(entrants(6)), table_size=2, rounds=1, seed=SEED))
    assert one != list(RoundRobin(entrants(6), table_size=2, rounds=1, seed=bytes(32)))
    assert one != sorted(one)


def test_a_schedule_stays_as_it_was_published() -> None:
    schedule = RoundRobin(["ann", "bob", "cid", "dot"], table_size=3, rounds=1, seed=SEED)
    assert [" ".join(seats) for seats in schedule] == GOLDEN


GOLDEN = [
    "cid ann bob",
    "bob cid ann",
    "bob ann dot",
    "cid ann dot",
    "ann bob cid",
    "cid bob dot",
    "bob dot cid",
    "dot cid bob",
    "dot bob ann",
    "ann dot cid",
    "ann dot bob",
    "dot cid ann",
]


def test_a_plan_of_ten_million_matches_weighs_nothing() -> None:
    tracemalloc.start()
    try:
        schedule = RoundRobin(entrants(102), table_size=4, rounds=1, seed=SEED)
        assert len(schedule) > 10_000_000
        seen = {schedule[number] for number in range(0, len(schedule), len(schedule) // 2000)}
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(seen) > 1900
    assert most < 5_000_000


@given(size=st.integers(2, 5), count=st.integers(5, 9))
def test_every_rank_is_another_set(size: int, count: int) -> None:
    ranked = [unrank(rank, size) for rank in range(comb(count, size))]
    assert sorted(ranked) == sorted(combinations(range(count), size))


@given(size=st.integers(1, 3000), seed=st.binary(max_size=40))
def test_a_permutation_meets_every_number_once(size: int, seed: bytes) -> None:
    shuffled = Permutation(size, seed, "any")
    assert sorted(shuffled[number] for number in range(size)) == list(range(size))


def test_a_permutation_depends_on_seed_and_label() -> None:
    def order(seed: bytes, label: str) -> list[int]:
        return [Permutation(500, seed, label)[number] for number in range(500)]

    assert order(b"a", "x") == order(b"a", "x")
    assert order(b"a", "x") != order(b"b", "x")
    assert order(b"a", "x") != order(b"a", "y")


def test_what_is_no_schedule_is_refused() -> None:
    with pytest.raises(ValueError, match=r"tables of 4 need at least 4 entrants, got 3"):
        RoundRobin(entrants(3), table_size=4, rounds=1, seed=SEED)
    with pytest.raises(ValueError, match="named twice"):
        RoundRobin(["ann", "ann"], table_size=2, rounds=1, seed=SEED)
    with pytest.raises(ValueError, match="at least 1 round, got 0"):
        RoundRobin(entrants(3), table_size=2, rounds=0, seed=SEED)
    with pytest.raises(IndexError, match="outside the schedule of 6"):
        RoundRobin(entrants(3), table_size=2, rounds=1, seed=SEED)[6]
    with pytest.raises(IndexError):
        Permutation(3, SEED, "any")[3]
    with pytest.raises(ValueError, match="at least 1 number"):
        Permutation(0, SEED, "any")
