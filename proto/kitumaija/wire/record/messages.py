"""A whole record as a message."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from google.protobuf.timestamp_pb2 import Timestamp

from kitumaija.engine import Seat
from kitumaija.v1 import record_pb2
from kitumaija.wire.record.errors import RecordFormatError
from kitumaija.wire.record.game import game_from_bytes, game_to_bytes
from kitumaija.wire.record.incidents import incident_to_message, incidents_from_messages
from kitumaija.wire.record.times import timing_from_message, timing_to_message
from kitumaija.wire.record.values import (
    DealProof,
    MatchRecord,
    RecordedBot,
    RecordTimings,
)
from kitumaija.wire.times import limits_from_message, limits_to_message


def record_to_message(record: MatchRecord) -> record_pb2.Record:
    """Return the message of a record."""
    return record_pb2.Record(
        game=game_to_bytes(record.game), timings=timings_to_message(record.timings)
    )


def record_from_message(message: record_pb2.Record) -> MatchRecord:
    """Return the record of a message; raises `RecordFormatError` for what is none.

    In the timings a field that is not known here is passed over: nothing is replayed from them.
    """
    game = game_from_bytes(message.game)
    try:
        return MatchRecord(game, timings_from_message(message.timings))
    except RecordFormatError:
        raise
    except ValueError as error:
        raise RecordFormatError(f"timings section: {error}") from None


def timings_to_message(timings: RecordTimings) -> record_pb2.TimingsSection:
    """Return the message of the timings section."""
    return record_pb2.TimingsSection(
        match_id=timings.match_id,
        tournament_id=timings.tournament_id,
        limits=None if timings.limits is None else limits_to_message(timings.limits),
        started_at=_to_timestamp(timings.started_at),
        ended_at=_to_timestamp(timings.ended_at),
        decisions=[timing_to_message(timing) for timing in timings.decisions],
        bots=[
            record_pb2.RecordedBot(
                seat=bot.seat,
                display_name=bot.display_name,
                bot_version=bot.bot_version,
                sdk=bot.sdk,
                language=bot.language,
            )
            for bot in timings.bots
        ],
        incidents=[incident_to_message(incident) for incident in timings.incidents],
        deal_proof=_proof_to_message(timings.deal_proof),
    )


def timings_from_message(message: record_pb2.TimingsSection) -> RecordTimings:
    """Return the timings of a message.

    Raises `ValueError` for limits, times or hashes that are none.
    """
    return RecordTimings(
        match_id=message.match_id,
        tournament_id=message.tournament_id,
        limits=limits_from_message(message.limits) if message.HasField("limits") else None,
        started_at=_datetime(message, "started_at"),
        ended_at=_datetime(message, "ended_at"),
        decisions=tuple(timing_from_message(timing) for timing in message.decisions),
        bots=tuple(
            RecordedBot(
                seat=Seat(bot.seat),
                display_name=bot.display_name,
                bot_version=bot.bot_version,
                sdk=bot.sdk,
                language=bot.language,
            )
            for bot in message.bots
        ),
        incidents=incidents_from_messages(message.incidents),
        deal_proof=_proof_from_message(message),
    )


def _proof_to_message(proof: DealProof | None) -> record_pb2.DealProof | None:
    if proof is None:
        return None
    return record_pb2.DealProof(position=proof.position, deals=proof.deals, path=proof.path)


def _proof_from_message(section: record_pb2.TimingsSection) -> DealProof | None:
    if not section.HasField("deal_proof"):
        return None
    proof = section.deal_proof
    return DealProof(proof.position, proof.deals, tuple(proof.path))


def _to_timestamp(value: datetime | None) -> Timestamp | None:
    if value is None:
        return None
    timestamp = Timestamp()
    timestamp.FromDatetime(value)
    return timestamp


def _datetime(
    section: record_pb2.TimingsSection, name: Literal["started_at", "ended_at"]
) -> datetime | None:
    """Return the time in UTC, None where it is not set; below a microsecond is cut off."""
    if not section.HasField(name):
        return None
    timestamp: Timestamp = getattr(section, name)
    try:
        return timestamp.ToDatetime(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{name}: {error}") from None
