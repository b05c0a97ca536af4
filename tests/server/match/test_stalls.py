"""Stalls of the server: what they take from a bot is given back, once, and no more."""

from __future__ import annotations

from datetime import timedelta

import pytest

from kitumaija.engine import DecidedBy
from kitumaija.server.match import Nanos, ServerStalled, deadline
from kitumaija.wire.times import Limits
from tests.server.match.table import Table, scripted, setup_of, started
from tests.support.clock import ms

LIMIT = ms(11_050)
SETTLE = ms(20)


def stall(table: Table, since: int, until: int) -> None:
    """Report a stall, in nanoseconds from now."""
    table.do(ServerStalled(Nanos(table.now + since), Nanos(table.now + until)))


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


def test_a_decision_is_re_timed_once() -> None:
    table = started()
    began = table.now
    stall(table, ms(100), ms(300))
    stall(table, ms(1_000), ms(9_000))
    assert deadline(table.state) == began + LIMIT + ms(200) + SETTLE + 1


def test_a_stall_outside_it_does_not_use_up_the_decision_s_one_time() -> None:
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
