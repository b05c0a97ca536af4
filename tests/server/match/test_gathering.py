"""From the offer to the first decision: readiness, the start-up limit, no shows."""

from __future__ import annotations

from datetime import timedelta

import pytest

from kitumaija.engine import Seat, TurnCard
from kitumaija.server.match import (
    AskDecision,
    Connected,
    EndMatch,
    Fault,
    ForfeitOrdered,
    MatchEnding,
    MatchNotStarted,
    MatchPhase,
    MatchVoid,
    Nanos,
    OfferMatch,
    ReadyArrived,
    RefusalReason,
    RefuseAnswer,
    SeatPlayers,
    ServerStalled,
    Tick,
    deadline,
)
from kitumaija.server.match.journal import NotStarted, Offered, Seated
from kitumaija.wire.times import Limits
from tests.server.match.table import Table, scripted, setup_of
from tests.support.clock import ms

STARTUP = ms(30_000)


def test_a_match_is_in_the_journal_before_anybody_is_told_of_it() -> None:
    table = Table(setup_of())
    assert table.journal == [Offered()]
    assert table.told == {0: [], 1: []}


def test_a_bot_is_offered_the_match_when_it_is_there_and_again_on_each_new_stream() -> None:
    table = Table(setup_of(3))
    table.connect(1)
    table.connect(1)
    assert table.told == {0: [], 1: [OfferMatch(3, table.setup.limits)] * 2, 2: []}


def test_nothing_of_seats_names_or_cards_is_told_before_all_are_ready() -> None:
    table = Table(setup_of(3))
    table.connect()
    table.ready(0, 1)
    assert all(isinstance(message, OfferMatch) for seat in range(3) for message in table.told[seat])


def test_when_all_are_ready_all_are_seated_and_the_first_seat_is_asked() -> None:
    table = Table(setup_of(3))
    table.connect()
    table.ready(2, 0)
    assert table.state.phase is MatchPhase.GATHERING
    table.ready(1)
    assert table.state.phase is MatchPhase.PLAYING
    assert table.journal[-1] == Seated()
    for seat in range(3):
        assert table.last(seat, SeatPlayers) == SeatPlayers(
            Seat(seat), ("bot-0", "bot-1", "bot-2"), table.setup.options
        )
    assert len(table.all(0, AskDecision)) == 1
    assert not table.all(1, AskDecision)
    assert not table.all(2, AskDecision)


def test_the_first_decision_has_its_full_time_however_long_the_start_up_took() -> None:
    table = Table(setup_of())
    table.connect()
    table.clock.advance(STARTUP)
    table.ready()
    assert table.question.time_left_us == 11_000_000
    assert table.question.bank_us == 10_000_000
    assert table.question.last_used_us == 0
    assert table.question.first_event == 0


def test_ready_said_twice_counts_once() -> None:
    table = Table(setup_of())
    table.connect()
    table.ready(0, 0)
    assert table.state.phase is MatchPhase.GATHERING


@pytest.mark.parametrize("late", [-1, 0])
def test_ready_in_the_last_nanosecond_of_the_start_up_is_in_time(late: int) -> None:
    table = Table(setup_of())
    table.connect()
    table.ready(0)
    table.do(ReadyArrived(Seat(1), Nanos(table.now + STARTUP + late)))
    assert table.state.phase is MatchPhase.PLAYING


def test_ready_a_nanosecond_after_the_start_up_is_not() -> None:
    table = Table(setup_of())
    table.connect()
    table.ready(0)
    table.clock.advance(STARTUP + 1)
    table.ready(1)
    assert table.state.phase is MatchPhase.GATHERING
    table.tick_at_deadline()
    assert table.result == MatchNotStarted(((Seat(1), Fault.STARTUP_TIMEOUT),))


def test_ready_in_time_counts_though_a_tick_with_a_later_stamp_came_first() -> None:
    table = Table(setup_of())
    table.connect()
    table.ready(0)
    said = Nanos(table.now + STARTUP)
    table.do(Tick(Nanos(said + ms(20))))
    table.do(ReadyArrived(Seat(1), said))
    assert table.state.phase is MatchPhase.PLAYING


def test_the_start_up_ends_when_a_tick_is_a_settling_time_beyond_it() -> None:
    table = Table(setup_of())
    due = Nanos(table.now + STARTUP + ms(20) + 1)
    assert deadline(table.state) == due
    table.do(Tick(Nanos(due - 1)))
    assert table.state.phase is MatchPhase.GATHERING
    table.do(Tick(due))
    assert table.state.phase is MatchPhase.OVER


def test_who_was_never_there_is_a_no_show_and_who_was_not_ready_too_slow() -> None:
    table = Table(setup_of(4))
    table.connect(0, 1, 2)
    table.ready(0)
    table.disconnect(2)
    table.tick_at_deadline()
    absent = (
        (Seat(1), Fault.STARTUP_TIMEOUT),
        (Seat(2), Fault.STARTUP_TIMEOUT),
        (Seat(3), Fault.NO_SHOW),
    )
    assert table.result == MatchNotStarted(absent)
    assert table.journal[-1] == NotStarted(absent)


def test_if_nobody_was_ready_all_are_named() -> None:
    table = Table(setup_of(2))
    table.tick_at_deadline()
    assert table.result == MatchNotStarted(((Seat(0), Fault.NO_SHOW), (Seat(1), Fault.NO_SHOW)))


