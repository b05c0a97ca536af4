"""A record as JSON, for reading by people and by programs without protobuf."""

from __future__ import annotations

import json
from typing import Any, Final, TypeVar, cast

from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import Message

from kitumaija.v1 import record_pb2
from kitumaija.wire.record.errors import RecordFormatError
from kitumaija.wire.record.game import canonical, game_to_message
from kitumaija.wire.record.messages import record_from_message, timings_to_message
from kitumaija.wire.record.values import MatchRecord

FORMAT: Final = "kitumaija-record/1"
_KEYS: Final = ("format", "game", "timings")

_AnyMessage = TypeVar("_AnyMessage", bound=Message)


def record_to_json(record: MatchRecord) -> str:
    """Return the record's JSON, one line a field; equal records give equal texts."""
    return json.dumps(_document(record), ensure_ascii=False, indent=2) + "\n"


def record_to_json_line(record: MatchRecord) -> str:
    """Return the same JSON in one line, for files with a record in each."""
    return json.dumps(_document(record), ensure_ascii=False, separators=(",", ":")) + "\n"


def record_from_json(text: str) -> MatchRecord:
    """Return the record in a JSON text.

    Raises `RecordFormatError`, telling where, for a text that is no JSON, that is no record, or
    that holds what this version does not know.
    """
    try:
        document: object = json.loads(text)
        _check_unicode(text, document)
    except RecursionError:
        raise RecordFormatError("no record: its JSON is nested too deeply") from None
    except ValueError as error:  # a number of too many digits too
        raise RecordFormatError(f"no JSON: {error}") from None
    if not isinstance(document, dict):
        raise RecordFormatError(f"got {type(document).__name__}, wanted an object of {_KEYS}")
    parts = cast(dict[str, Any], document)
    if parts.get("format") != FORMAT:
        raise RecordFormatError(f"format: got {parts.get('format')!r}, wanted {FORMAT!r}")
    if set(parts) != set(_KEYS):
        raise RecordFormatError(f"got the keys {sorted(parts)}, wanted {sorted(_KEYS)}")
    game = _parsed("game", parts["game"], record_pb2.GameSection())
    timings = _parsed("timings", parts["timings"], record_pb2.TimingsSection(), lenient=True)
    return record_from_message(record_pb2.Record(game=canonical(game), timings=timings))


def _check_unicode(text: str, document: object) -> None:
    """Raise `ValueError` for half of a surrogate pair: JSON can write it, nobody can read it."""
    if "\\ud" in text.lower():
        json.dumps(document, ensure_ascii=False).encode()


def _document(record: MatchRecord) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "game": _plain(game_to_message(record.game)),
        "timings": _plain(timings_to_message(record.timings)),
    }


def _plain(message: Message) -> dict[str, Any]:
    # With seat 0 and the like written out: who reads the text need not know of proto3's zeros.
    return MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def _parsed(
    name: str, plain: object, message: _AnyMessage, *, lenient: bool = False
) -> _AnyMessage:
    if not isinstance(plain, dict):
        raise RecordFormatError(f"{name}: got {type(plain).__name__}, wanted an object")
    try:
        fields = cast(dict[str, Any], plain)
        return ParseDict(fields, message, ignore_unknown_fields=lenient)
    except ParseError as error:
        raise RecordFormatError(f"{name}: {error}") from None
