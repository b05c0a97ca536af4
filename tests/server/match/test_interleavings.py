"""Whatever happens in whatever order: the machine does not raise, keeps its promises and ends."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from kitumaija.engine import (
    DECK,
    Action,
    GameOptions,
    Pass,
    PlayCard,
    Seat,
    TakeCards,
    TurnCard,
    legal_actions,
    replay,
)
from kitumaija.server.match import (
    AnswerArrived,
    AskDecision,
    Commands,
    Connected,
    DecisionSent,
    Disconnected,
    EndMatch,
    Fault,
    FaultPolicy,
    ForfeitOrdered,
    Journal,
    MatchEvent,
    MatchPhase,
    MatchPlayed,
    MatchState,
    Nanos,
    ReadyArrived,
    ResyncAsked,
    RoundTripMeasured,
    ServerStalled,
    StoreStalled,
    SyncMatch,
    Tell,
    Tick,
    VoidOrdered,
    deadline,
    longest_match,
    resume,
)
from kitumaija.wire.times import Limits
from tests.server.match.table import Table, scripted, setup_of
from tests.support.clock import ManualClock, in_nanos, ms

ORDERED = (Fault.WITHDRAWN, Fault.DISQUALIFIED, Fault.FLOODING, Fault.PROTOCOL_VIOLATION)


class Chaos:
    """A random match: everything that can happen does, in no order."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        chance = self.chance
        self.seats = chance.choice((2, 2, 3, 4, 6, 10))
        setup = setup_of(
            self.seats,
            deal=f"chaos {seed}",
            options=GameOptions(turns_per_player=chance.choice((1, 5, 30))),
            limits=Limits(
                per_decision=timedelta(milliseconds=chance.choice((1, 100, 1_000))),
                bank=timedelta(milliseconds=chance.choice((0, 50, 5_000))),
                increment=timedelta(milliseconds=chance.choice((0, 0, 20))),
                margin=timedelta(milliseconds=chance.choice((0, 50))),
                grace=timedelta(milliseconds=chance.choice((0, 300, 15_000))),
                startup=timedelta(milliseconds=chance.choice((500, 30_000))),
            ),
            policy=FaultPolicy(
                illegal_retries=chance.choice((0, 1, 2)),
                faults_to_forfeit=chance.choice((1, 3, 5, 1_000)),
            ),
        )
        self.table = Table(setup)
        if chance.random() < 0.8:
            self.table.connect()
            self.table.ready()

    def one(self) -> MatchEvent:
        """Return something that happens next."""
        chance, table = self.chance, self.table
        seat = Seat(chance.randrange(self.seats))
        now = table.clock.advance(
            ms(chance.choice((0, 0, 0.1, 1, 20, 100)) * chance.choice((1, 1, 1, 10)))
        )
        pending = table.state.pending
        roll = chance.random()
        if pending is not None and roll < 0.55:
            if pending.started is None:
                return DecisionSent(pending.seat, pending.decision_id, now, Nanos(now - ms(1)))
            return AnswerArrived(
                pending.seat, pending.decision_id, chance.choice(pending.legal), now
            )
        makers: tuple[MatchEvent, ...] = (
            Connected(seat, now),
            Connected(seat, now),
            Disconnected(seat, now, goodbye=chance.random() < 0.2),
            ReadyArrived(seat, now),
            AnswerArrived(seat, chance.randrange(-1, 30), self.any_action(), now),
            AnswerArrived(*self.anyhow(seat), self.any_action(), now),
            DecisionSent(*self.anyhow(seat), now, now),
            Tick(Nanos(now + chance.choice((0, ms(30), ms(3_000))))),
            Tick(deadline(table.state) or now),
            ServerStalled(Nanos(now - ms(chance.randrange(300))), now),
            StoreStalled(self.anyhow(seat), Nanos(now - ms(chance.randrange(300))), now),
            ResyncAsked(seat, now),
            RoundTripMeasured(seat, ms(chance.randrange(50))),
        )
        if roll > 0.995:
            return VoidOrdered("The lights went out.", now)
        if roll > 0.985:
            return ForfeitOrdered(seat, chance.choice(ORDERED), now)
        return chance.choice(makers)

    def anyhow(self, seat: Seat) -> tuple[Seat, int]:
        """Return the open decision, or something that looks like one."""
        pending = self.table.state.pending
        return (pending.seat, pending.decision_id) if pending else (seat, 1)

    def any_action(self) -> Action | None:
        return self.chance.choice(
            (
                None,
                TurnCard(),
                Pass(),
                TakeCards(self.chance.randrange(-1, 8)),
                PlayCard(self.chance.choice(DECK)),
                PlayCard(self.chance.choice(DECK)),
            )
        )


def check(before: MatchState, after: MatchState, commands: Commands) -> None:
    """Check what must hold after every step."""
    order = list(MatchPhase)
    assert order.index(after.phase) >= order.index(before.phase)
    assert (after.result is not None) == (after.phase is MatchPhase.OVER)
    assert (after.pending is not None) == (after.phase is MatchPhase.PLAYING)
    assert (deadline(after) is None) == (after.phase is MatchPhase.OVER)
    assert len(after.decisions) == len(after.timings)
    assert len(after.decisions) == sum(len(seat.decided) for seat in after.seats)
    assert after.decisions.since(0)[: len(before.decisions)] == before.decisions.since(0)
    limit = after.setup.policy.faults_to_forfeit
    for record in after.seats:
        assert record.bank >= 0
        assert (len(record.faults) >= limit) <= (record.forfeited is not None)
    assert all(0 <= told <= len(after.events) for told in after.told)
    assert len({lost.seat for lost in after.forfeits}) == len(after.forfeits)
    pending = after.pending
    if pending is not None:
        record = after.seats[pending.seat]
        assert pending.seat == after.game.mover
        assert pending.legal == legal_actions(after.game)
        assert pending.decision_id == len(record.decided) + 1
        assert record.forfeited is None
        assert not record.left
        assert 0 <= pending.illegal <= after.setup.policy.illegal_retries
    if before.phase is MatchPhase.OVER:
        assert not any(isinstance(command, Journal) for command in commands)
    for command in commands:
        if isinstance(command, Tell):
            check_tell(before, after, command)


