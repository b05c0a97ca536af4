"""A record as those read it who want the times of its decisions and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.message import DecodeError

from kitumaija.engine import Seat
from kitumaija.engine.record import DecidedBy
from kitumaija.v1 import record_pb2
from kitumaija.wire.record.binary import MAGIC
from kitumaija.wire.record.errors import RecordFormatError
from kitumaija.wire.record.faults import fault_from_message
from kitumaija.wire.record.game import DECIDED_BY
from kitumaija.wire.record.times import timing_from_message
from kitumaija.wire.record.values import DecisionTiming


@dataclass(frozen=True, slots=True)
class TimedDecision:
    """A decision without what was done."""

    seat: Seat
    by: DecidedBy | None
    """None where the record does not say."""
    fault: str | None
    timing: DecisionTiming


@dataclass(frozen=True, slots=True)
class TimedGame:
    """A game as its clocks saw it."""

    seats: tuple[str, ...]
    """The entrants by seat."""
    decisions: tuple[TimedDecision, ...]
    """Empty for a record without times."""


def timed_game_from_bytes(data: bytes) -> TimedGame:
    """Return the times in a record file's bytes.

    Ten times as quick as reading the whole record, of which nothing else is checked. Raises
    `RecordFormatError` for bytes that are no record, and for times that are not those of its game.
    """
    try:
        record = record_pb2.Record.FromString(data.removeprefix(MAGIC))
        game = record_pb2.GameSection.FromString(record.game)
    except DecodeError:
        raise RecordFormatError(f"got {len(data)} bytes that are no record") from None
    timings = record.timings.decisions
    if timings and len(timings) != len(game.decisions):
        raise RecordFormatError(
            f"timings: got {len(timings)} decisions, wanted as many as the game has, "
            f"{len(game.decisions)}"
        )
    try:
        decisions = tuple(
            TimedDecision(
                Seat(decision.seat),
                DECIDED_BY.from_message(decision.by),
                fault_from_message(decision.fault),
                timing_from_message(timing),
            )
            for decision, timing in zip(game.decisions, timings, strict=False)
        )
    except ValueError as error:
        raise RecordFormatError(f"game section: {error}") from None
    seats = tuple(game.seats)
    if any(decision.seat >= len(seats) for decision in decisions):
        raise RecordFormatError(f"game section: got a decision of no seat of {len(seats)}")
    return TimedGame(seats, decisions)
