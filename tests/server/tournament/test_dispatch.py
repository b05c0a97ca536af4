"""Which match is started next."""

from __future__ import annotations

import pytest

from kitumaija.server.schedule.round_robin import RoundRobin
from kitumaija.server.tournament.dispatch import Candidate, Dispatch, Slots

SEED = bytes(32)
TEN = [f"bot-{number}" for number in range(10)]


class Arena:
    """Plays what the dispatch starts, one tick a round; `slow` bots need more ticks a match."""

    def __init__(
        self,
        dispatch: Dispatch,
        bots: list[str],
        *,
        capacity: int = 1,
        room: int = 256,
        slow: dict[str, int] | None = None,
    ) -> None:
        self.dispatch = dispatch
        self.bots = bots
        self.capacity = capacity
        self.room = room
        self.slow = slow or {}
        self.now = 0
        self.running: list[tuple[int, Candidate]] = []
        self.order: list[Candidate] = []
        self.ended: list[int] = []

    def slots(self) -> Slots:
        busy = [bot for _, match in self.running for bot in match.seats]
        free = {bot: self.capacity - busy.count(bot) for bot in self.bots}
        return Slots(free, self.room - len(self.running))

    def start(self) -> list[Candidate]:
        slots = self.slots()
        started: list[Candidate] = []
        while True:
            match = self.dispatch.next(slots)
            if match is None:
                if not self.dispatch.hurried:
                    return started
                continue
            started.append(match)
            self.order.append(match)
            ticks = max(self.slow.get(bot, 1) for bot in match.seats)
            self.running.append((self.now + ticks, match))

    def play(self) -> None:
        while True:
            self.start()
            if not self.running:
                return
            self.now += 1
            self.ended += [match.number for end, match in self.running if end <= self.now]
            self.running = [(end, match) for end, match in self.running if end > self.now]


def robin(bots: list[str], *, size: int = 2, rounds: int = 1) -> RoundRobin:
    return RoundRobin(bots, table_size=size, rounds=rounds, seed=SEED)


