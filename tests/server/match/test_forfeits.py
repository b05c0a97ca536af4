"""Faults that add up, seats that are forfeited, and the places that come of it."""

from __future__ import annotations

from collections import Counter

import pytest

from kitumaija.engine import (
    DecidedBy,
    GameOptions,
    Seat,
    TurnCard,
    default_action,
    legal_actions,
    replay,
    view,
)
from kitumaija.server.match import (
    AcceptAnswer,
    AnswerArrived,
    AskDecision,
    EndMatch,
    Fault,
    FaultPolicy,
    Forfeit,
    ForfeitOrdered,
    MatchEnding,
    MatchPhase,
    RefusalReason,
    RefuseAnswer,
)
from kitumaija.server.match.faults import TABLE, Stage, consequence
from kitumaija.server.match.journal import Decided, Forfeited, Offered, Seated, Seen
from tests.server.match.table import Table, illegal_for, scripted, setup_of, started


def order(table: Table, seat: int, fault: Fault = Fault.WITHDRAWN) -> None:
    table.do(ForfeitOrdered(Seat(seat), fault, table.now))
    table.sent()


def fail(table: Table) -> None:
    """Let the open decision be lost to illegal answers."""
    seat, number = table.mover, table.question.decision_id
    ask = table.question
    while table.state.pending and (table.mover, table.state.pending.decision_id) == (seat, number):
        table.answer(illegal_for(ask))
    table.sent()


def play_failing(table: Table, bad: int) -> None:
    """Play on, seat `bad` failing, until that seat is forfeited or the match is over."""
    while not table.results and table.state.seats[bad].forfeited is None:
        if table.mover == bad:
            fail(table)
        else:
            table.play()


@pytest.mark.parametrize("allowed", [1, 2, 5])
def test_the_fault_that_reaches_the_number_allowed_forfeits_the_seat(allowed: int) -> None:
    table = started(3, policy=FaultPolicy(faults_to_forfeit=allowed))
    play_failing(table, 1)
    assert table.state.seats[1].faults == (Fault.ILLEGAL_ACTION,) * allowed
    by = Counter(decision.by for decision in table.state.decisions if decision.seat == 1)
    assert by[DecidedBy.DEFAULT] == allowed - 1
    assert by[DecidedBy.FORFEIT] >= 1
    assert by[DecidedBy.BOT] == 0


def test_one_fault_fewer_does_not() -> None:
    table = started(3, policy=FaultPolicy(faults_to_forfeit=5))
    while len(table.state.seats[1].faults) < 4:
        if table.mover == 1:
            fail(table)
        else:
            table.play()
    while not table.results:
        table.play()
    assert table.played.forfeits == ()
    assert table.played.faults[1] == (Fault.ILLEGAL_ACTION,) * 4


def test_faults_of_different_kinds_add_up_and_the_last_is_the_one_named() -> None:
    table = started(3, policy=FaultPolicy(faults_to_forfeit=2))
    while table.mover != 1:
        table.play()
    fail(table)
    while table.mover != 1:
        table.play()
    table.tick_at_deadline()
    assert table.state.seats[1].faults == (Fault.ILLEGAL_ACTION, Fault.DECISION_TIMEOUT)
    assert [(lost.seat, lost.fault) for lost in table.state.forfeits] == [
        (1, Fault.DECISION_TIMEOUT)
    ]


def test_a_forfeited_seat_is_played_by_default_at_once_to_the_end() -> None:
    table = started(3)
    order(table, 1)
    while not table.results:
        assert table.mover != 1
        table.play()
    theirs = [decision for decision in table.state.decisions if decision.seat == 1]
    assert theirs
    assert {(decision.by, decision.fault) for decision in theirs} == {
        (DecidedBy.FORFEIT, "withdrawn")
    }


def test_the_game_of_a_forfeited_seat_is_a_game_by_the_rules() -> None:
    for number in range(20):
        table = started(4, deal=f"deal {number}")
        play_failing(table, number % 4)
        if not table.results:
            table.play_out()
        replay(table.played.game)


def test_the_open_decision_of_a_seat_that_is_forfeited_is_made_in_the_same_step() -> None:
    table = started(3)
    ask = table.question
    order(table, 0)
    decision = table.state.decisions[0]
    assert decision.seat == 0
    assert decision.action == default_action(ask.view, ask.legal)


def test_a_forfeit_is_journaled_before_what_is_played_for_it() -> None:
    table = started(3)
    order(table, 0)
    kinds = [type(entry) for entry in table.journal]
    assert kinds[:5] == [Offered, Seated, Forfeited, Seen, Decided]