def check_tell(before: MatchState, after: MatchState, tell: Tell) -> None:
    """Check what must hold of a message."""
    seat, message = tell.seat, tell.message
    assert after.seats[seat].away_since is None
    if isinstance(message, AskDecision):
        assert message.view.seat == seat
        assert message.view.mover == seat
        assert set(message.view.hand) == set(after.game.hand(seat))
        assert message.first_event + len(message.events) <= len(after.events)
        assert 0 <= message.bank_us <= message.time_left_us
    if isinstance(message, SyncMatch):
        assert message.seat == seat
        assert len(message.events) <= len(after.events)
    if isinstance(message, EndMatch):
        assert after.phase is MatchPhase.OVER


def check_resumed(table: Table) -> None:
    """Check that the journal so far leads to where the match is."""
    state = table.state
    resumed, _ = resume(table.setup, table.journal, Nanos(11))
    assert resumed.phase is state.phase
    assert resumed.game == state.game
    assert resumed.decisions == state.decisions
    assert resumed.forfeits == state.forfeits
    assert type(resumed.result) is type(state.result)
    for before, after in zip(state.seats, resumed.seats, strict=True):
        assert after.faults == before.faults
        assert after.forfeited == before.forfeited
        assert before.bank <= after.bank < before.bank + 1_000


def finish(table: Table) -> None:
    """Let time pass, with nobody saying anything any more, until the match is over."""
    for _ in range(10_000):
        if table.results:
            return
        pending = table.state.pending
        if pending is not None and pending.started is None:
            table.do(DecisionSent(pending.seat, pending.decision_id, table.now, table.now))
        table.tick_at_deadline()
    raise AssertionError("the match does not end")


@pytest.mark.parametrize("block", range(20))
def test_the_machine_keeps_its_promises_whatever_happens(block: int) -> None:
    ends: set[str] = set()
    for seed in range(block * 15, block * 15 + 15):
        chaos = Chaos(seed)
        table = chaos.table
        for number in range(chaos.chance.randrange(400)):
            before = table.state
            commands = table.do(chaos.one())
            check(before, table.state, commands)
            # Goodbyes that cannot be taken back would leave nobody to play.
            if number % 60 == 59 and not any(seat.left for seat in table.state.seats):
                check_resumed(table)
        finish(table)
        result = table.result
        ends.add(type(result).__name__)
        if isinstance(result, MatchPlayed):
            replay(result.game)
            places = result.game.result.placing
            assert all(1 + sum(other < own for other in places) == own for own in places)
            assert len(result.timings) == len(result.game.decisions)
    assert "MatchPlayed" in ends


def test_the_chaos_reaches_every_end() -> None:
    ends: set[str] = set()
    for seed in range(120):
        chaos = Chaos(seed)
        for _ in range(250):
            chaos.table.do(chaos.one())
        finish(chaos.table)
        result = chaos.table.result
        ends.add(result.ending.value if isinstance(result, MatchPlayed) else type(result).__name__)
    assert ends == {"played", "forfeits", "MatchNotStarted", "MatchVoid"}


# The bound


def slowest(table: Table, *, answering: bool) -> int:
    """Play a match as slowly as the limits allow; return how long it took, in nanoseconds.

    Every decision is handed over for as long as that may take, and answered in its last
    nanosecond or not at all; every tick comes a sweep too late.
    """
    began = table.now
    table.clock.advance(table.state.terms.startup)
    table.connect()
    table.ready()
    while not table.results:
        table.sent(after=ms(100))
        pending = table.state.pending
        assert pending is not None
        if answering:
            bank = table.state.seats[pending.seat].bank
            table.clock.advance(table.state.terms.per_decision + table.state.terms.margin + bank)
            turn = TurnCard()
            table.answer(turn if turn in pending.legal else scripted(table.question))
        else:
            due = deadline(table.state)
            assert due is not None
            table.clock.jump(due + ms(20) - 1)
            table.tick()
    return table.now - began


@pytest.mark.parametrize("answering", [True, False])
@pytest.mark.parametrize("seats", [2, 3, 10])
def test_no_match_takes_longer_than_was_computed_beforehand(seats: int, answering: bool) -> None:
    setup = setup_of(
        seats,
        options=GameOptions(turns_per_player=4),
        limits=Limits(increment=timedelta(milliseconds=70)),
        policy=FaultPolicy(faults_to_forfeit=1_000),
    )
    table = Table(setup, ManualClock(0))
    took = slowest(table, answering=answering)
    bound = in_nanos(longest_match(setup))
    assert bound // 3 < took <= bound
    assert isinstance(table.result, MatchPlayed)


def test_a_match_of_bots_that_never_answer_ends_by_its_faults() -> None:
    table = Table(setup_of(4))
    table.start()
    while not table.results:
        table.tick_at_deadline()
        table.sent()
    assert [len(faults) for faults in table.played.faults].count(5) == 3
