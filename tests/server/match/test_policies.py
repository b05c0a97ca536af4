"""What an illegal answer leads to, and how many faults cost the seat, as a tournament wants it."""

from __future__ import annotations

import pytest

from kitumaija.engine import DecidedBy, Seat
from kitumaija.server.match import (
    Fault,
    FaultPolicy,
    IllegalActions,
    RefuseAnswer,
    longest_match,
)
from kitumaija.server.match.noting import ANSWERS_KEPT, COMINGS_KEPT
from kitumaija.wire.record import IncidentKind
from tests.server.match.table import Table, illegal_for, setup_of

AT_ONCE = FaultPolicy(0, illegal_actions=IllegalActions.DEFAULT_AT_ONCE)
FORFEIT = FaultPolicy(0, illegal_actions=IllegalActions.FORFEIT_AT_ONCE)
NEVER = FaultPolicy(faults_to_forfeit=0)


def table_with(policy: FaultPolicy) -> Table:
    table = Table(setup_of(3, policy=policy))
    table.connect()
    table.ready()
    table.sent()
    return table


def answer_illegally(table: Table) -> None:
    table.answer(illegal_for(table.question))


@pytest.mark.parametrize("policy", [AT_ONCE, FaultPolicy(illegal_retries=0)])
def test_without_retries_an_illegal_answer_costs_the_decision_at_once(policy: FaultPolicy) -> None:
    table = table_with(policy)
    answer_illegally(table)
    assert table.state.decisions[0].by is DecidedBy.DEFAULT
    assert table.state.seats[0].faults == (Fault.ILLEGAL_ACTION,)
    refusal = table.last(0, RefuseAnswer)
    assert (refusal.retries_left, refusal.legal) == (0, ())


def test_an_illegal_answer_costs_the_seat_where_that_is_the_policy() -> None:
    table = table_with(FORFEIT)
    answer_illegally(table)
    (lost,) = table.state.forfeits
    assert (lost.seat, lost.fault, lost.at) == (Seat(0), Fault.ILLEGAL_ACTION, 0)
    assert table.state.decisions[0].by is DecidedBy.FORFEIT


def test_with_zero_no_number_of_faults_costs_the_seat() -> None:
    table = table_with(NEVER)
    while not table.results:
        table.tick_at_deadline()
        table.sent()
    assert table.played.forfeits == ()
    assert all(one.by is DecidedBy.DEFAULT for one in table.played.game.decisions)
    assert all(len(faults) > 5 for faults in table.played.faults)


def test_no_policy_makes_a_match_longer_than_the_limits_say() -> None:
    lengths = {longest_match(setup_of(3, policy=one)) for one in (AT_ONCE, FORFEIT, NEVER)}
    assert lengths == {longest_match(setup_of(3))}


def test_what_is_kept_of_a_seat_is_bounded() -> None:
    table = table_with(FaultPolicy(illegal_retries=1000, faults_to_forfeit=0))
    for _ in range(ANSWERS_KEPT + 10):
        table.clock.advance(1_000)
        answer_illegally(table)
    for _ in range(COMINGS_KEPT):
        table.disconnect(1)
        table.connect(1)
    kinds = [one.kind for one in table.state.incidents]
    assert kinds.count(IncidentKind.ILLEGAL_ANSWER) == ANSWERS_KEPT
    assert kinds.count(IncidentKind.LOST) + kinds.count(IncidentKind.BACK) == COMINGS_KEPT
    answers = [one for one in table.state.incidents if one.kind is IncidentKind.ILLEGAL_ANSWER]
    assert answers[-1].at_us == max(one.at_us for one in table.state.incidents)
