"""The state of a match: one frozen value; every step makes another, by way of a draft."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from kitumaija.engine import (
    Action,
    Decision,
    Event,
    Seat,
    Shuffle,
    State,
    new_game,
    shuffled_deck,
)
from kitumaija.server.match.clocks import Terms
from kitumaija.server.match.commands import (
    Command,
    Commands,
    Ended,
    EndMatch,
    Journal,
    SeatMessage,
    Tell,
)
from kitumaija.server.match.journal import Decided, JournalEntry
from kitumaija.server.match.trail import Trail
from kitumaija.server.match.values import Fault, Forfeit, MatchResult, MatchSetup, Nanos
from kitumaija.wire.record import DecisionTiming, Incident


class MatchPhase(Enum):
    """How far a match is."""

    GATHERING = "gathering"
    """It is offered; not all are ready."""
    PLAYING = "playing"
    """All were ready; the game is played."""
    OVER = "over"
    """It has a result."""


class SeatState(NamedTuple):
    """What the match keeps of one seat."""

    bank: int
    """What is left of the bank, in nanoseconds."""
    away_since: Nanos | None
    """When the bot was lost; None while it is connected. After a restart of the server this lies
    in the future: until then being away is the server's doing, and charged to nobody."""
    back_since: Nanos
    """When the bot was last back from being away; of use only while it is connected."""
    known: bool = False
    """Whether the bot was ever connected since the server was started."""
    left: bool = False
    """Whether the bot said Goodbye and has not come back."""
    ready: bool = False
    """Whether the bot is ready for the match."""
    forfeited: Fault | None = None
    """Why the seat is forfeited; None if it is not."""
    faults: tuple[Fault, ...] = ()
    """Everything that was wrong, in the order it happened."""
    last_used_us: int = 0
    """The time charged for the last decision."""
    round_trip_us: int = 0
    """The estimate of the stream's round trip; 0 while there is none."""
    decided: Trail[Decided] = Trail()
    """The seat's decisions as they were made; number n is decision id n + 1."""


class Pending(NamedTuple):
    """The one decision that is open."""

    seat: Seat
    decision_id: int
    legal: tuple[Action, ...]
    started: Nanos | None
    """When its clock started, or will by itself; None while the decision is still to be sent."""
    server_ns: int = 0
    """How long the server took to send it."""
    stalled: int = 0
    """How long the server stalled since the clock started, in all."""
    stalled_until: Nanos | None = None
    """The end of the last stall that was counted; None while none was."""
    retimed: int = 0
    """What of `stalled` is taken off its time: all of it or nothing."""
    illegal: int = 0
    """How many illegal answers were refused."""


class MatchState(NamedTuple):
    """Everything there is to know about a match at one moment, hidden cards included."""

    setup: MatchSetup
    terms: Terms
    phase: MatchPhase
    began: Nanos
    """When it was offered; after a restart of the server, when that went on with it."""
    startup_ends: Nanos
    """The last instant at which a bot may become ready."""
    cap_ends: Nanos
    """The last instant at which the match may run."""
    seats: tuple[SeatState, ...]
    told: tuple[int, ...]
    """How many events of the match each seat's bot has been sent."""
    game: State
    events: Trail[Event]
    """The course of the game; its numbering is the same for every seat."""
    decisions: Trail[Decision]
    timings: Trail[DecisionTiming]
    """One for each decision."""
    pending: Pending | None
    forfeits: tuple[Forfeit, ...]
    """In the order they happened."""
    incidents: tuple[Incident, ...]
    """What was seen of the seats beside their decisions, in the order it happened."""
    result: MatchResult | None
    """How the match came out; None until it is over."""


class Draft:
    """The next state while a step makes it, and what the step wants done.

    It has the fields of `MatchState`, those by seat as lists. No draft outlives the call that made
    it.
    """

    __slots__ = (
        "_ended",
        "_ends",
        "_entries",
        "_tells",
        "began",
        "cap_ends",
        "decisions",
        "events",
        "forfeits",
        "game",
        "incidents",
        "pending",
        "phase",
        "result",
        "seats",
        "setup",
        "startup_ends",
        "terms",
        "timings",
        "told",
    )

    def __init__(self, state: MatchState) -> None:
        self.setup = state.setup
        self.terms = state.terms
        self.phase = state.phase
        self.began = state.began
        self.startup_ends = state.startup_ends
        self.cap_ends = state.cap_ends
        self.seats = list(state.seats)
        self.told = list(state.told)
        self.game = state.game
        self.events = state.events
        self.decisions = state.decisions
        self.timings = state.timings
        self.pending = state.pending
        self.forfeits = state.forfeits
        self.incidents = state.incidents
        self.result = state.result
        self._entries: list[Command] = []
        self._tells: list[Command] = []
        self._ends: list[Command] = []
        self._ended: list[Command] = []

    def frozen(self) -> MatchState:
        """Return the state as it is now."""
        return MatchState(
            self.setup,
            self.terms,
            self.phase,
            self.began,
            self.startup_ends,
            self.cap_ends,
            tuple(self.seats),
            tuple(self.told),
            self.game,
            self.events,
            self.decisions,
            self.timings,
            self.pending,
            self.forfeits,
            self.incidents,
            self.result,
        )

    def commands(self) -> Commands:
        """Return what is to be done: what must be on the disk, what may be told, and the end."""
        return (*self._entries, *self._tells, *self._ends, *self._ended)

    def journal(self, entry: JournalEntry) -> None:
        """Keep `entry` on the disk, before anything of this step is told."""
        self._entries.append(Journal(entry))

    def tell(self, seat: Seat, message: SeatMessage) -> None:
        """Send `message` to the seat if its bot is connected."""
        if self.seats[seat].away_since is None:
            self._tells.append(Tell(seat, message))

    def end(self, result: MatchResult) -> None:
        """End the match with `result`; nothing is open after it."""
        self.phase = MatchPhase.OVER
        self.pending = None
        self.result = result
        self._ended.append(Ended(result))

    def tell_end(self, seat: Seat, message: EndMatch) -> None:
        """Send `message` to the seat, behind everything else of this step."""
        if self.seats[seat].away_since is None:
            self._ends.append(Tell(seat, message))

    def active(self, seat: Seat) -> bool:
        """Tell whether the seat still plays: neither out nor forfeited."""
        return self.seats[seat].forfeited is None and seat not in self.game.out

    def active_seats(self) -> list[Seat]:
        """Return the seats that still play."""
        return [seat for seat in map(Seat, range(len(self.seats))) if self.active(seat)]


def new_match(setup: MatchSetup, at: Nanos, shuffle: Shuffle = shuffled_deck) -> MatchState:
    """Return the match as it is offered at `at`: dealt by `shuffle`, with nobody connected."""
    terms = Terms.of(setup)
    game, events = new_game(setup.deal.key, setup.seats, options=setup.options, shuffle=shuffle)
    seat = SeatState(bank=terms.bank, away_since=at, back_since=at)
    return MatchState(
        setup=setup,
        terms=terms,
        phase=MatchPhase.GATHERING,
        began=at,
        startup_ends=Nanos(at + terms.startup),
        cap_ends=Nanos(at + terms.match_cap),
        seats=(seat,) * setup.seats,
        told=(0,) * setup.seats,
        game=game,
        events=Trail(events),
        decisions=Trail(),
        timings=Trail(),
        pending=None,
        forfeits=(),
        incidents=(),
        result=None,
    )
