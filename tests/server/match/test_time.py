"""Clocks in a match: what each decision is charged, and when time has run out."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from kitumaija.engine import DecidedBy, Seat, default_action
from kitumaija.server.match import (
    AcceptAnswer,
    AnswerArrived,
    AskDecision,
    DecisionSent,
    Fault,
    FaultPolicy,
    Forfeit,
    MatchVoid,
    Nanos,
    RefusalReason,
    RefuseAnswer,
    ResyncAsked,
    RoundTripMeasured,
    Tick,
    deadline,
)
from kitumaija.server.match.journal import Decided, Voided
from kitumaija.wire.times import Limits
from tests.server.match.table import Table, illegal_for, scripted, setup_of, started
from tests.support.clock import ms

LIMIT = ms(1_000 + 50 + 10_000)
SETTLE = ms(20)


def answer_after(table: Table, nanos: int) -> int:
    """Answer the open decision `nanos` after its clock started; return its seat."""
    seat = table.mover
    action = scripted(table.question)
    table.clock.advance(nanos)
    table.answer(action)
    return seat


@pytest.mark.parametrize("early", [1, 0])
def test_an_answer_up_to_the_last_nanosecond_counts(early: int) -> None:
    table = started()
    answer_after(table, LIMIT - early)
    assert table.state.decisions[0].by is DecidedBy.BOT
    assert table.state.seats[0].faults == ()


def test_an_answer_a_nanosecond_later_does_not() -> None:
    table = started()
    ask = table.question
    answer_after(table, LIMIT + 1)
    decision = table.state.decisions[0]
    assert (decision.by, decision.fault) == (DecidedBy.DEFAULT, "decision_timeout")
    assert decision.action == default_action(ask.view, ask.legal)
    assert table.last(0, RefuseAnswer).reason is RefusalReason.DECIDED
    assert not table.all(0, AcceptAnswer)


@pytest.mark.parametrize(
    ("used", "bank_left"),
    [
        (ms(0), ms(10_000)),
        (ms(1_000), ms(10_000)),
        (ms(1_050), ms(10_000)),
        (ms(1_050) + 1_000, ms(10_000) - 1_000),
        (ms(3_050), ms(8_000)),
        (LIMIT, 0),
    ],
)
def test_the_bank_is_spent_only_above_the_decision_s_time_and_the_margin(
    used: int, bank_left: int
) -> None:
    table = started()
    answer_after(table, used)
    assert table.state.seats[0].bank == bank_left
    entry = table.journal[-1]
    assert isinstance(entry, Decided)
    assert entry.bank_left_us * 1_000 == bank_left
    assert entry.timing.used_us * 1_000 == used


def test_the_bank_of_one_seat_is_not_another_s() -> None:
    table = started(3)
    answer_after(table, ms(5_050))
    table.sent()
    assert [seat.bank for seat in table.state.seats] == [ms(6_000), ms(10_000), ms(10_000)]


def test_an_empty_bank_leaves_the_time_of_one_decision() -> None:
    table = started()
    answer_after(table, LIMIT)
    table.sent()
    while table.mover != 0:
        table.play()
    assert table.question.time_left_us == 1_000_000
    assert table.question.bank_us == 0
    answer_after(table, ms(1_050))
    table.sent()
    assert table.state.seats[0].faults == ()
    while table.mover != 0:
        table.play()
    answer_after(table, ms(1_050) + 1)
    assert table.state.seats[0].faults == (Fault.DECISION_TIMEOUT,)


def test_the_increment_comes_after_each_answered_decision() -> None:
    table = started(limits=Limits(increment=timedelta(milliseconds=300)))
    answer_after(table, ms(2_050))
    assert table.state.seats[0].bank == ms(10_000 - 1_000 + 300)


def test_a_decision_that_was_not_answered_earns_no_increment_and_empties_the_bank() -> None:
    table = started(limits=Limits(increment=timedelta(milliseconds=300)))
    table.tick_at_deadline()
    assert table.state.seats[0].bank == 0


def test_a_decision_lost_to_illegal_answers_pays_its_time_and_earns_nothing() -> None:
    table = started(limits=Limits(increment=timedelta(milliseconds=300)))
    table.clock.advance(ms(4_050))
    for _ in range(3):
        table.answer(illegal_for(table.last(0, AskDecision)), seat=0, decision_id=1)
    assert table.state.seats[0].bank == ms(7_000)


def test_a_timeout_is_charged_all_the_time_there_was_whenever_it_was_noticed() -> None:
    table = started()
    table.tick(LIMIT + ms(4_321))
    assert table.state.timings[0].used_us == 11_050_000
    assert table.state.seats[0].last_used_us == 11_050_000


def test_a_tick_rules_a_settling_time_after_the_limit_and_not_before() -> None:
    table = started()
    began = table.now
    assert deadline(table.state) == began + LIMIT + SETTLE + 1
    table.do(Tick(Nanos(began + LIMIT + SETTLE)))
    assert len(table.state.decisions) == 0
    table.do(Tick(Nanos(began + LIMIT + SETTLE + 1)))
    assert table.state.decisions[0].fault == "decision_timeout"


def test_an_answer_stamped_in_time_wins_over_a_tick_that_came_first() -> None:
    table = started()
    action = scripted(table.question)
    stamp = Nanos(table.now + LIMIT)
    table.do(Tick(Nanos(stamp + SETTLE)))
    table.do(AnswerArrived(Seat(0), 1, action, stamp))
    assert table.state.decisions[0].by is DecidedBy.BOT


def test_an_answer_stamped_too_late_loses_though_no_tick_came() -> None:
    table = started()
    action = scripted(table.question)
    table.do(AnswerArrived(Seat(0), 1, action, Nanos(table.now + LIMIT + 1)))
    assert table.state.decisions[0].fault == "decision_timeout"


def test_a_late_answer_to_another_decision_ends_the_open_one_too() -> None:
    table = started()
    table.do(AnswerArrived(Seat(0), 9, None, Nanos(table.now + LIMIT + 1)))
    assert table.state.decisions[0].fault == "decision_timeout"


def test_another_seat_s_later_stamp_does_not_end_an_open_decision() -> None:
    table = started()
    late = Nanos(table.now + LIMIT + ms(15))
    table.do(AnswerArrived(Seat(1), 9, None, late))
    table.do(ResyncAsked(Seat(1), late))
    assert len(table.state.decisions) == 0


def test_the_clock_starts_when_the_decision_was_sent() -> None:
    table = Table(setup_of())
    table.connect()
    table.ready()
    table.clock.advance(ms(700))
    handed = table.now
    sent = table.clock.advance(ms(80))
    table.do(DecisionSent(Seat(0), 1, sent, handed))
    answer_after(table, ms(300))
    timing = table.state.timings[0]
    assert timing.used_us == 300_000
    assert timing.server_us == 80_000


def test_a_decision_that_was_not_sent_cannot_run_out() -> None:
    table = Table(setup_of())
    table.connect()
    table.ready()
    table.tick(ms(60_000))
    assert len(table.state.decisions) == 0


def test_a_decision_sent_twice_has_started_once() -> None:
    table = started()
    table.clock.advance(ms(900))
    table.do(DecisionSent(Seat(0), 1, table.now, table.now))
    table.answer(scripted(table.question))
    assert table.state.timings[0].used_us == 900_000


@pytest.mark.parametrize(("seat", "decision_id"), [(0, 2), (1, 1)])
def test_the_sending_of_another_decision_starts_no_clock(seat: int, decision_id: int) -> None:
    table = Table(setup_of())
    table.connect()
    table.ready()
    table.do(DecisionSent(Seat(seat), decision_id, table.now, table.now))
    assert table.state.pending is not None
    assert table.state.pending.started is None


def test_the_last_answer_s_time_and_the_round_trip_are_told_with_a_decision() -> None:
    table = started()
    table.do(RoundTripMeasured(Seat(0), ms(12)))
    answer_after(table, ms(250))
    table.sent()
    while table.mover != 0:
        table.play()
    assert table.question.last_used_us == 250_000
    assert table.question.round_trip_us == 12_000
    assert table.state.timings[0].network_us == 12_000


def test_the_margin_is_never_told_as_time_left() -> None:
    for margin in (0, 50, 5_000):
        table = started(limits=Limits(margin=timedelta(milliseconds=margin)))
        assert table.question.time_left_us == 11_000_000


def test_a_bot_that_always_answers_in_its_last_moment_is_never_timed_out() -> None:
    table = started()
    while not table.results:
        table.clock.advance(ms(1_050))
        table.play()
    assert table.played.faults == ((), ())


def test_a_bot_that_is_always_a_moment_too_late_loses_its_seat() -> None:
    limits = Limits(bank=timedelta(0))
    table = started(limits=limits)
    while not table.results:
        table.clock.advance(ms(1_050) + (table.mover == 0))
        table.play()
    assert table.played.faults == ((Fault.DECISION_TIMEOUT,) * 5, ())


# Each limit violated alone is ruled by exactly that one.

WIDE = Limits(
    startup=timedelta(hours=1),
    per_decision=timedelta(hours=1),
    bank=timedelta(hours=1),
    margin=timedelta(hours=1),
    grace=timedelta(hours=1),
)


def test_only_the_time_of_a_decision_and_no_bank_is_a_timeout() -> None:
    limits = replace(
        WIDE, per_decision=timedelta(seconds=1), bank=timedelta(0), margin=timedelta(0)
    )
    table = started(limits=limits)
    table.tick(ms(1_000) + SETTLE)
    assert table.state.seats[0].faults == ()
    table.tick(1)
    assert table.state.seats[0].faults == (Fault.DECISION_TIMEOUT,)


def test_only_the_bank_is_a_timeout_too() -> None:
    limits = replace(WIDE, per_decision=timedelta(microseconds=1), margin=timedelta(0))
    table = started(limits=limits)
    table.tick(ms(3_600_000) + SETTLE + 1_000)
    assert table.state.seats[0].faults == ()
    table.tick(1)
    assert table.state.seats[0].faults == (Fault.DECISION_TIMEOUT,)


def test_only_the_grace_costs_the_seat_and_no_decision() -> None:
    table = started(3, replace(WIDE, grace=timedelta(seconds=1)))
    table.disconnect(1)
    table.tick(ms(1_000) + SETTLE)
    assert table.state.forfeits == ()
    table.tick(1)
    assert table.state.forfeits == (Forfeit(Seat(1), Fault.DISCONNECTED, 0),)
    assert table.state.seats[1].faults == (Fault.DISCONNECTED,)
    assert len(table.state.decisions) == 0


def test_only_the_retries_are_an_illegal_action() -> None:
    table = Table(setup_of(limits=WIDE, policy=FaultPolicy(illegal_retries=0)))
    table.start()
    table.answer(illegal_for(table.question))
    assert table.state.seats[0].faults == (Fault.ILLEGAL_ACTION,)


def test_only_the_cap_voids_the_match_and_is_nobody_s_fault() -> None:
    table = started(limits=replace(WIDE, match_cap=timedelta(seconds=90)))
    table.tick(ms(90_000) + SETTLE)
    assert not table.results
    table.tick(1)
    assert isinstance(table.result, MatchVoid)
    assert isinstance(table.journal[-1], Voided)
    assert all(seat.faults == () for seat in table.state.seats)


def test_of_two_limits_that_are_over_the_earlier_is_ruled_first() -> None:
    table = started(3, Limits(grace=timedelta(seconds=5)))
    table.disconnect(0)
    table.tick(ms(60_000))
    # Away for 5 s, long before 11 s of clock were over: the seat is lost, not the decision.
    assert table.state.seats[0].faults == (Fault.DISCONNECTED,)
    assert table.state.forfeits[0].at == 0
    assert table.state.decisions[0].by is DecidedBy.FORFEIT


def test_a_clock_that_ends_with_the_grace_is_ruled_before_it() -> None:
    # The clock started a second before the bot was lost.
    limits = Limits(grace=timedelta(seconds=11.05 - 1))
    table = started(3, limits)
    table.clock.advance(ms(1_000))
    table.disconnect(0)
    table.tick(ms(60_000))
    assert table.state.decisions[0].by is DecidedBy.DEFAULT
    assert table.state.seats[0].faults == (Fault.DISCONNECTED, Fault.DISCONNECTED)
    assert table.state.forfeits[0].at == 1


@pytest.mark.parametrize("said", [None, 0, 40, 10**12])
def test_how_long_a_bot_says_it_thought_is_kept_and_decides_nothing(said: int | None) -> None:
    table = started()
    table.clock.advance(ms(1_051))
    table.answer(scripted(table.question), think_time_us=said)
    timing = table.state.timings[0]
    assert timing.think_time_us == said
    assert timing.used_us == 1_051_000
    assert table.state.seats[0].bank == ms(9_999)
    assert table.state.seats[0].faults == ()


def test_a_decision_that_ran_out_keeps_nothing_of_what_its_bot_said() -> None:
    table = started()
    table.clock.advance(LIMIT + 1)
    table.answer(scripted(table.question), think_time_us=40)
    assert table.state.timings[0].think_time_us is None
