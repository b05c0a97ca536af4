"""The course of a tournament, whatever happens in it."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from kitumaija.server.schedule.round_robin import RoundRobin
from kitumaija.server.tournament.course import VOIDS_MAX, Attempt, Course, Prefix, Table
from kitumaija.server.tournament.dispatch import Slots

BOTS = ["ann", "bob", "cid", "dot", "eve"]
SIZES = (2, 3)


def new_course(
    *, prefix: int = 0, settled: tuple[int, ...] = (), sizes: tuple[int, ...] = SIZES
) -> Course:
    tables = [
        Table.begin(
            RoundRobin(BOTS, table_size=size, rounds=1, seed=bytes(32)),
            prefix=prefix,
            settled=settled,
        )
        for size in sizes
    ]
    return Course(tables)


def start_all(course: Course, busy: list[Attempt], capacity: int = 2) -> list[Attempt]:
    playing = [bot for bot in BOTS if bot not in course.gone]
    taken = Counter(bot for attempt in busy for bot in attempt.seats)
    slots = Slots({bot: capacity - taken[bot] for bot in playing}, 100)
    started: list[Attempt] = []
    while attempt := course.next(slots):
        started.append(attempt)
    return started


@given(st.data())
def test_however_it_goes_every_number_is_settled_exactly_once(data: st.DataObject) -> None:
    course = new_course()
    running: list[Attempt] = []
    deals: set[tuple[int, int, int]] = set()
    settled: Counter[tuple[int, int]] = Counter()
    while not course.over:
        for attempt in start_all(course, running):
            deal = (attempt.table_size, attempt.number, attempt.attempt)
            assert deal not in deals
            deals.add(deal)
            assert course.gone.isdisjoint(attempt.seats)
            assert set(attempt.seats).isdisjoint(attempt.last_placed)
            running.append(attempt)
        for attempt in course.drain_cancelled():
            settled[attempt.table_size, attempt.number] += 1
            course.settle(attempt)
        if not running:
            assert course.over
            break
        attempt = running.pop(data.draw(st.integers(0, len(running) - 1)))
        happens = data.draw(st.sampled_from(["played", "played", "absent", "void", "leave"]))
        key = (attempt.table_size, attempt.number)
        if happens == "leave" and len(course.gone) < 3:
            course.leave(data.draw(st.sampled_from(BOTS)))
        if happens == "absent" and not course.has_left(attempt):
            absent = data.draw(st.sets(st.sampled_from(attempt.seats), min_size=1))
            follows = course.absence(attempt, sorted(absent))
            if not follows.void:
                course.try_again(attempt, follows)
                continue
        elif happens == "void" and not course.has_left(attempt) and not course.is_lost(attempt):
            course.try_again(attempt)
            continue
        settled[key] += 1
        course.settle(attempt)

    assert set(settled.values()) == {1}
    assert sum(settled.values()) == course.planned == 20 + 30
    assert all(
        table.settled.length == len(table.schedule) and not table.settled.beyond
        for table in course.tables.values()
    )


def test_all_table_sizes_go_on_alongside() -> None:
    course = new_course()
    done: list[int] = []
    while started := start_all(course, [], capacity=1):
        for attempt in started:
            done.append(attempt.table_size)
            course.settle(attempt)
    half = done[: len(done) // 2]
    assert 0.3 < half.count(2) / len(half) < 0.6


def test_a_number_is_given_up_after_so_many_voids() -> None:
    course = new_course(sizes=(2,))
    slots = Slots(dict.fromkeys(BOTS, 99), 1)
    for attempt_number in range(1, VOIDS_MAX + 1):
        attempt = course.next(slots)
        assert attempt is not None
        assert (attempt.number, attempt.attempt) == (0, attempt_number)
        assert course.is_lost(attempt) == (attempt_number == VOIDS_MAX)
        course.try_again(attempt)
        slots.matches += 1


def test_what_a_cancelled_tournament_leaves_open_below_its_last_match_is_found() -> None:
    course = new_course()
    started = [one for one in start_all(course, []) if one.table_size == 2]
    last = max(started, key=lambda attempt: attempt.number)
    course.settle(last)
    gaps = [gap.number for gap in course.gaps() if gap.table_size == 2]
    running = {attempt.number for attempt in started} - {last.number}
    assert sorted({*gaps, *running}) == list(range(last.number))
    assert running.isdisjoint(gaps)


def test_a_gap_is_left_to_those_who_have_not_stayed_away_already() -> None:
    course = new_course()
    first, *_, last = [one for one in start_all(course, []) if one.table_size == 3]
    course.settle(last)
    absent = first.seats[:1]
    for _ in range(2):
        course.try_again(first, course.absence(first, absent))
    [gap] = [one for one in course.gaps() if (one.table_size, one.number) == (3, first.number)]
    assert gap.last_placed == absent
    assert gap.seats == tuple(bot for bot in first.seats if bot not in absent)


@given(st.permutations(range(12)))
def test_a_prefix_is_what_is_settled_without_a_gap(order: list[int]) -> None:
    prefix = Prefix()
    for count, number in enumerate(order, start=1):
        prefix.add(number)
        done = set(order[:count])
        assert prefix.length == next(n for n in range(13) if n not in done)
        assert prefix.beyond == {n for n in done if n > prefix.length}


def test_a_table_begins_behind_what_the_store_has_settled() -> None:
    course = new_course(prefix=5, settled=(5, 6, 9))
    started: list[int] = []
    while found := start_all(course, []):
        for attempt in found:
            if attempt.table_size == 2:
                started.append(attempt.number)
            course.settle(attempt)
    assert sorted(started) == [7, 8, *range(10, 20)]
    assert course.over
