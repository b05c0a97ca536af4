"""Stalls of the server and of its disk: what they take from a bot is given back, and no more."""

from __future__ import annotations

from datetime import timedelta

import pytest

from kitumaija.engine import DecidedBy, Seat
from kitumaija.server.match import Nanos, ServerStalled, StoreStalled, deadline
from kitumaija.wire.times import Limits
from tests.server.match.table import Table, scripted, setup_of, started
from tests.support.clock import ms

LIMIT = ms(11_050)
SETTLE = ms(20)


def stall(table: Table, since: int, until: int) -> None:
    """Report a stall, in nanoseconds from now."""
    table.do(ServerStalled(Nanos(table.now + since), Nanos(table.now + until)))


def store_stall(table: Table, since: int, until: int, *, number: int = 1) -> None:
    """Report a wait for the disk with what is to be said of a decision of seat 0."""
    waiting = (Seat(0), number)
    table.do(StoreStalled(waiting, Nanos(table.now + since), Nanos(table.now + until)))


def test_a_stall_in_mid_decision_charges_nobody() -> None:
    table = started()
    stall(table, ms(500), ms(3_500))
    table.clock.advance(LIMIT + ms(3_000))
    table.answer(scripted(table.question))
    decision = table.state.decisions[0]
    assert decision.by is DecidedBy.BOT
    assert table.state.timings[0].used_us == 11_050_000
    assert table.state.timings[0].retimed_us == 3_000_000
    assert table.state.seats[0].bank == 0


@pytest.mark.parametrize(("late", "by"), [(0, DecidedBy.BOT), (1, DecidedBy.DEFAULT)])
def test_exactly_the_stall_is_given_back_and_not_a_nanosecond_more(
    late: int, by: DecidedBy
) -> None:
    table = started()
    stall(table, ms(500), ms(600))
    table.clock.advance(LIMIT + ms(100) + late)
    table.answer(scripted(table.question))
    assert table.state.decisions[0].by is by


def test_only_what_lies_inside_the_decision_is_given_back() -> None:
    table = started()
    began = table.now
    stall(table, -ms(4_000), ms(200))
    assert deadline(table.state) == began + LIMIT + ms(200) + SETTLE + 1


@pytest.mark.parametrize("until", [-ms(1), 0])
def test_a_stall_before_the_decision_gives_nothing(until: int) -> None:
    table = started()
    stall(table, -ms(4_000), until)
    assert table.state.pending is not None
    assert table.state.pending.retimed == 0


def test_a_stall_that_is_told_in_parts_is_given_back_whole() -> None:
    table = started()
    began = table.now
    stall(table, ms(100), ms(300))
    stall(table, ms(300), ms(310))
    stall(table, ms(1_000), ms(9_000))
    assert deadline(table.state) == began + LIMIT + ms(200 + 10 + 8_000) + SETTLE + 1


def test_what_two_stalls_have_in_common_is_given_back_once() -> None:
    table = started()
    began = table.now
    stall(table, ms(100), ms(300))
    store_stall(table, ms(100), ms(400))
    stall(table, ms(200), ms(350))
    assert deadline(table.state) == began + LIMIT + ms(300) + SETTLE + 1


def test_stalls_are_forgiven_by_the_margin_until_they_are_more_than_it_together() -> None:
    table = started()
    began = table.now
    for part in range(2):
        stall(table, ms(100 * part), ms(100 * part + 25))
        assert deadline(table.state) == began + LIMIT + SETTLE + 1
    stall(table, ms(200), ms(200) + 1)
    assert deadline(table.state) == began + LIMIT + ms(50) + 1 + SETTLE + 1


def test_what_is_recorded_as_re_timed_is_never_more_than_the_decision_took() -> None:
    table = started()
    stall(table, -ms(5_000), ms(300))
    stall(table, ms(0), ms(300))
    table.clock.advance(ms(300))
    table.answer(scripted(table.question))
    assert table.state.timings[0].used_us == 0
    assert table.state.timings[0].retimed_us == 300_000


def test_a_stall_before_it_takes_nothing_from_one_inside_it() -> None:
    table = started()
    began = table.now
    stall(table, -ms(300), -ms(100))
    stall(table, ms(100), ms(300))
    assert deadline(table.state) == began + LIMIT + ms(200) + SETTLE + 1


