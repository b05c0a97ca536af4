"""Answers: taken, refused, sent again, too early and too late."""

from __future__ import annotations

import pytest

from kitumaija.engine import (
    DecidedBy,
    IllegalReason,
    Pass,
    PlayCard,
    Seat,
    TakeCards,
    default_action,
)
from kitumaija.server.match import (
    AcceptAnswer,
    AnswerArrived,
    AskDecision,
    EndMatch,
    Fault,
    FaultPolicy,
    RefusalReason,
    RefuseAnswer,
    RoundTripMeasured,
    VoidOrdered,
)
from kitumaija.server.match.journal import Decided, RefusedIllegal
from kitumaija.server.match.refusals import broken_rule
from tests.server.match.table import Table, illegal_for, scripted, setup_of, started
from tests.support.clock import ms


def test_a_legal_answer_is_journaled_accepted_and_played() -> None:
    table = started()
    ask = table.question
    action = scripted(ask)
    table.answer(action)
    entry = table.journal[-1]
    assert isinstance(entry, Decided)
    assert (entry.seat, entry.decision_id, entry.action) == (0, 1, action)
    assert (entry.by, entry.fault) == (DecidedBy.BOT, None)
    assert table.told[0][-1] == AcceptAnswer(1) or table.told[0][-2] == AcceptAnswer(1)
    assert table.state.decisions[0].action == action


def test_accepted_comes_before_the_next_decision_of_the_same_bot() -> None:
    table = started()
    while table.state.pending and table.mover == 0:
        told = len(table.told[0])
        table.play()
        kinds = [type(message) for message in table.told[0][told:]]
        assert kinds[0] is AcceptAnswer
        assert kinds[1:] in ([], [AskDecision])


def test_the_decisions_of_a_seat_are_numbered_from_one_without_gaps() -> None:
    table = started(4)
    table.play_out()
    for seat in range(4):
        asked = [ask.decision_id for ask in table.all(seat, AskDecision)]
        assert asked == list(range(1, len(asked) + 1))


def test_a_decision_carries_the_events_since_the_last_each_once() -> None:
    table = started(3)
    table.play_out()
    for seat in range(3):
        seen = 0
        for message in table.told[seat]:
            if isinstance(message, AskDecision | EndMatch):
                assert message.first_event == seen
                seen += len(message.events)
        assert seen == len(table.state.events)


def test_an_illegal_answer_is_refused_with_the_rule_and_what_was_legal() -> None:
    table = started()
    ask = table.question
    table.answer(illegal_for(ask))
    assert table.last(0, RefuseAnswer) == RefuseAnswer(
        1,
        RefusalReason.ILLEGAL_ACTION,
        illegal_for(ask),
        broken_rule(IllegalReason.NOT_IN_HAND),
        ask.legal,
        2,
    )
    assert table.journal[-1] == RefusedIllegal(Seat(0), 1)


def test_the_decision_stays_open_after_a_refusal() -> None:
    table = started()
    ask = table.question
    table.answer(illegal_for(ask))
    table.answer(scripted(ask))
    assert table.last(0, AcceptAnswer) == AcceptAnswer(1)
    assert table.state.seats[0].faults == ()


@pytest.mark.parametrize("retries", [0, 1, 2, 5])
def test_one_illegal_answer_more_than_the_retries_allow_is_the_default(retries: int) -> None:
    table = started(policy=FaultPolicy(illegal_retries=retries))
    ask = table.question
    for number in range(retries):
        table.answer(illegal_for(ask))
        assert table.last(0, RefuseAnswer).retries_left == retries - number
        assert table.last(0, RefuseAnswer).legal == ask.legal
        assert len(table.state.decisions) == 0
    table.answer(illegal_for(ask))
    last = table.last(0, RefuseAnswer)
    assert (last.reason, last.retries_left, last.legal) == (RefusalReason.ILLEGAL_ACTION, 0, ())
    decision = table.state.decisions[0]
    assert decision.action == default_action(ask.view, ask.legal)
    assert (decision.by, decision.fault) == (DecidedBy.DEFAULT, Fault.ILLEGAL_ACTION)
    assert table.state.seats[0].faults == (Fault.ILLEGAL_ACTION,)


def test_a_bot_that_repeats_one_illegal_action_gets_one_fault_a_decision() -> None:
    table = started()
    before = table.state.seats[0].faults
    for _ in range(3):
        table.answer(illegal_for(table.question), decision_id=1, seat=0)
    assert table.state.seats[0].faults == (*before, Fault.ILLEGAL_ACTION)
    assert len(table.all(0, RefuseAnswer)) == 3


def test_retries_are_counted_for_each_decision_anew() -> None:
    table = started()
    for _ in range(6):
        ask = table.question
        seat = table.mover
        table.answer(illegal_for(ask))
        assert table.last(seat, RefuseAnswer).retries_left == 2
        table.play()


def test_an_answer_that_cannot_be_read_counts_as_illegal() -> None:
    table = started()
    for _ in range(3):
        table.answer(None, seat=0, decision_id=1)
    reasons = [refusal.reason for refusal in table.all(0, RefuseAnswer)]
    assert reasons == [RefusalReason.MALFORMED_ACTION] * 3
    assert table.last(0, RefuseAnswer).action is None
    assert table.state.seats[0].faults == (Fault.ILLEGAL_ACTION,)


def test_illegal_and_unreadable_answers_count_together() -> None:
    table = started(policy=FaultPolicy(illegal_retries=1))
    table.answer(None)
    table.answer(illegal_for(table.question), seat=0, decision_id=1)
    assert table.state.seats[0].faults == (Fault.ILLEGAL_ACTION,)


