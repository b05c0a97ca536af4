"""How long a bot may be away before its seat is forfeited, and what becomes of the match then."""

from __future__ import annotations

from datetime import timedelta

import pytest

from kitumaija.engine import DecidedBy, Seat
from kitumaija.server.match import (
    Fault,
    FaultPolicy,
    ForfeitOrdered,
    MatchPhase,
    MatchVoid,
    Nanos,
    SyncMatch,
    Tick,
)
from kitumaija.wire.times import Limits
from tests.server.match.table import Table, setup_of, started
from tests.support.clock import ms

SETTLE = ms(20)
LIMIT = ms(11_050)


GRACE = Limits(
    grace=timedelta(seconds=15), per_decision=timedelta(hours=1), bank=timedelta(hours=1)
)


@pytest.mark.parametrize("early", [1, 0])
def test_a_bot_that_is_back_within_the_grace_keeps_its_seat(early: int) -> None:
    table = started(3, GRACE)
    table.disconnect(1)
    table.clock.advance(ms(15_000) - early)
    table.connect(1)
    table.tick(ms(60_000))
    assert table.state.forfeits == ()


def test_a_bot_that_is_back_a_nanosecond_later_has_lost_it() -> None:
    table = started(3, GRACE)
    table.disconnect(1)
    table.clock.advance(ms(15_000) + 1)
    table.connect(1)
    assert [(lost.seat, lost.fault) for lost in table.state.forfeits] == [(1, Fault.DISCONNECTED)]
    assert isinstance(table.told[1][-1], SyncMatch)


def test_the_grace_is_each_absence_s_own() -> None:
    table = started(3, GRACE)
    for _ in range(10):
        table.disconnect(1)
        table.tick(ms(14_000))
        table.connect(1)
        table.tick(ms(1_000))
    assert table.state.forfeits == ()


def test_being_lost_again_while_away_does_not_begin_another_grace() -> None:
    table = started(3, GRACE)
    table.disconnect(1)
    table.clock.advance(ms(10_000))
    table.disconnect(1)
    table.tick(ms(5_000) + SETTLE + 1)
    assert len(table.state.forfeits) == 1


def test_the_grace_does_not_stop_the_clock() -> None:
    table = started(3)
    table.disconnect(0)
    table.tick(LIMIT + SETTLE + 1)
    assert table.state.decisions[0].by is DecidedBy.DEFAULT
    assert table.state.forfeits == ()


def test_a_match_goes_on_when_a_bot_is_killed_while_it_thinks() -> None:
    table = started(4)
    while table.mover != 2:
        table.play()
    table.disconnect(2)
    while not table.results:
        if table.state.pending is not None and table.mover != 2:
            table.play()
        else:
            table.tick_at_deadline()
    played = table.played
    assert played.forfeits[0].seat == 2
    assert played.game.result.placing[2] == 4
    assert sorted(played.game.result.placing) == [1, 2, 3, 4]
    assert played.faults[0] == played.faults[1] == played.faults[3] == ()


def test_if_all_who_still_play_were_lost_at_one_instant_the_match_is_void() -> None:
    table = started(3)
    for seat in range(3):
        table.disconnect(seat)
    table.tick_at_deadline()
    while not table.results:
        table.tick_at_deadline()
    assert isinstance(table.result, MatchVoid)
    assert "same instant" in table.result.reason


def lost_together_before_the_start() -> Table:
    """Seats 1 and 2 are ready and gone when seat 0 begins the match; their clocks are short."""
    limits = Limits(per_decision=timedelta(milliseconds=200), bank=timedelta(0))
    policy = FaultPolicy(faults_to_forfeit=1_000)
    table = Table(setup_of(3, deal="deal 1", limits=limits, policy=policy))
    table.connect()
    table.ready(1, 2)
    table.disconnect(1)
    table.disconnect(2)
    table.ready(0)
    assert table.state.seats[1].away_since == table.state.seats[2].away_since is not None
    return table


def test_two_that_were_lost_together_do_not_undo_the_win_of_a_third() -> None:
    table = lost_together_before_the_start()
    table.sent()
    while not table.results:
        if table.state.pending is not None and table.mover == 0:
            table.play(lambda ask: ask.legal[0])
        else:
            table.tick_at_deadline()
    assert table.state.game.out[:1] == (0,)
    assert table.played.game.result.placing[0] == 1


def test_two_that_were_lost_together_do_not_undo_the_forfeit_of_a_third() -> None:
    table = lost_together_before_the_start()
    table.do(ForfeitOrdered(Seat(0), Fault.PROTOCOL_VIOLATION, table.now))
    while not table.results:
        table.tick_at_deadline()
    assert table.played.game.result.placing[0] == 3


def test_if_they_were_lost_one_after_the_other_the_last_one_lost_has_won() -> None:
    table = started(2, GRACE)
    table.disconnect(0)
    table.clock.advance(1)
    table.disconnect(1)
    table.tick(ms(60_000))
    assert table.played.game.result.placing == (2, 1)
    assert [lost.seat for lost in table.played.forfeits] == [0]


def test_one_tick_may_find_several_bots_gone() -> None:
    table = started(4, GRACE)
    table.disconnect(1)
    table.clock.advance(ms(1))
    table.disconnect(3)
    table.do(Tick(Nanos(table.now + ms(60_000))))
    assert [lost.seat for lost in table.state.forfeits] == [1, 3]
    assert table.state.phase is MatchPhase.PLAYING
