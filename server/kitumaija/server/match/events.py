"""What happens to a match: the events that the shell brings. Every stamp is given with the event.

The shell promises three things. The events of one seat come in the order of their stamps. A
`ServerStalled` comes before any event that is stamped after the stall. And an event of a seat comes
at most `SETTLE` (`values.py`) of stamped time after a `Tick` with a later stamp.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kitumaija.engine import Action, Seat
from kitumaija.server.match.faults import may_be_ordered
from kitumaija.server.match.values import Fault, Nanos


@dataclass(frozen=True, slots=True)
class Connected:
    """The seat's bot has a stream; also said for each bot that is there when the match is begun.

    If the seat was connected already, the new stream replaces the old one.
    """

    seat: Seat
    at: Nanos


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The seat's newest stream is gone; `goodbye` if the bot said before that it leaves."""

    seat: Seat
    at: Nanos
    goodbye: bool = False


@dataclass(frozen=True, slots=True)
class ReadyArrived:
    """The seat's bot said Ready."""

    seat: Seat
    at: Nanos


@dataclass(frozen=True, slots=True)
class AnswerArrived:
    """The seat's bot answered.

    `action` is None for an answer that cannot be read, or that brought the server to an error;
    `problem` then says in a sentence, meant for the bot, what was wrong with it. `think_time_us` is
    how long the bot says it thought, which is kept and decides nothing; None if it does not say.
    """

    seat: Seat
    decision_id: int
    action: Action | None
    at: Nanos
    problem: str = ""
    think_time_us: int | None = None


@dataclass(frozen=True, slots=True)
class DecisionSent:
    """A decision is on its way: `at` its clock starts.

    That is when the write returned, or `HANDOVER_LIMIT` after `handed_at`, whichever is first;
    `handed_at` is when it was handed to the stream's writer.
    """

    seat: Seat
    decision_id: int
    at: Nanos
    handed_at: Nanos


@dataclass(frozen=True, slots=True)
class Tick:
    """It is `at` now."""

    at: Nanos


@dataclass(frozen=True, slots=True)
class ServerStalled:
    """The server did nothing from `since` to `until`. A stall may be told in parts, one by one.

    A bot over its own message rate gets nothing for it: its seats are forfeited for flooding.
    """

    since: Nanos
    until: Nanos


@dataclass(frozen=True, slots=True)
class StoreStalled:
    """From `since` to `until` what the server had to say waited for its disk.

    `waiting` is the seat and the decision that it was about, None for the offer of the match. It is
    told in parts while it goes on, so that no clock runs out for it.
    """

    waiting: tuple[Seat, int] | None
    since: Nanos
    until: Nanos


@dataclass(frozen=True, slots=True)
class ResyncAsked:
    """The seat's bot asked for all of its events again."""

    seat: Seat
    at: Nanos


@dataclass(frozen=True, slots=True)
class ForfeitOrdered:
    """The seat is forfeited for something outside the game.

    `detail` is what is known of it beside the fault's name, in a sentence that the bot may read.
    Raises `ValueError` for a fault that only the match itself can find.
    """

    seat: Seat
    fault: Fault
    at: Nanos
    detail: str = ""

    def __post_init__(self) -> None:
        if not may_be_ordered(self.fault):
            orderly = [str(fault) for fault in Fault if may_be_ordered(fault)]
            raise ValueError(f"ordered forfeit: got {self.fault}, wanted one of {orderly}")


@dataclass(frozen=True, slots=True)
class VoidOrdered:
    """The match ends and does not count; `reason` is a sentence for its bots."""

    reason: str
    at: Nanos


@dataclass(frozen=True, slots=True)
class RoundTripMeasured:
    """The round trip of the seat's stream is estimated anew, in nanoseconds."""

    seat: Seat
    nanos: int


MatchEvent: TypeAlias = (
    Connected
    | Disconnected
    | ReadyArrived
    | AnswerArrived
    | DecisionSent
    | Tick
    | ServerStalled
    | StoreStalled
    | ResyncAsked
    | ForfeitOrdered
    | VoidOrdered
    | RoundTripMeasured
)