@pytest.mark.parametrize(("size", "capacity", "room"), [(2, 1, 256), (2, 8, 3), (4, 2, 256)])
def test_every_match_is_started_once_and_nobody_gets_more_than_it_can_take(
    size: int, capacity: int, room: int
) -> None:
    schedule = robin(TEN, size=size)
    arena = Arena(Dispatch(schedule), TEN, capacity=capacity, room=room)
    arena.play()
    assert sorted(arena.ended) == list(range(len(schedule)))
    assert all(schedule[match.number] == match.seats for match in arena.order)
    first = arena.order[:room]
    for bot in TEN:
        assert sum(bot in match.seats for match in first[: capacity * 10 // size]) <= capacity


def test_with_room_for_all_the_order_is_that_of_the_schedule() -> None:
    arena = Arena(Dispatch(robin(TEN)), TEN, capacity=90)
    assert [match.number for match in arena.start()] == list(range(90))


def test_one_slow_bot_among_ten_holds_up_its_own_matches_only() -> None:
    schedule = robin(TEN, rounds=20)
    arena = Arena(Dispatch(schedule), TEN, slow={"bot-3": 50})
    arena.play()
    fast = {number for number, seats in enumerate(schedule) if "bot-3" not in seats}
    order = [number in fast for number in arena.ended]
    last_fast = max(place for place, is_fast in enumerate(order) if is_fast)
    slow_before = order[:last_fast].count(False)
    assert slow_before < 0.2 * (len(schedule) - len(fast))


def test_what_waits_is_bounded_and_nothing_is_lost_by_it() -> None:
    schedule = robin(TEN, rounds=3)
    arena = Arena(Dispatch(schedule, look_ahead=5), TEN, slow={"bot-3": 50})
    arena.start()
    # Eight or nine of ten are busy with the first five matches, and a few more were looked at.
    assert arena.dispatch.cursor <= len(arena.order) + 5
    arena.play()
    assert sorted(arena.ended) == list(range(len(schedule)))


def test_matches_that_are_over_or_run_are_not_started_again() -> None:
    dispatch = Dispatch(robin(TEN), cursor=10, closed={11, 12, 40})
    arena = Arena(dispatch, TEN)
    arena.play()
    assert sorted(arena.ended) == [10, *range(13, 40), *range(41, 90)]
    assert not dispatch.closed


def test_a_match_given_back_is_started_again_before_all_later_ones() -> None:
    schedule = robin(["ann", "bob", "cid"], size=3, rounds=2)
    arena = Arena(Dispatch(schedule), ["ann", "bob", "cid"])
    [first] = arena.start()
    arena.running.clear()
    arena.dispatch.again(Candidate(first.number, first.seats[:2]))
    [again] = arena.start()
    assert again == Candidate(0, first.seats[:2])
    arena.play()
    assert sorted(arena.ended) == [0, 1, 2, 3, 4, 5]


def test_all_that_an_entrant_who_left_has_not_started_is_cancelled_once() -> None:
    schedule = robin(TEN)
    arena = Arena(Dispatch(schedule), TEN)
    for _ in range(3):
        arena.start()
        arena.now += 1
        arena.ended += [match.number for _, match in arena.running]
        arena.running.clear()
    arena.start()
    running = [match.number for _, match in arena.running]
    arena.dispatch.leave("bot-4")
    arena.bots = [bot for bot in TEN if bot != "bot-4"]
    cancelled = arena.dispatch.drain_cancelled()
    arena.play()
    cancelled += arena.dispatch.drain_cancelled()

    assert len(cancelled) == len(set(cancelled))
    assert all("bot-4" in schedule[number] for number in cancelled)
    assert sorted([*cancelled, *arena.ended]) == list(range(90))
    assert set(running) <= set(arena.ended)


def test_with_fewer_entrants_left_than_seats_all_the_rest_is_cancelled() -> None:
    schedule = robin(TEN, size=4)
    dispatch = Dispatch(schedule)
    for bot in TEN[:7]:
        dispatch.leave(bot)
    arena = Arena(dispatch, TEN[7:])
    arena.play()
    assert arena.order == []
    assert dispatch.drain_cancelled() == list(range(len(schedule)))


def test_a_match_given_back_after_one_of_its_players_left_is_cancelled() -> None:
    dispatch = Dispatch(robin(TEN))
    dispatch.leave("bot-1")
    dispatch.again(Candidate(0, ("bot-1", "bot-2")))
    assert dispatch.drain_cancelled() == [0]


def test_a_look_is_short_and_says_that_there_may_be_more() -> None:
    many = [f"bot-{number:03}" for number in range(100)]
    schedule = robin(many)
    last = schedule[len(schedule) - 1]
    slots = Slots({bot: 1 if bot in last else 0 for bot in many}, 1)
    dispatch = Dispatch(schedule)
    looks = 0
    while (found := dispatch.next(slots)) is None:
        assert dispatch.hurried
        looks += 1
    assert looks > 1
    assert set(found.seats) == set(last)


def test_nothing_is_started_while_the_tournament_has_no_room() -> None:
    dispatch = Dispatch(robin(TEN))
    assert dispatch.next(Slots(dict.fromkeys(TEN, 1), 0)) is None
    assert not dispatch.hurried


def test_matches_of_who_is_on_the_bench_wait_for_nobody_else() -> None:
    schedule = robin(TEN)
    arena = Arena(Dispatch(schedule, look_ahead=2), TEN, capacity=8)
    arena.dispatch.bench("bot-3")
    arena.play()
    without = [number for number in range(len(schedule)) if "bot-3" not in schedule[number]]
    assert sorted(arena.ended) == without
    assert arena.dispatch.only_postponed
    assert arena.dispatch.holding() == {"bot-3"}

    arena.dispatch.bring_back("bot-3")
    assert not arena.dispatch.only_postponed
    before = len(arena.order)
    arena.play()

    assert sorted(arena.ended) == list(range(len(schedule)))
    late = [match.number for match in arena.order[before:]]
    assert late == sorted(late)
    assert all(schedule[match.number] == match.seats for match in arena.order)


def test_a_match_of_two_on_the_bench_waits_for_both() -> None:
    schedule = robin(TEN)
    arena = Arena(Dispatch(schedule), TEN)
    arena.dispatch.bench("bot-3")
    arena.dispatch.bench("bot-4")
    arena.play()
    arena.dispatch.bring_back("bot-3")
    arena.play()
    left = {number for number in range(len(schedule)) if "bot-4" in schedule[number]}
    assert set(arena.ended) == set(range(len(schedule))) - left
    arena.dispatch.leave("bot-4")
    arena.play()
    assert set(arena.dispatch.drain_cancelled()) == left


def test_a_match_with_an_empty_seat_is_postponed_as_it_is() -> None:
    schedule = robin(TEN, size=3)
    dispatch = Dispatch(schedule)
    first = dispatch.next(Slots(dict.fromkeys(TEN, 1), 9))
    assert first is not None
    dispatch.bench(first.seats[0])
    dispatch.again(Candidate(first.number, first.seats[:2]))
    dispatch.bring_back(first.seats[0])
    again = dispatch.next(Slots(dict.fromkeys(TEN, 1), 9))
    assert again == Candidate(first.number, first.seats[:2])


def test_a_full_bench_lets_the_schedule_be_looked_at_no_further() -> None:
    schedule = robin(TEN)
    arena = Arena(Dispatch(schedule, postponed_max=1), TEN)
    arena.dispatch.bench("bot-3")
    arena.play()
    assert arena.dispatch.only_postponed
    assert len(arena.ended) < len(schedule) - 9
    arena.dispatch.bring_back("bot-3")
    arena.play()
    assert sorted(arena.ended) == list(range(len(schedule)))


def test_what_needs_a_search_first_is_not_looked_at_before_it_is_told_to_be_ready() -> None:
    ready = {0, 1, 2}
    matches = [("a", "b")] * 5
    dispatch = Dispatch(matches, ready=ready.__contains__)

    def started() -> int:
        slots = Slots({"a": 9, "b": 9}, 9)
        return sum(dispatch.next(slots) is not None for _ in matches)

    assert started() == 3
    assert dispatch.hurried
    assert dispatch.cursor == 3
    ready.update((3, 4))
    assert started() == 2
    assert not dispatch.hurried
