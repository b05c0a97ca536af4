"""A match under test: feeds a machine with events and keeps what it wanted done."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from kitumaija.engine import (
    DECK,
    Action,
    Deal,
    GameOptions,
    PlayCard,
    Seat,
    text_seed,
)
from kitumaija.server.match import (
    AnswerArrived,
    AskDecision,
    Commands,
    Connected,
    DecisionSent,
    Disconnected,
    Ended,
    FaultPolicy,
    Journal,
    JournalEntry,
    MatchEvent,
    MatchPlayed,
    MatchResult,
    MatchSetup,
    Nanos,
    ReadyArrived,
    SeatMessage,
    Tell,
    Tick,
    begin,
    deadline,
    entry_from_bytes,
    entry_to_bytes,
    resume,
    step,
)
from kitumaija.wire.times import Limits
from tests.support.clock import ManualClock

Message = TypeVar("Message", bound=SeatMessage)
Choose = Callable[[AskDecision], Action]
"""A scripted bot: what it plays depends on nothing but what it is asked."""


def setup_of(
    seats: int = 2,
    *,
    deal: str = "a deal",
    options: GameOptions | None = None,
    limits: Limits | None = None,
    policy: FaultPolicy | None = None,
) -> MatchSetup:
    """Return a match between bots named `bot-0`, `bot-1`, …."""
    return MatchSetup(
        match_id="m1",
        deal=Deal(f"test/{deal}", text_seed(deal), ()),
        entrants=tuple(f"bot-{seat}" for seat in range(seats)),
        options=options or GameOptions(),
        limits=limits or Limits(),
        policy=policy or FaultPolicy(),
    )


def scripted(ask: AskDecision) -> Action:
    """Play something legal that looks random and is the same for the same question."""
    seed = f"{ask.view.seat} {ask.decision_id} {ask.view.hand} {ask.view.top}"
    return random.Random(seed).choice(ask.legal)


def illegal_for(ask: AskDecision) -> Action:
    """Return an action that is not legal in any phase: a card that the seat does not hold."""
    return next(PlayCard(card) for card in DECK if card not in ask.view.hand)


@dataclass
class Table:
    """A match and everything it said. `clock` gives the stamps."""

    setup: MatchSetup
    clock: ManualClock = field(default_factory=ManualClock)
    resumed_from: Sequence[JournalEntry] | None = None
    told: dict[int, list[SeatMessage]] = field(default_factory=dict)
    journal: list[JournalEntry] = field(default_factory=list)
    results: list[MatchResult] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.told = {seat: [] for seat in range(self.setup.seats)}
        if self.resumed_from is None:
            self.state, commands = begin(self.setup, self.now)
        else:
            self.journal = list(self.resumed_from)
            self.state, commands = resume(self.setup, self.resumed_from, self.now)
        self._keep(commands)

    @property
    def now(self) -> Nanos:
        return self.clock.now()

    def do(self, event: MatchEvent) -> Commands:
        """Feed one event; return what it led to."""
        self.state, commands = step(self.state, event)
        self._keep(commands)
        return commands

    def _keep(self, commands: Commands) -> None:
        talking = False
        for command in commands:
            if isinstance(command, Journal):
                assert not talking, "a journal entry came after a message of its step"
                # What is kept is what the disk would give back.
                self.journal.append(entry_from_bytes(entry_to_bytes(command.entry)))
            elif isinstance(command, Tell):
                talking = True
                self.told[command.seat].append(command.message)
            elif isinstance(command, Ended):
                assert command is commands[-1], "a command came after the end"
                self.results.append(command.result)

    # What bots and the shell do

    def connect(self, *seats: int) -> None:
        for seat in seats or range(self.setup.seats):
            self.do(Connected(Seat(seat), self.now))

    def disconnect(self, seat: int, *, goodbye: bool = False) -> None:
        self.do(Disconnected(Seat(seat), self.now, goodbye))

    def ready(self, *seats: int) -> None:
        for seat in seats or range(self.setup.seats):
            self.do(ReadyArrived(Seat(seat), self.now))

    def start(self) -> None:
        """Bring every bot in and begin; the first decision is sent."""
        self.connect()
        self.ready()
        self.sent()

    def sent(self, *, after: int = 0) -> None:
        """Send the open decision; the write takes `after` nanoseconds."""
        pending = self.state.pending
        if pending is not None and self.state.seats[pending.seat].away_since is None:
            handed = self.now
            at = self.clock.advance(after)
            self.do(DecisionSent(pending.seat, pending.decision_id, at, handed))

    def answer(
        self,
        action: Action | None,
        *,
        seat: int | None = None,
        decision_id: int | None = None,
        think_time_us: int | None = None,
    ) -> None:
        """Answer the open decision, or the one named."""
        pending = self.state.pending
        seat = self.mover if seat is None else seat
        if decision_id is None:
            assert pending is not None
            decision_id = pending.decision_id
        self.do(
            AnswerArrived(Seat(seat), decision_id, action, self.now, think_time_us=think_time_us)
        )

    def play(self, choose: Choose = scripted) -> None:
        """Answer the open decision well and send the next."""
        self.answer(choose(self.question))
        self.sent()

    def play_out(self, choose: Choose = scripted) -> MatchPlayed:
        """Play to the end; return the result."""
        while not self.results:
            self.play(choose)
        return self.played

    def tick(self, nanos: int = 0) -> None:
        self.do(Tick(self.clock.advance(nanos)))

    def tick_at_deadline(self) -> None:
        """Let time pass until the machine has something to do by itself."""
        due = deadline(self.state)
        assert due is not None
        self.do(Tick(self.clock.jump(max(due, self.now))))

    # What can be seen

    @property
    def mover(self) -> int:
        assert self.state.pending is not None
        return self.state.pending.seat

    @property
    def question(self) -> AskDecision:
        """The open decision as its bot was last asked it; it must be connected."""
        ask = self.last(self.mover, AskDecision)
        assert self.state.pending is not None
        assert ask.decision_id == self.state.pending.decision_id
        return ask

    def last(self, seat: int, kind: type[Message]) -> Message:
        """Return the last message of a kind that a seat was told."""
        return self.all(seat, kind)[-1]

    def all(self, seat: int, kind: type[Message]) -> list[Message]:
        return [message for message in self.told[seat] if isinstance(message, kind)]

    @property
    def result(self) -> MatchResult:
        (result,) = self.results
        return result

    @property
    def played(self) -> MatchPlayed:
        result = self.result
        assert isinstance(result, MatchPlayed)
        return result


def started(
    seats: int = 2,
    limits: Limits | None = None,
    *,
    policy: FaultPolicy | None = None,
    deal: str = "a deal",
) -> Table:
    """Return a match that has begun: all were connected and ready, and the first seat is asked."""
    table = Table(setup_of(seats, limits=limits, policy=policy, deal=deal))
    table.start()
    return table
