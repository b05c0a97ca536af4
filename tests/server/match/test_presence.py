"""Bots that are lost, come back, leave, or are replaced by another copy of themselves."""

from __future__ import annotations

import pytest

from kitumaija.engine import DecidedBy, Seat, TurnCard
from kitumaija.server.match import (
    AcceptAnswer,
    AskDecision,
    Connected,
    DecisionSent,
    Disconnected,
    EndMatch,
    Fault,
    FaultPolicy,
    MatchPhase,
    MatchPlayed,
    Nanos,
    RefusalReason,
    RefuseAnswer,
    ResyncAsked,
    RoundTripMeasured,
    SyncMatch,
    deadline,
)
from tests.server.match.table import Table, scripted, setup_of, started
from tests.support.clock import ms

SETTLE = ms(20)
LIMIT = ms(11_050)


def test_a_bot_that_comes_back_is_told_everything_and_asked_again_what_is_open() -> None:
    table = started(3)
    for _ in range(20):
        table.play()
    seat = table.mover
    before = table.question
    table.disconnect(seat)
    table.connect(seat)
    sync, ask = table.told[seat][-2:]
    assert isinstance(sync, SyncMatch)
    assert isinstance(ask, AskDecision)
    assert sync.seat == seat
    assert sync.entrants == table.setup.entrants
    assert len(sync.events) == len(table.state.events)
    assert ask.decision_id == before.decision_id
    assert (ask.view, ask.legal) == (before.view, before.legal)
    assert ask.events == ()
    assert ask.first_event == len(sync.events)


def test_all_events_of_a_sync_are_those_told_with_the_decisions() -> None:
    table = started(2)
    told = list(table.question.events)
    while table.mover != 1:
        table.play()
    while table.mover != 0:
        table.play()
    for ask in table.all(0, AskDecision)[1:]:
        assert ask.first_event == len(told)
        told += ask.events
    table.do(ResyncAsked(Seat(0), table.now))
    assert list(table.last(0, SyncMatch).events) == told


def test_after_a_sync_the_next_decision_goes_on_with_the_events_after_it() -> None:
    table = started()
    table.disconnect(1)
    table.connect(1)
    known = len(table.last(1, SyncMatch).events)
    while table.mover != 1:
        table.play()
    assert table.question.first_event == known
    assert table.question.first_event + len(table.question.events) == len(table.state.events)


def test_a_bot_that_is_not_asked_anything_is_synced_and_not_asked() -> None:
    table = started()
    asked = len(table.all(1, AskDecision))
    table.disconnect(1)
    table.connect(1)
    assert isinstance(table.told[1][-1], SyncMatch)
    assert len(table.all(1, AskDecision)) == asked


def test_reconnecting_does_not_give_time_back() -> None:
    table = started()
    table.clock.advance(ms(4_000))
    table.disconnect(0)
    table.clock.advance(ms(2_000))
    table.connect(0)
    assert table.question.time_left_us == 5_000_000
    table.sent()
    table.clock.advance(ms(500))
    table.answer(scripted(table.question))
    assert table.state.timings[0].used_us == 6_500_000


def test_a_hundred_reconnects_within_a_decision_never_lessen_the_time_charged() -> None:
    table = started()
    began = table.now
    left = []
    for _ in range(100):
        table.clock.advance(ms(100))
        table.disconnect(0)
        table.clock.advance(ms(3))
        table.connect(0)
        table.sent()
        left.append(table.question.time_left_us)
        assert deadline(table.state) == began + LIMIT + SETTLE + 1
    assert left == sorted(left, reverse=True)
    table.answer(scripted(table.question))
    assert table.state.timings[0].used_us == 100 * 103_000


def test_a_hundred_replacements_before_the_sending_do_not_stop_the_clock_for_long() -> None:
    table = Table(setup_of())
    table.connect()
    table.ready()
    began = table.now
    for _ in range(100):
        table.connect(0)
        table.clock.advance(ms(50))
    # The second stream took over from the first at once: from then on the clock runs.
    assert deadline(table.state) == began + LIMIT + SETTLE + 1


