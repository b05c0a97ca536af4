"""When a decision's clock starts: at the write's return, or 100 ms after hand-over."""

from __future__ import annotations

from datetime import timedelta

import pytest

from kitumaija.engine import Seat
from kitumaija.server.lobby.clockstarts import ClockStarts
from kitumaija.server.lobby.connection import Asked
from kitumaija.server.match import Fault, Nanos
from kitumaija.wire.times import Limits
from tests.support.clock import ms
from tests.support.lobby import Lobby

WITHIN = 100


class Starting:
    """Clock starts, and what they told: each decision's id with the moment of its start, in ms."""

    def __init__(self) -> None:
        self.told: list[tuple[int, float]] = []
        self.starts = ClockStarts(
            timedelta(milliseconds=WITHIN),
            lambda asked, at: self.told.append((asked.decision_id, at / ms(1))),
        )

    def hand_over(self, decision_id: int, at: float) -> Asked:
        asked = Asked("m1", Seat(0), decision_id)
        self.starts.handed_over(asked, instant(at))
        return asked


def instant(milliseconds: float) -> Nanos:
    return Nanos(ms(milliseconds))


@pytest.mark.parametrize(("written", "started"), [(99, 99), (100, 100), (101, 100)])
def test_a_clock_starts_with_the_write_but_at_most_100_ms_after_hand_over(
    written: float, started: float
) -> None:
    starting = Starting()
    asked = starting.hand_over(1, at=0)

    starting.starts.delivery(asked).written(instant(written))

    assert starting.told == [(1, started)]


def test_a_sweep_starts_the_clock_of_a_decision_that_is_not_written() -> None:
    starting = Starting()
    starting.hand_over(1, at=0)
    starting.hand_over(2, at=40)

    starting.starts.sweep(instant(99))
    assert starting.told == []
    starting.starts.sweep(instant(115))
    assert starting.told == [(1, 100)]
    starting.starts.sweep(instant(400))
    assert starting.told == [(1, 100), (2, 140)]


def test_a_clock_starts_once() -> None:
    starting = Starting()
    first, second = starting.hand_over(1, at=0), starting.hand_over(2, at=0)

    starting.starts.delivery(first).written(instant(10))
    starting.starts.sweep(instant(200))
    starting.starts.delivery(first).written(instant(210))
    starting.starts.delivery(second).written(instant(210))

    assert starting.told == [(1, 10), (2, 100)]


def test_a_stall_before_the_write_returns_puts_the_latest_start_off_by_itself() -> None:
    starting = Starting()
    before = starting.hand_over(1, at=0)
    inside = starting.hand_over(2, at=20)
    starting.hand_over(3, at=30)

    starting.starts.stalled(instant(10), instant(1_000))
    starting.starts.sweep(instant(1_001))
    assert starting.told == []
    starting.starts.delivery(before).written(instant(1_001))
    starting.starts.delivery(inside).written(instant(1_101))
    starting.starts.sweep(instant(1_100))

    assert starting.told == [(1, 1_001), (2, 1_100), (3, 1_100)]


def test_a_stall_that_is_told_in_parts_puts_it_off_by_all_of_them() -> None:
    starting = Starting()
    starting.hand_over(1, at=0)

    starting.starts.stalled(instant(10), instant(40))
    starting.starts.stalled(instant(40), instant(90))
    starting.starts.sweep(instant(500))

    assert starting.told == [(1, 180)]


def test_what_the_server_keeps_back_counts_from_when_it_is_let_go() -> None:
    starting = Starting()
    kept, other = starting.hand_over(1, at=0), starting.hand_over(2, at=10)
    delivery = starting.starts.delivery(kept)

    delivery.held()
    starting.starts.sweep(instant(400))
    assert starting.told == [(2, 110)]
    delivery.released(instant(500))
    starting.starts.sweep(instant(599))
    assert len(starting.told) == 1
    starting.starts.sweep(instant(615))

    assert starting.told == [(2, 110), (1, 600)]
    assert kept.started
    assert other.started


def test_of_a_stall_counts_what_lies_after_it_was_let_go() -> None:
    starting = Starting()
    delivery = starting.starts.delivery(starting.hand_over(1, at=0))
    delivery.held()
    delivery.released(instant(500))

    starting.starts.stalled(instant(490), instant(520))
    starting.starts.sweep(instant(900))

    assert starting.told == [(1, 620)]


def test_a_clock_that_runs_is_not_stopped_by_keeping_the_decision_back() -> None:
    """As for a bot that did not read before, so that the decision waited for its own sake."""
    starting = Starting()
    asked = starting.hand_over(1, at=0)
    starting.starts.sweep(instant(100))

    delivery = starting.starts.delivery(asked)
    delivery.held()
    delivery.released(instant(300))
    delivery.written(instant(310))

    assert starting.told == [(1, 100)]


async def test_a_decision_that_is_not_read_runs_out_all_the_same() -> None:
    lobby = Lobby()
    alice, _ = lobby.connect("alice", reading=False)
    bob, _ = lobby.connect("bob")
    limits = Limits(bank=timedelta(0))
    lobby.open("alice", "bob", limits=limits)
    lobby.ready("m1", alice, bob)
    await lobby.turn()

    # Its clock starts 100 ms after hand-over; a second and the margin of 50 ms are over after that.
    lobby.pass_time(100)
    lobby.pass_time(1_050 + 20)
    await lobby.turn()
    assert len(lobby.journal.entries("m1")) == 2

    lobby.pass_time(1)
    await lobby.turn()
    decided = lobby.journal.entries("m1")[2]
    assert decided.fault is Fault.DECISION_TIMEOUT  # type: ignore[union-attr]


async def test_what_was_handed_over_in_a_stall_counts_from_its_end() -> None:
    lobby = Lobby()
    alice, alices = lobby.connect("alice", reading=False)
    bob, _ = lobby.connect("bob")
    lobby.open("alice", "bob")
    lobby.ready("m1", alice, bob)
    await lobby.turn()

    since = lobby.clock.now()
    lobby.clock.advance(ms(3_000))
    lobby.hall.stalled(since, lobby.clock.now())
    lobby.pass_time(99)
    lobby.pass_time(1)
    lobby.clock.advance(ms(5))
    lobby.answer(alice, alices.last("decision"))
    await lobby.turn()

    decided = lobby.journal.entries("m1")[2]
    assert decided.timing.used_us == 5_000  # type: ignore[union-attr]