def test_the_end_of_a_match_that_did_not_begin_shows_nothing_of_it() -> None:
    table = Table(setup_of(2))
    table.connect(0)
    table.ready(0)
    table.tick_at_deadline()
    end = table.last(0, EndMatch)
    assert end == EndMatch(MatchEnding.VOID, reason=end.reason)
    assert "not every bot was ready" in end.reason
    assert not table.told[1]


def test_a_bot_that_was_lost_after_ready_plays_and_its_clock_runs_at_once() -> None:
    table = Table(setup_of())
    table.connect()
    table.ready(0)
    table.disconnect(0)
    table.clock.advance(ms(5_000))
    table.ready(1)
    assert table.state.phase is MatchPhase.PLAYING
    assert table.mover == 0
    assert not table.all(0, AskDecision)
    began = table.now
    assert deadline(table.state) == began + ms(11_050) + ms(20) + 1


def test_a_bot_that_is_back_before_the_start_plays_as_if_nothing_had_been() -> None:
    table = Table(setup_of())
    table.connect()
    table.ready(0)
    table.disconnect(0)
    table.connect(0)
    table.ready(1)
    assert scripted(table.question)


def test_the_grace_of_a_bot_lost_before_the_start_is_counted_from_the_start() -> None:
    table = Table(setup_of(3))
    table.connect()
    table.ready(0, 1)
    table.disconnect(1)
    table.clock.advance(ms(20_000))
    table.ready(2)
    table.sent()
    table.tick(ms(15_000))
    assert table.state.seats[1].forfeited is None


def test_a_bot_that_left_on_purpose_has_to_be_ready_again() -> None:
    table = Table(setup_of())
    table.connect()
    table.ready(0)
    table.disconnect(0, goodbye=True)
    table.ready(1)
    assert table.state.phase is MatchPhase.GATHERING
    table.connect(0)
    table.ready(0)
    assert table.state.phase is MatchPhase.PLAYING
    assert table.question.decision_id == 1


def test_an_answer_before_the_game_is_to_no_known_decision() -> None:
    table = Table(setup_of())
    table.connect()
    table.answer(TurnCard(), seat=0, decision_id=1)
    refusal = table.last(0, RefuseAnswer)
    assert refusal.reason is RefusalReason.UNKNOWN_DECISION
    assert refusal.action == TurnCard()
    assert refusal.legal == ()


@pytest.mark.parametrize(
    "fault",
    [Fault.WITHDRAWN, Fault.DISQUALIFIED, Fault.FLOODING, Fault.PROTOCOL_VIOLATION],
)
def test_a_match_that_loses_a_bot_before_it_began_does_not_begin(fault: Fault) -> None:
    table = Table(setup_of(3))
    table.connect()
    table.ready(0, 1)
    table.do(ForfeitOrdered(Seat(1), fault, table.now))
    assert table.result == MatchNotStarted(((Seat(1), fault),))
    assert table.last(2, EndMatch).ending is MatchEnding.VOID


@pytest.mark.parametrize(
    "fault",
    [
        Fault.NO_SHOW,
        Fault.STARTUP_TIMEOUT,
        Fault.DECISION_TIMEOUT,
        Fault.ILLEGAL_ACTION,
        Fault.DISCONNECTED,
        Fault.SERVER_FAULT,
    ],
)
def test_what_only_the_match_can_find_cannot_be_ordered(fault: Fault) -> None:
    with pytest.raises(ValueError, match=f"got {fault}, wanted one of"):
        ForfeitOrdered(Seat(0), fault, Nanos(0))


def test_a_stall_of_the_server_is_given_back_to_the_start_up() -> None:
    table = Table(setup_of())
    table.connect()
    table.ready(0)
    offered = table.now
    table.do(ServerStalled(Nanos(offered + ms(1_000)), Nanos(offered + ms(4_000))))
    table.do(ReadyArrived(Seat(1), Nanos(offered + STARTUP + ms(3_000))))
    assert table.state.phase is MatchPhase.PLAYING


def test_of_a_stall_before_the_offer_only_what_came_after_it_is_given_back() -> None:
    table = Table(setup_of())
    table.connect()
    table.ready(0)
    offered = table.now
    table.do(ServerStalled(Nanos(offered - ms(1_000)), Nanos(offered + ms(1_000))))
    table.do(ReadyArrived(Seat(1), Nanos(offered + STARTUP + ms(1_000) + 1)))
    assert table.state.phase is MatchPhase.GATHERING


def test_a_cap_shorter_than_the_start_up_voids_the_match_and_blames_nobody() -> None:
    limits = Limits(match_cap=timedelta(seconds=10))
    table = Table(setup_of(limits=limits))
    table.connect()
    assert deadline(table.state) == table.now + ms(10_000) + ms(20) + 1
    table.tick_at_deadline()
    assert isinstance(table.result, MatchVoid)
    assert "longer than its limits allow" in table.result.reason


def test_a_start_up_that_ends_with_the_cap_is_the_bots_affair() -> None:
    table = Table(setup_of(limits=Limits(match_cap=timedelta(seconds=30))))
    table.tick_at_deadline()
    assert isinstance(table.result, MatchNotStarted)


def test_a_bot_is_connected_though_others_are_not_told_so() -> None:
    table = Table(setup_of())
    table.connect(0)
    told = list(table.told[0])
    table.do(Connected(Seat(1), table.now))
    table.disconnect(1)
    assert table.told[0] == told
