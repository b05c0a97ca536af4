"""What a record says beside the game: everything that may differ between two runs of one game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from kitumaija.engine import Seat
from kitumaija.engine.record import GameRecord
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


@dataclass(frozen=True, slots=True)
class RecordedBot:
    """What is known of the bot at a seat beside its id."""

    seat: Seat
    display_name: str
    bot_version: str = ""
    sdk: str = ""
    language: str = ""


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