def test_the_clock_of_a_decision_not_yet_sent_runs_from_the_loss_of_the_bot() -> None:
    table = Table(setup_of())
    table.connect()
    table.ready()
    table.clock.advance(ms(30))
    table.disconnect(0)
    lost = table.now
    table.clock.advance(ms(40))
    table.connect(0)
    table.clock.advance(ms(5))
    table.do(DecisionSent(Seat(0), 1, table.now, table.now))
    assert deadline(table.state) == lost + LIMIT + SETTLE + 1


def test_the_clock_of_a_bot_that_is_away_when_it_is_to_be_asked_starts_at_once() -> None:
    table = started(2)
    table.disconnect(1)
    while table.mover != 1:
        table.play()
    assert table.state.pending is not None
    assert table.state.pending.started == table.now


def test_the_time_of_a_decision_that_ran_out_while_its_bot_was_away_is_a_disconnection() -> None:
    table = started()
    table.disconnect(0)
    table.tick_at_deadline()
    decision = table.state.decisions[0]
    assert (decision.by, decision.fault) == (DecidedBy.DEFAULT, Fault.DISCONNECTED)


@pytest.mark.parametrize(
    ("lost_after", "fault"),
    [
        (LIMIT - 1, Fault.DISCONNECTED),
        (LIMIT, Fault.DISCONNECTED),
        (LIMIT + 1, Fault.DECISION_TIMEOUT),
    ],
)
def test_whose_fault_it_is_depends_on_where_the_bot_was_at_the_last_instant(
    lost_after: int, fault: Fault
) -> None:
    table = started()
    table.clock.advance(lost_after)
    table.disconnect(0)
    table.tick_at_deadline()
    assert table.state.seats[0].faults == (fault,)


@pytest.mark.parametrize(
    ("back_after", "fault"),
    [
        (LIMIT - 1, Fault.DECISION_TIMEOUT),
        (LIMIT, Fault.DECISION_TIMEOUT),
        (LIMIT + 1, Fault.DISCONNECTED),
    ],
)
def test_a_bot_that_was_back_at_the_last_instant_timed_out(back_after: int, fault: Fault) -> None:
    table = started()
    table.disconnect(0)
    table.clock.advance(back_after)
    table.connect(0)
    if len(table.state.decisions) == 0:
        table.tick_at_deadline()
    assert table.state.seats[0].faults == (fault,)


def test_coming_back_after_the_clock_ended_is_told_the_next_decision_only() -> None:
    table = started(2)
    table.disconnect(0)
    table.clock.advance(LIMIT + 1)
    told = len(table.told[0])
    table.connect(0)
    assert table.state.decisions[0].fault == "disconnected"
    assert isinstance(table.told[0][told], SyncMatch)
    assert all(ask.decision_id == 2 for ask in table.told[0][told + 1 :])  # type: ignore[union-attr]


# Goodbye


def test_what_is_open_is_decided_by_default_when_its_bot_says_goodbye() -> None:
    table = started(3)
    table.clock.advance(ms(300))
    table.disconnect(0, goodbye=True)
    decision = table.state.decisions[0]
    assert (decision.by, decision.fault) == (DecidedBy.DEFAULT, Fault.DISCONNECTED)
    assert table.state.timings[0].used_us == 300_000


def test_a_bot_that_left_is_not_waited_for_until_it_comes_back() -> None:
    table = started(3)
    table.disconnect(1, goodbye=True)
    while not table.state.seats[1].faults:
        table.play()
    assert table.mover != 1
    table.connect(1)
    while table.mover != 1:
        table.play()
    table.play()
    assert table.last(1, AcceptAnswer)


def test_a_bot_that_stays_away_loses_its_seat_by_its_faults() -> None:
    table = started(3)
    table.disconnect(1, goodbye=True)
    while table.state.seats[1].forfeited is None:
        table.play()
    assert table.state.seats[1].faults == (Fault.DISCONNECTED,) * 5
    assert sum(decision.by is DecidedBy.DEFAULT for decision in table.state.decisions) == 4


def test_goodbye_of_all_bots_ends_the_match_at_once() -> None:
    table = started(3)
    for seat in range(3):
        table.disconnect(seat, goodbye=True)
    assert isinstance(table.result, MatchPlayed)


def test_goodbye_while_it_is_not_the_bot_s_move_leaves_the_open_decision_open() -> None:
    table = started(2)
    table.disconnect(1, goodbye=True)
    assert table.mover == 0
    assert len(table.state.decisions) == 0