def test_an_answer_of_a_forfeited_seat_is_refused_as_forfeited() -> None:
    table = started(3)
    ask = table.question
    order(table, 0)
    table.answer(scripted(ask), seat=0, decision_id=1)
    assert table.last(0, RefuseAnswer).reason is RefusalReason.FORFEITED
    table.answer(TurnCard(), seat=0, decision_id=77)
    assert table.last(0, RefuseAnswer).reason is RefusalReason.FORFEITED


def test_an_answer_taken_before_the_forfeit_is_still_acknowledged() -> None:
    table = started(3)
    action = scripted(table.question)
    table.play()
    order(table, 0)
    table.answer(action, seat=0, decision_id=1)
    assert table.told[0][-1] == AcceptAnswer(1)


def test_a_forfeited_seat_gets_no_more_decisions_though_it_comes_back() -> None:
    table = started(3)
    order(table, 1)
    asked = len(table.all(1, AskDecision))
    table.disconnect(1)
    table.connect(1)
    table.play_out()
    assert len(table.all(1, AskDecision)) == asked
    assert table.last(1, EndMatch)


def test_forfeiting_another_seat_leaves_the_open_decision_and_its_clock() -> None:
    table = started(4)
    pending = table.state.pending
    told = len(table.told[0])
    order(table, 2)
    assert table.state.pending == pending
    assert len(table.told[0]) == told


def test_nobody_is_told_of_a_forfeit_before_the_end() -> None:
    table = started(4)
    told = {seat: len(messages) for seat, messages in table.told.items()}
    order(table, 2)
    assert {seat: len(messages) for seat, messages in table.told.items()} == told
    table.play_out()
    assert table.last(0, EndMatch).forfeits == (Forfeit(Seat(2), Fault.WITHDRAWN, 0),)


def test_a_seat_is_forfeited_once() -> None:
    table = started(4)
    order(table, 2)
    state = table.state
    order(table, 2, Fault.DISQUALIFIED)
    assert table.state == state


def test_a_seat_that_is_out_cannot_be_forfeited() -> None:
    for number in range(50):
        table = started(3, deal=f"deal {number}")
        while not table.results and not table.state.game.out:
            table.play()
        if table.results:
            continue
        seat = table.state.game.out[0]
        state = table.state
        order(table, seat, Fault.DISQUALIFIED)
        assert table.state == state
        table.play_out()
        assert table.played.game.result.placing[seat] == 1
        assert table.played.faults[seat] == ()
        return
    raise AssertionError("in none of 50 games was a seat out before the end")


# Endings and places


def test_at_two_seats_a_forfeit_ends_the_match_and_the_other_has_won() -> None:
    table = started(2)
    order(table, 0, Fault.DISQUALIFIED)
    played = table.played
    assert played.ending is MatchEnding.FORFEITS
    assert played.game.result.placing == (2, 1)
    assert played.game.result.outcome is None
    assert played.game.decisions == ()
    assert table.last(1, EndMatch).ending is MatchEnding.FORFEITS


def test_the_later_forfeited_are_placed_before_the_earlier() -> None:
    table = started(4)
    for seat in (2, 0, 3):
        order(table, seat)
    assert table.played.game.result.placing == (3, 1, 4, 2)
    assert table.played.ending is MatchEnding.FORFEITS
    assert [lost.seat for lost in table.played.forfeits] == [2, 0, 3]


def test_with_two_still_playing_the_match_goes_on() -> None:
    table = started(4)
    order(table, 2)
    order(table, 0)
    assert table.state.phase is MatchPhase.PLAYING
    table.play_out()
    assert table.played.game.result.placing[2] == 4
    assert table.played.game.result.placing[0] == 3
    assert sorted(table.played.game.result.placing) == [1, 2, 3, 4]


def test_who_is_out_is_placed_before_the_last_who_plays() -> None:
    for number in range(60):
        table = started(4, deal=f"deal {number}")
        while not table.results and len(table.state.game.out) < 2:
            table.play()
        if table.results:
            continue
        out = table.state.game.out
        left = [seat for seat in range(4) if seat not in out]
        order(table, left[0])
        played = table.played
        assert played.ending is MatchEnding.FORFEITS
        places = played.game.result.placing
        assert [places[seat] for seat in (*out, left[1], left[0])] == [1, 2, 3, 4]
        return
    raise AssertionError("in none of 60 games were two seats out before the end")


def test_a_forfeited_seat_that_plays_itself_out_is_placed_last_all_the_same() -> None:
    for number in range(200):
        table = started(3, deal=f"deal {number}")
        order(table, 1)
        while not table.results and not table.state.game.out:
            table.play()
        if table.state.game.out[:1] != (1,) or table.results:
            continue
        table.play_out()
        played = table.played
        assert played.game.result.outcome is not None
        assert played.game.result.outcome.places[1] == 1
        assert played.game.result.placing[1] == 3
        assert played.ending is MatchEnding.PLAYED
        return
    raise AssertionError("in none of 200 games did the forfeited seat play itself out first")


