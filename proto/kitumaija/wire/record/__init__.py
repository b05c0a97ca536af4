"""Records of matches: their values, their bytes and their JSON.

`record.proto` says what both forms look like. The game section of a record is canonical: a game has
exactly one form in bytes, and bytes that are another form of it are refused.
"""

from kitumaija.wire.record.binary import record_from_bytes, record_to_bytes
from kitumaija.wire.record.errors import RecordFormatError
from kitumaija.wire.record.faults import FAULTS, fault_from_message, fault_to_message
from kitumaija.wire.record.game import game_from_bytes, game_to_bytes
from kitumaija.wire.record.messages import record_from_message, record_to_message
from kitumaija.wire.record.text import record_from_json, record_to_json, record_to_json_line
from kitumaija.wire.record.timed import TimedDecision, TimedGame, timed_game_from_bytes
from kitumaija.wire.record.values import (
    DealProof,
    DecisionTiming,
    Incident,
    IncidentKind,
    MatchRecord,
    RecordedBot,
    RecordTimings,
)

__all__ = [
    "FAULTS",
    "DealProof",
    "DecisionTiming",
    "Incident",
    "IncidentKind",
    "MatchRecord",
    "RecordFormatError",
    "RecordTimings",
    "RecordedBot",
    "TimedDecision",
    "TimedGame",
    "fault_from_message",
    "fault_to_message",
    "game_from_bytes",
    "game_to_bytes",
    "record_from_bytes",
    "record_from_json",
    "record_from_message",
    "record_to_bytes",
    "record_to_json",
    "record_to_json_line",
    "record_to_message",
    "timed_game_from_bytes",
]
