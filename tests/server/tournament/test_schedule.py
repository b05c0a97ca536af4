"""The round robin: even in every way, lazy, and the same for everybody who computes it."""

from __future__ import annotations

import hashlib
import tracemalloc
from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitumaija.engine import Chance
from kitumaija.server.tournament.permutation import Permutation
from kitumaija.server.tournament.schedule import RoundRobin, audit, unrank

SEED = bytes(range(32))
DOCUMENT = Path(__file__).parents[3] / "server" / "docs" / "tournaments.md"


def entrants(count: int) -> list[str]:
    return [f"bot-{number:03}" for number in range(count)]


@pytest.mark.parametrize(
    ("count", "rounds"), [*((count, 1) for count in range(2, 13)), (5, 3), (7, 2)]
)
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


def test_the_document_names_the_same_matches() -> None:
    text = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    assert " · ".join(GOLDEN) in text


@pytest.mark.parametrize("size", [2, 3, 5])
def test_a_schedule_can_be_computed_from_the_words_of_its_document(size: int) -> None:
    """A second reading of the document, with nothing of ours but the dealing stream."""
    names = sorted(["ann", "bob", "cid", "dot", "eve", "fox", "gil"])
    in_round = size * comb(len(names), size)
    bits = max(1, -(-(in_round - 1).bit_length() // 2))

    def shuffle(place: int, number: int) -> int:
        head = b"kitumaija/schedule/v1\0" + (32).to_bytes(4, "little") + SEED
        head += f"{size}/{number}".encode() + b"\0"
        while True:
            left, right = divmod(place, 2**bits)
            for step in range(6):
                digest = hashlib.sha256(head + bytes([step]) + right.to_bytes(8, "little")).digest()
                left, right = right, left ^ int.from_bytes(digest[:8], "little") % 2**bits
            place = left * 2**bits + right
            if place < in_round:
                return place

    def match(number: int) -> tuple[str, ...]:
        round_number, place = divmod(number, in_round)
        rank, rotation = divmod(shuffle(place, round_number), size)
        sets = sorted(combinations(range(len(names)), size), key=lambda one: one[::-1])
        members = list(sets[rank])
        chance = Chance(SEED, f"seats/{size}/{round_number}/{rank}")
        for i in range(size - 1, 0, -1):
            j, chance = chance.below(i + 1)
            members[i], members[j] = members[j], members[i]
        return tuple(names[members[(seat + rotation) % size]] for seat in range(size))

    schedule = RoundRobin(names, table_size=size, rounds=2, seed=SEED)
    assert list(schedule) == [match(number) for number in range(2 * in_round)]


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