# Seats that do not play any more


def outed(seats: int = 3) -> tuple[Table, int]:
    """Return a running match in which a seat is out."""
    for number in range(50):
        table = Table(setup_of(seats, deal=f"deal {number}"))
        table.start()
        while not table.results and not table.state.game.out:
            table.play()
        if not table.results:
            return table, table.state.game.out[0]
    raise AssertionError("in none of 50 games was a seat out before the end")


def test_a_seat_that_is_out_keeps_its_place_though_its_bot_goes() -> None:
    table, seat = outed()
    table.disconnect(seat)
    table.tick(ms(500))
    while not table.results:
        table.play()
        table.tick(ms(500))
    assert table.played.game.result.placing[seat] == 1
    assert table.played.faults[seat] == ()
    assert table.played.forfeits == ()


def test_a_seat_that_is_out_is_asked_nothing_and_can_still_look() -> None:
    table, seat = outed()
    asked = len(table.all(seat, AskDecision))
    table.connect(seat)
    assert isinstance(table.told[seat][-1], SyncMatch)
    table.answer(TurnCard(), seat=seat, decision_id=asked + 1)
    assert table.last(seat, RefuseAnswer).reason is RefusalReason.UNKNOWN_DECISION
    table.play_out()
    assert len(table.all(seat, AskDecision)) == asked
    assert table.last(seat, EndMatch).places[seat] == 1


# Resync, and bots that come when all is over


def test_resync_tells_all_again_and_asks_again_with_the_time_that_is_left() -> None:
    table = started()
    table.clock.advance(ms(2_000))
    table.do(ResyncAsked(Seat(0), table.now))
    sync, ask = table.told[0][-2:]
    assert isinstance(sync, SyncMatch)
    assert isinstance(ask, AskDecision)
    assert ask.time_left_us == 9_000_000
    assert ask.bank_us == 9_000_000
    assert len(table.state.decisions) == 0


def test_a_resync_after_the_clock_ended_is_too_late_for_the_decision() -> None:
    table = started()
    table.do(ResyncAsked(Seat(0), Nanos(table.now + LIMIT + 1)))
    assert table.state.decisions[0].fault == "decision_timeout"


def test_a_bot_that_was_away_at_the_end_is_told_it_when_it_is_back() -> None:
    table = started(2)
    table.disconnect(1)
    while not table.results:
        if table.mover == 0:
            table.play()
        else:
            table.tick_at_deadline()
    assert not table.all(1, EndMatch)
    table.connect(1)
    end = table.last(1, EndMatch)
    assert end.places == table.played.game.result.placing
    assert len(table.all(0, EndMatch)) == 1


def test_a_bot_that_comes_back_when_all_is_over_is_told_every_event_again() -> None:
    """What was under way to it when its stream broke is lost, and nobody knows what that was."""
    table = started(2)
    table.play_out()
    table.disconnect(1)
    table.connect(1)
    again = table.last(1, EndMatch)
    assert (again.first_event, len(again.events)) == (0, len(table.state.events))


def test_a_bot_whose_coming_back_ends_the_match_is_told_every_event_too() -> None:
    table = started(2, policy=FaultPolicy(faults_to_forfeit=1))
    table.disconnect(0)
    table.clock.advance(LIMIT + 1)
    table.connect(0)
    end = table.last(0, EndMatch)
    assert (end.first_event, len(end.events)) == (0, len(table.state.events))


def test_nothing_is_told_to_a_seat_that_is_not_connected() -> None:
    table = started(3)
    table.disconnect(1)
    told = len(table.told[1])
    while not table.results:
        if table.mover == 1:
            table.tick_at_deadline()
        else:
            table.play()
    assert len(table.told[1]) == told
    assert table.state.phase is MatchPhase.OVER


def test_the_round_trip_of_an_old_stream_is_not_told_on_the_new_one() -> None:
    table = started()
    table.do(RoundTripMeasured(Seat(0), ms(40)))
    table.do(Connected(Seat(0), table.now))
    assert table.question.round_trip_us == 0


def test_a_loss_reported_twice_means_no_more_than_once() -> None:
    table = started()
    table.disconnect(0)
    state = table.state
    table.do(Disconnected(Seat(0), table.clock.advance(ms(10))))
    assert table.state == state