def test_what_was_wrong_with_an_unreadable_answer_is_passed_on() -> None:
    table = started()
    table.do(AnswerArrived(Seat(0), 1, None, table.now, problem="Card 77 is no card."))
    assert table.last(0, RefuseAnswer).detail == "Card 77 is no card."


def test_a_refusal_neither_stops_nor_restarts_the_clock() -> None:
    table = started()
    table.clock.advance(ms(3_000))
    table.answer(illegal_for(table.question))
    table.clock.advance(ms(2_000))
    table.answer(scripted(table.question))
    assert table.state.timings[0].used_us == 5_000_000


def test_the_same_answer_twice_is_accepted_twice_and_counted_once() -> None:
    table = started()
    action = scripted(table.question)
    table.answer(action, seat=0, decision_id=1)
    decisions, journaled = len(table.state.decisions), len(table.journal)
    table.answer(action, seat=0, decision_id=1)
    assert table.all(0, AcceptAnswer) == [AcceptAnswer(1), AcceptAnswer(1)]
    assert len(table.state.decisions) == decisions
    assert len(table.journal) == journaled


def test_a_different_answer_to_a_decided_id_is_refused_as_decided() -> None:
    table = started()
    ask = table.question
    action = scripted(ask)
    other = next(card for card in map(PlayCard, ask.view.hand) if card != action)
    table.answer(action, seat=0, decision_id=1)
    state = table.state
    table.answer(other, seat=0, decision_id=1)
    assert table.last(0, RefuseAnswer).reason is RefusalReason.DECIDED
    assert "earlier, different answer" in table.last(0, RefuseAnswer).detail
    assert table.state == state


def test_an_unreadable_answer_to_a_decided_id_is_no_fault() -> None:
    table = started()
    table.answer(scripted(table.question))
    table.answer(None, seat=0, decision_id=1)
    assert table.last(0, RefuseAnswer).reason is RefusalReason.DECIDED
    assert table.state.seats[0].faults == ()


def test_an_answer_to_a_decision_made_by_default_is_refused_though_it_is_the_same() -> None:
    table = started()
    ask = table.question
    table.tick_at_deadline()
    table.answer(default_action(ask.view, ask.legal), seat=0, decision_id=1)
    assert table.last(0, RefuseAnswer).reason is RefusalReason.DECIDED
    assert table.all(0, AcceptAnswer) == []


def test_an_answer_that_came_too_late_is_told_what_became_of_its_time() -> None:
    table = Table(setup_of())
    table.connect()
    table.do(RoundTripMeasured(Seat(0), ms(12.5)))
    table.ready()
    table.sent(after=ms(3))
    action = scripted(table.question)
    table.tick_at_deadline()
    table.answer(action, seat=0, decision_id=1)
    assert table.last(0, RefuseAnswer).detail == (
        "The decision was made by default: decision_timeout. 11050 ms were charged; the stream's "
        "round trip was about 12.5 ms, and the server took 3 ms to send the decision."
    )


@pytest.mark.parametrize("decision_id", [0, 2, 3, 1000, -1, 2**32 - 1])
def test_an_answer_to_a_decision_not_asked_is_refused_and_changes_nothing(
    decision_id: int,
) -> None:
    table = started()
    state = table.state
    table.answer(scripted(table.question), seat=0, decision_id=decision_id)
    assert table.last(0, RefuseAnswer).reason is RefusalReason.UNKNOWN_DECISION
    assert table.state == state


def test_a_seat_that_is_not_asked_cannot_answer_for_the_one_that_is() -> None:
    table = started()
    state = table.state
    table.answer(scripted(table.question), seat=1, decision_id=1)
    assert table.last(1, RefuseAnswer).reason is RefusalReason.UNKNOWN_DECISION
    assert table.state == state


@pytest.mark.parametrize("action", [TakeCards(0), TakeCards(99), Pass(), TakeCards(-3)])
def test_any_action_value_is_judged_and_none_raises(action: TakeCards | Pass) -> None:
    table = started()
    table.answer(action)
    assert table.last(0, RefuseAnswer).reason is RefusalReason.ILLEGAL_ACTION


def test_an_answer_that_was_taken_is_acknowledged_after_the_end_too() -> None:
    table = started()
    table.play_out()
    decision = table.state.decisions[len(table.state.decisions) - 1]
    number = len(table.state.seats[decision.seat].decided)
    table.answer(decision.action, seat=decision.seat, decision_id=number)
    assert table.last(decision.seat, AcceptAnswer) == AcceptAnswer(number)
    table.answer(decision.action, seat=decision.seat, decision_id=number + 1)
    assert table.last(decision.seat, RefuseAnswer).reason is RefusalReason.UNKNOWN_MATCH


def test_after_a_void_match_every_answer_is_to_an_unknown_match() -> None:
    table = started()
    action = scripted(table.question)
    table.answer(action)
    table.do(VoidOrdered("The lights went out.", table.now))
    table.answer(action, seat=0, decision_id=1)
    assert table.last(0, RefuseAnswer).reason is RefusalReason.UNKNOWN_MATCH


def test_an_answer_before_its_decision_was_reported_sent_is_taken_and_costs_nothing() -> None:
    table = Table(setup_of())
    table.connect()
    table.ready()
    table.clock.advance(ms(60_000))
    table.answer(scripted(table.question))
    assert table.state.timings[0].used_us == 0


def test_there_is_a_sentence_for_every_way_to_be_illegal() -> None:
    for reason in IllegalReason:
        assert broken_rule(reason)[0].isupper()
        assert broken_rule(reason).endswith(".")


def test_a_refusal_shows_no_card_that_the_seat_cannot_see() -> None:
    table = started()
    table.answer(illegal_for(table.question))
    detail = table.last(0, RefuseAnswer).detail
    assert detail == "The card is not in the hand."
