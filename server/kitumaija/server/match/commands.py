"""What a match wants done: messages to its bots, entries of its journal, and its result.

The order is binding: no message of a step may leave before the journal entries of that step and
of all earlier ones are committed. `EndMatch` comes with `Ended` and must not leave before the
result is committed either.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from kitumaija.engine import Action, Card, Deal, Event, GameOptions, Outcome, Seat, View
from kitumaija.server.match.journal import JournalEntry
from kitumaija.server.match.values import Fault, Forfeit, MatchEnding, MatchResult
from kitumaija.wire.times import Limits


class RefusalReason(StrEnum):
    """Why an answer was not taken: `RefusalReason` of the protocol."""

    ILLEGAL_ACTION = "illegal_action"
    DECIDED = "decided"
    UNKNOWN_DECISION = "unknown_decision"
    UNKNOWN_MATCH = "unknown_match"
    MALFORMED_ACTION = "malformed_action"
    FORFEITED = "forfeited"


@dataclass(frozen=True, slots=True)
class OfferMatch:
    """A match is offered. Nothing of who sits where, and no card, is known before all are ready."""

    seats: int
    limits: Limits


@dataclass(frozen=True, slots=True)
class SeatPlayers:
    """All are ready: who sits where. `seat` is the receiver's own."""

    seat: Seat
    entrants: tuple[str, ...]
    options: GameOptions


@dataclass(frozen=True, slots=True)
class AskDecision:
    """It is the seat's move. Times are in microseconds."""

    decision_id: int
    """Counts this seat's decisions in this match, from 1."""
    view: View
    legal: tuple[Action, ...]
    first_event: int
    """The number of the first of `events` in the course of the match, from 0."""
    events: tuple[Event, ...]
    """What the seat has not been told yet, as it may know it."""
    time_left_us: int
    bank_us: int
    """What of `time_left_us` is the bank."""
    last_used_us: int
    round_trip_us: int


@dataclass(frozen=True, slots=True)
class AcceptAnswer:
    """The answer was taken."""

    decision_id: int


@dataclass(frozen=True, slots=True)
class RefuseAnswer:
    """The answer was not taken; `action` is what it held, None if it could not be read.

    `legal` and `retries_left` are those of the decision while it is open, else nothing and 0.
    """

    decision_id: int
    reason: RefusalReason
    action: Action | None = None
    detail: str = ""
    legal: tuple[Action, ...] = ()
    retries_left: int = 0


@dataclass(frozen=True, slots=True)
class SyncMatch:
    """All that the seat knows of the match; its events from number 0."""

    entrants: tuple[str, ...]
    seat: Seat
    options: GameOptions
    events: tuple[Event, ...]
    limits: Limits


@dataclass(frozen=True, slots=True)
class EndMatch:
    """The match is over. Everything is shown; a void match shows nothing but `reason`."""

    ending: MatchEnding
    outcome: Outcome | None = None
    """The game's own; None if it was cut short."""
    places: tuple[int, ...] = ()
    """The places of the match by seat, forfeits counted."""
    forfeits: tuple[Forfeit, ...] = ()
    faults: tuple[tuple[Fault, ...], ...] = ()
    """By seat."""
    first_event: int = 0
    events: tuple[Event, ...] = ()
    hands: tuple[tuple[Card, ...], ...] = ()
    """By seat, as they were at the end."""
    stock: tuple[Card, ...] = ()
    """Next card first."""
    pile: tuple[Card, ...] = ()
    """Bottom card first."""
    deal: Deal | None = None
    reason: str = ""
    """Why the match is void, in a sentence."""
    players: tuple[tuple[str, str], ...] = ()
    """Bot id and display name by seat, where they were not known before. No match knows that: who
    tells its end does."""


SeatMessage: TypeAlias = (
    OfferMatch | SeatPlayers | AskDecision | AcceptAnswer | RefuseAnswer | SyncMatch | EndMatch
)


@dataclass(frozen=True, slots=True)
class Tell:
    """Send a message to a seat; it is only said for seats that are connected."""

    seat: Seat
    message: SeatMessage


@dataclass(frozen=True, slots=True)
class Journal:
    """Append an entry to the match's journal."""

    entry: JournalEntry


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is over; it is the last command of a match."""

    result: MatchResult


Command: TypeAlias = Tell | Journal | Ended
Commands: TypeAlias = tuple[Command, ...]