def test_the_places_of_a_stopped_game_are_shared_as_the_rules_share_them() -> None:
    options = GameOptions(turns_per_player=1)
    shared = 0
    for number in range(40):
        table = Table(setup_of(4, deal=f"deal {number}", options=options))
        table.start()
        order(table, 3)
        table.play_out()
        result = table.played.game.result
        assert result.outcome is not None
        assert result.placing[3] == 4
        others = result.placing[:3]
        for one in range(3):
            for two in range(3):
                game = result.outcome.places
                assert (others[one] < others[two]) == (game[one] < game[two])
        shared += len(set(others)) < 3
    assert shared


def test_the_end_shows_everything_that_was_hidden() -> None:
    table = started(3)
    table.play_out()
    end = table.last(0, EndMatch)
    game = table.state.game
    assert end.hands == tuple(game.hand(Seat(seat)) for seat in range(3))
    assert (end.stock, end.pile) == (game.stock, game.pile)
    assert end.deal == table.setup.deal
    assert end.outcome == game.outcome
    assert end.ending is MatchEnding.PLAYED


def test_the_result_tells_each_seat_s_faults_in_order() -> None:
    table = started(3)
    play_failing(table, 1)
    if not table.results:
        table.play_out()
    assert table.played.faults == ((), (Fault.ILLEGAL_ACTION,) * 5, ())
    assert table.last(0, EndMatch).faults == table.played.faults


def test_there_is_one_timing_for_each_decision() -> None:
    table = started(3)
    order(table, 1)
    table.play_out()
    assert len(table.played.timings) == len(table.played.game.decisions)


def test_what_is_played_for_a_forfeited_seat_follows_from_its_view_alone() -> None:
    table = started(3)
    order(table, 1)
    while not table.results:
        table.play()
    states = replay(table.played.game).steps
    for index, decision in enumerate(table.played.game.decisions):
        if decision.seat == 1:
            state = states[index].state
            assert decision.action == default_action(view(state, Seat(1)), legal_actions(state))


# The table of consequences


def test_every_fault_leads_somewhere() -> None:
    assert {fault for fault, _ in TABLE} == set(Fault)


def test_what_cannot_happen_is_an_error_that_says_so() -> None:
    with pytest.raises(ValueError, match="no_show cannot happen at a decision"):
        consequence(Fault.NO_SHOW, Stage.DECISION)


@pytest.mark.parametrize("fault", [fault for fault, stage in TABLE if stage is Stage.SEAT], ids=str)
def test_every_fault_that_costs_a_seat_is_recorded_as_a_forfeit(fault: Fault) -> None:
    table = started(3, policy=FaultPolicy(illegal_retries=0, faults_to_forfeit=1))
    if fault is Fault.DECISION_TIMEOUT:
        table.tick_at_deadline()
    elif fault is Fault.ILLEGAL_ACTION:
        table.do(AnswerArrived(Seat(0), 1, None, table.now))
    elif fault is Fault.DISCONNECTED:
        table.disconnect(0)
        table.tick_at_deadline()
    else:
        order(table, 0, fault)
    assert table.state.forfeits == (Forfeit(Seat(0), fault, 0),)
    decision = table.state.decisions[0]
    assert decision.by is consequence(fault, Stage.SEAT).by is DecidedBy.FORFEIT
    assert decision.fault == fault
    if table.state.pending is not None and table.state.pending.started is None:
        table.sent()
    table.play_out()
    assert table.played.game.result.placing[0] == 3


@pytest.mark.parametrize(
    "fault",
    [Fault.DECISION_TIMEOUT, Fault.ILLEGAL_ACTION, Fault.DISCONNECTED],
    ids=str,
)
def test_every_fault_at_a_decision_is_one_default_and_changes_no_place(fault: Fault) -> None:
    table = started(3)
    if fault is Fault.DECISION_TIMEOUT:
        table.tick_at_deadline()
    elif fault is Fault.ILLEGAL_ACTION:
        fail(table)
    else:
        table.disconnect(0)
        table.tick_at_deadline()
        table.connect(0)
    decision = table.state.decisions[0]
    assert decision.by is consequence(fault, Stage.DECISION).by is DecidedBy.DEFAULT
    assert decision.fault == fault
    table.sent()
    table.play_out()
    result = table.played.game.result
    assert result.outcome is not None
    assert result.placing == result.outcome.places
    assert result.forfeits == ()