def test_the_next_decision_may_be_re_timed_again() -> None:
    table = started()
    stall(table, ms(100), ms(300))
    table.play()
    began = table.now
    stall(table, ms(100), ms(400))
    assert deadline(table.state) == began + LIMIT + ms(300) + SETTLE + 1


def test_a_decision_whose_clock_has_not_started_needs_nothing() -> None:
    table = Table(setup_of())
    table.connect()
    table.ready()
    stall(table, ms(0), ms(300))
    assert table.state.pending is not None
    assert table.state.pending.retimed == 0


def test_the_time_left_that_is_told_knows_of_the_stall() -> None:
    table = started()
    stall(table, ms(0), ms(2_000))
    table.clock.advance(ms(2_500))
    table.connect(0)
    assert table.question.time_left_us == 10_500_000


def test_a_stall_is_given_back_to_the_grace_too() -> None:
    limits = Limits(per_decision=timedelta(hours=1))
    table = started(3, limits)
    table.disconnect(1)
    stall(table, ms(1_000), ms(5_000))
    table.tick(ms(19_000) + SETTLE)
    assert table.state.forfeits == ()
    table.tick(1)
    assert len(table.state.forfeits) == 1


def test_a_stall_before_the_loss_gives_the_grace_nothing() -> None:
    limits = Limits(per_decision=timedelta(hours=1))
    table = started(3, limits)
    table.disconnect(1)
    stall(table, -ms(5_000), -ms(1))
    table.tick(ms(15_000) + SETTLE + 1)
    assert len(table.state.forfeits) == 1


def test_a_refusal_that_waits_for_the_disk_does_not_cost_the_bot_the_wait() -> None:
    table = started()
    began = table.now
    table.answer(None)
    store_stall(table, ms(0), ms(700))
    store_stall(table, ms(700), ms(900))
    assert deadline(table.state) == began + LIMIT + ms(900) + SETTLE + 1


def test_a_wait_for_the_disk_with_another_decision_gives_this_one_nothing() -> None:
    table = started()
    began = table.now
    store_stall(table, ms(0), ms(700), number=2)
    assert deadline(table.state) == began + LIMIT + SETTLE + 1


def test_an_offer_that_waits_for_the_disk_does_not_cost_the_start_up() -> None:
    table = Table(setup_of())
    ends = table.state.startup_ends
    table.do(StoreStalled(None, table.now, Nanos(table.now + ms(900))))
    assert table.state.startup_ends == ends + ms(900)


# After a restart of the server


def restarted(limits: Limits | None = None) -> Table:
    """Return a match that goes on after the server was away; nobody is back yet."""
    table = started(limits=limits)
    return Table(table.setup, clock=table.clock, resumed_from=table.journal)


def test_a_stall_before_a_bot_is_back_takes_nothing_from_a_later_one() -> None:
    """As when a server is busy with thousands of matches that go on."""
    table = restarted()
    stall(table, ms(0), ms(300))
    table.clock.advance(ms(500))
    table.connect()
    table.sent()
    began = table.now
    stall(table, ms(100), ms(300))
    assert deadline(table.state) == began + LIMIT + ms(200) + SETTLE + 1


@pytest.mark.parametrize("since", [ms(1_000), ms(29_000)])
def test_a_stall_puts_off_until_when_bots_are_expected_back(since: int) -> None:
    table = restarted()
    due = deadline(table.state)
    assert due is not None
    stall(table, since, since + ms(10_000))
    assert deadline(table.state) == due + ms(10_000)
    # Who is back waits for nothing any more.
    table.clock.advance(since + ms(10_000))
    table.connect(0)
    table.sent()
    table.clock.advance(ms(300))
    table.answer(scripted(table.question))
    assert table.state.timings[0].used_us == 300_000


def test_who_was_back_and_is_lost_again_has_its_grace_from_then() -> None:
    table = restarted(Limits(per_decision=timedelta(hours=1)))
    table.connect()
    table.sent()
    table.clock.advance(ms(1_000))
    table.disconnect(1)
    lost = table.now
    stall(table, -ms(500), ms(2_000))
    assert deadline(table.state) == lost + ms(2_000) + ms(15_000) + SETTLE + 1
