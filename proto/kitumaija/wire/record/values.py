"""What a record says beside the game: everything that may differ between two runs of one game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from kitumaija.engine import Action, Seat
from kitumaija.engine.record import GameRecord
from kitumaija.wire.merkle import HASH_BYTES
from kitumaija.wire.times import Limits


@dataclass(frozen=True, slots=True)
class DecisionTiming:
    """The times of one decision, in microseconds."""

    used_us: int = 0
    """The time charged."""
    network_us: int = 0
    """The estimate of the network's share of it: the session's round trip."""
    server_us: int = 0
    """The server's share: from handing the decision to the writer to the write's return."""
    retimed_us: int = 0
    """The time taken off because the server stalled."""
    think_time_us: int | None = None
    """How long the bot thought by its own account; None where it gave none, or did not decide."""


@dataclass(frozen=True, slots=True)
class RecordedBot:
    """What is known of the bot at a seat beside its id."""

    seat: Seat
    display_name: str
    bot_version: str = ""
    sdk: str = ""
    language: str = ""


class IncidentKind(Enum):
    """What was seen of a seat."""

    ILLEGAL_ANSWER = "illegal_answer"
    """An answer to the open decision was refused as illegal, or could not be read."""
    LOST = "lost"
    """The stream was lost."""
    LEFT = "left"
    """The bot said Goodbye."""
    BACK = "back"
    """The bot was back on a new stream."""
    FORFEITED = "forfeited"
    """The seat was forfeited."""


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that happened to a seat, beside its decisions."""

    seat: Seat
    kind: IncidentKind
    at_us: int
    """Microseconds since the match was offered; after a restart, since the server went on."""
    decisions: int
    """How many decisions of the match had been made by then."""
    decision_id: int = 0
    """The decision of the seat that was open, 0 if none was."""
    timing: DecisionTiming | None = None
    """The times of that decision by then; None if none was open."""
    answer: Action | None = None
    """The answer that was refused; None if it could not be read."""
    detail: str = ""
    """Why, in a sentence; no word of it tells what the seat cannot see."""
    fault: str | None = None
    """What the seat was forfeited for, such as "decision_timeout"."""


@dataclass(frozen=True, slots=True)
class DealProof:
    """Where a deal stands among those that a tournament committed to together at its start.

    The path leads from the deal's commitment to the root that was published
    (`kitumaija.wire.merkle`). Raises `ValueError` for hashes that are not 32 bytes.
    """

    position: int
    """The place of the deal in the schedule of its table size, from 0."""
    deals: int
    """How many deals the root is over."""
    path: tuple[bytes, ...]

    def __post_init__(self) -> None:
        for one in self.path:
            if len(one) != HASH_BYTES:
                raise ValueError(
                    f"deal_proof, path: got a hash of {len(one)} bytes, wanted {HASH_BYTES}"
                )


@dataclass(frozen=True, slots=True)
class RecordTimings:
    """The timings section of a record.

    Raises `ValueError` for a time without a time zone.
    """

    match_id: str = ""
    tournament_id: str = ""
    """Empty for a local game."""
    limits: Limits | None = None
    """None for a local game that knew no clock."""
    started_at: datetime | None = None
    """When the match was offered, by the server's wall clock."""
    ended_at: datetime | None = None
    decisions: tuple[DecisionTiming, ...] = ()
    """One a decision of the game, in the same order; or none at all, where nothing was timed."""
    bots: tuple[RecordedBot, ...] = ()
    incidents: tuple[Incident, ...] = ()
    """In the order they happened."""
    deal_proof: DealProof | None = None
    """None for a deal that was not committed to together with others."""

    def __post_init__(self) -> None:
        for name in ("started_at", "ended_at"):
            value: datetime | None = getattr(self, name)
            if value is not None and value.tzinfo is None:
                raise ValueError(f"{name}: got {value} without a time zone, wanted one with")


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """The record of one match.

    Raises `ValueError` if the timings are not those of the game's decisions.
    """

    game: GameRecord
    timings: RecordTimings = RecordTimings()

    def __post_init__(self) -> None:
        timed, decided = len(self.timings.decisions), len(self.game.decisions)
        if timed not in {0, decided}:
            raise ValueError(
                f"timings: got {timed} decisions, wanted none or as many as the game has, {decided}"
            )
