"""The round robin: even in every way, lazy, and the same for everybody who computes it."""

from __future__ import annotations

import hashlib
import tracemalloc
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product
from math import comb
from pathlib import Path
from typing import TypeVar

import pytest

from kitumaija.engine import Chance
from kitumaija.server.schedule.auditing import audit
from kitumaija.server.schedule.plan import Kind
from kitumaija.server.schedule.round_robin import RoundRobin
from kitumaija.server.schedule.turns import round_end

Item = TypeVar("Item")
SEED = bytes(range(32))
DOCUMENT = Path(__file__).parents[3] / "server" / "docs" / "tournaments.md"


def entrants(count: int) -> list[str]:
    return [f"bot-{number:03}" for number in range(count)]


def furthest_from_the_rounds(schedule: RoundRobin) -> int:
    """How many games anybody was ahead or behind when a round was over."""
    games = Counter(dict.fromkeys(schedule.entrants, 0))
    worst, number = 0, 1
    for match, seats in enumerate(schedule, start=1):
        games.update(seats)
        if match == round_end(number, len(games), schedule.table_size):
            worst = max(worst, max(games.values()) - number, number - min(games.values()))
        while match >= round_end(number, len(games), schedule.table_size):
            number += 1
    return worst


@pytest.mark.parametrize(
    ("count", "rounds"), [*((count, 1) for count in range(2, 12)), (5, 3), (7, 2)]
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


@pytest.mark.parametrize(
    ("count", "size", "budget", "kind", "spread"),
    [
        (12, 4, 500, Kind.BALANCED, 1),
        (12, 4, 40, Kind.SINGLE, 1),
        (13, 4, 60, Kind.BALANCED, 0),
        (40, 4, 1000, Kind.BALANCED, 1),
        (9, 2, 40, Kind.BALANCED, 1),
        (30, 10, 30, Kind.SINGLE, 2),
        (200, 3, 700, Kind.BALANCED, 1),
    ],
)
def test_a_choice_of_tables_is_even_in_games_and_seats_and_nearly_in_pairs(
    count: int, size: int, budget: int, kind: Kind, spread: int
) -> None:
    schedule = RoundRobin(entrants(count), table_size=size, rounds=1, seed=SEED, budget=budget)
    assert schedule.plan.kind is kind
    counted = schedule.audit()
    assert set(counted.games.values()) == {schedule.plan.games}
    assert len(counted.seats) == count * size
    assert set(counted.seats.values()) == {schedule.plan.games // size}
    pairs = [counted.meetings[pair] for pair in combinations(entrants(count), 2)]
    assert max(pairs) - min(pairs) == spread * schedule.plan.rotations
    assert furthest_from_the_rounds(schedule) <= 1


@pytest.mark.parametrize(
    ("count", "size", "rounds"),
    [(5, 2, 3), (6, 6, 2), (7, 3, 1), (9, 6, 1), (10, 4, 2), (13, 9, 1)],
)
def test_after_so_many_rounds_everybody_has_as_many_games_give_or_take_one(
    count: int, size: int, rounds: int
) -> None:
    schedule = RoundRobin(entrants(count), table_size=size, rounds=rounds, seed=SEED)
    assert furthest_from_the_rounds(schedule) <= 1


@pytest.mark.parametrize("budget", [None, 60, 11])
def test_a_set_is_a_table_in_all_its_rotations(budget: int | None) -> None:
    schedule = RoundRobin(entrants(6), table_size=4, rounds=2, seed=SEED, budget=budget)
    left = set(range(len(schedule)))
    while left:
        numbers = schedule.set_of(min(left))
        assert {schedule.set_of(number) for number in numbers} == {numbers}
        assert left.issuperset(numbers)
        left.difference_update(numbers)
        tables = [schedule[number] for number in numbers]
        assert len(tables) == schedule.plan.rotations
        rotations = {tables[0][shift:] + tables[0][:shift] for shift in range(len(tables))}
        assert set(tables) == rotations


def test_each_round_is_even_by_itself() -> None:
    schedule = RoundRobin(entrants(5), table_size=3, rounds=3, seed=SEED)
    a_round = len(schedule) // 3
    for start in range(0, len(schedule), a_round):
        counted = audit(schedule[start : start + a_round])
        assert set(counted.games.values()) == {18}


@pytest.mark.parametrize("budget", [None, 25])
def test_the_order_comes_from_the_seed_and_not_from_the_order_of_entering(
    budget: int | None,
) -> None:
    def made(names: list[str], seed: bytes) -> list[tuple[str, ...]]:
        return list(RoundRobin(names, table_size=2, rounds=1, seed=seed, budget=budget))

    one = made(entrants(6), SEED)
    assert one == made(entrants(6)[::-1], SEED)
    assert one != made(entrants(6), bytes(32))
    assert one != sorted(one)


def test_a_schedule_stays_as_it_was_published() -> None:
    schedule = RoundRobin(["ann", "bob", "cid", "dot"], table_size=3, rounds=1, seed=SEED)
    assert [" ".join(seats) for seats in schedule] == GOLDEN


GOLDEN = [
    "dot bob cid",
    "bob ann dot",
    "ann cid bob",
    "cid dot ann",
    "bob cid dot",
    "ann dot bob",
    "cid bob ann",
    "dot ann cid",
    "cid dot bob",
    "dot bob ann",
    "bob ann cid",
    "ann cid dot",
]


def test_the_document_names_the_same_matches() -> None:
    text = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    assert " · ".join(GOLDEN) in text


@pytest.mark.parametrize("size", [2, 3, 5])
def test_a_schedule_can_be_computed_from_the_words_of_its_document(size: int) -> None:
    """A second reading of the document, with nothing of ours but the dealing stream."""
    names = ["ann", "bob", "cid", "dot", "eve", "fox", "gil"]
    tables = _tables_read(len(names), size)
    pairs = len(tables) // 2
    expected = []
    for number in range(2):
        circle = _drawn(f"circle/{size}/{number}", names)
        order = [_shuffled(slot, pairs, f"{size}/{number}") for slot in range(pairs)]
        stretches = [[2 * pair, 2 * pair + 1] for pair in order]
        stretches += [[index] for index in range(2 * pairs, len(tables))]
        for stretch, rotation in product(stretches, range(size)):
            for index in stretch:
                seats = _drawn(f"seats/{size}/{number}/{index}", tables[index])
                seats = seats[rotation:] + seats[:rotation]
                expected += [
                    tuple(circle[(place + turn) % len(names)] for place in seats)
                    for turn in _turns_read(tables[index], len(names))
                ]
    schedule = RoundRobin(names, table_size=size, rounds=2, seed=SEED)
    assert list(schedule) == expected


def _tables_read(points: int, size: int) -> list[list[int]]:
    around = {
        min(gaps[shift:] + gaps[:shift] for shift in range(size))
        for gaps in product(range(1, points + 1), repeat=size)
        if sum(gaps) == points
    }
    return [[sum(gaps[:place]) for place in range(size)] for gaps in sorted(around)]


def _shuffled(place: int, below: int, label: str) -> int:
    bits = max(1, -(-(below - 1).bit_length() // 2))
    head = b"kitumaija/schedule/v1\0" + (32).to_bytes(4, "little") + SEED
    head += label.encode() + b"\0"
    while True:
        left, right = divmod(place, 2**bits)
        for step in range(6):
            digest = hashlib.sha256(head + bytes([step]) + right.to_bytes(8, "little")).digest()
            left, right = right, left ^ int.from_bytes(digest[:8], "little") % 2**bits
        place = left * 2**bits + right
        if place < below:
            return place


def _drawn(label: str, items: Sequence[Item]) -> list[Item]:
    drawn, chance = list(items), Chance(SEED, label)
    for last in range(len(drawn) - 1, 0, -1):
        chosen, chance = chance.below(last + 1)
        drawn[last], drawn[chosen] = drawn[chosen], drawn[last]
    return drawn


def _turns_read(table: Sequence[int], points: int) -> list[int]:
    """The first step that keeps everybody within a game; other orders are not read here."""
    for step in range(1, points):
        order = [step * number % points for number in range(points)]
        for over in range(1, len(table) + 1):
            begun = order[: -(-over * points // len(table))]
            games = Counter((place + turn) % points for turn in begun for place in table)
            if any(abs(games[place] - over) > 1 for place in range(points)):
                break
        else:
            return order
    raise AssertionError("this table needs more than equal steps")


def test_a_plan_of_ten_million_matches_weighs_little() -> None:
    tracemalloc.start()
    try:
        schedule = RoundRobin(entrants(102), table_size=4, rounds=1, seed=SEED)
        assert len(schedule) > 10_000_000
        seen = {schedule[number] for number in range(0, len(schedule), len(schedule) // 200)}
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(seen) > 180
    assert most < 30_000_000


def test_what_takes_a_long_search_is_ready_only_when_it_was_prepared() -> None:
    names = [f"bot-{number:02}" for number in range(14)]
    made = RoundRobin(names, table_size=7, rounds=1, seed=bytes(32))
    whole = RoundRobin(names, table_size=7, rounds=1, seed=bytes(32))
    stretch = 2 * 14 * 7
    assert not made.ready(0)
    made.prepare(0)
    assert made.ready(stretch - 1)
    assert not made.ready(stretch)
    # The next one is prepared while the last matches of this one are still asked for.
    assert made[stretch - 1] == whole[stretch - 1]
    made.prepare(stretch)
    assert made.ready(stretch - 1)
    assert made.ready(stretch)
    assert made[stretch - 1] == whole[stretch - 1]
    assert made[stretch] == whole[stretch]
    assert not made.ready(2 * stretch)
    assert RoundRobin(names, table_size=4, rounds=1, seed=bytes(32)).ready(0)


def test_what_is_no_schedule_is_refused() -> None:
    with pytest.raises(ValueError, match="named twice"):
        RoundRobin(["ann", "ann"], table_size=2, rounds=1, seed=SEED)
    with pytest.raises(IndexError, match="outside the schedule of 6"):
        RoundRobin(entrants(3), table_size=2, rounds=1, seed=SEED)[6]
    with pytest.raises(IndexError, match="outside the schedule of 6"):
        RoundRobin(entrants(3), table_size=2, rounds=1, seed=SEED)[-1]
