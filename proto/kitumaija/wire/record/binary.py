"""A record file: the magic, then the bytes of a Record."""

from __future__ import annotations

from typing import Final

from google.protobuf.message import DecodeError

from kitumaija.v1 import record_pb2
from kitumaija.wire.record.errors import RecordFormatError
from kitumaija.wire.record.game import canonical
from kitumaija.wire.record.messages import record_from_message, record_to_message
from kitumaija.wire.record.values import MatchRecord

MAGIC: Final = b"KITUREC1"


def record_to_bytes(record: MatchRecord) -> bytes:
    """Return a record file's bytes: equal records give equal bytes."""
    return MAGIC + canonical(record_to_message(record))


def record_from_bytes(data: bytes) -> MatchRecord:
    """Return the record in a file's bytes.

    Raises `RecordFormatError`, telling where, for a file that is no record, that was cut off, or
    that holds what this version does not know.
    """
    if not data.startswith(MAGIC):
        raise RecordFormatError(
            f"a record begins with the 8 bytes {MAGIC.decode()}; got {data[: len(MAGIC)]!r}"
        )
    body = data[len(MAGIC) :]
    _check_whole(body)
    try:
        message = record_pb2.Record.FromString(body)
    except DecodeError:
        raise RecordFormatError(
            f"bytes {len(MAGIC)} to {len(data)} are no Record: its timings section is damaged"
        ) from None
    return record_from_message(message)


def _check_whole(body: bytes) -> None:
    """Raise `RecordFormatError` where a section of the record is cut off, or is none.

    The parser only says that something is wrong, and a file that was cut between its sections it
    takes for whole.
    """
    position = 0
    found: list[int] = []
    while position < len(body):
        start = position
        tag, position = _varint(body, position)
        number, wire_type = tag >> 3, tag & 7
        if wire_type != 2:
            raise RecordFormatError(
                f"at byte {len(MAGIC) + start}: got field {number} of wire type {wire_type}, "
                "wanted a section"
            )
        size, position = _varint(body, position)
        position += size
        if position > len(body):
            raise RecordFormatError(
                f"cut off: section {number} begins at byte {len(MAGIC) + start} and has {size} "
                f"bytes, of which {position - len(body)} are missing"
            )
        found.append(number)
    for number, name in (
        (record_pb2.Record.GAME_FIELD_NUMBER, "game"),
        (record_pb2.Record.TIMINGS_FIELD_NUMBER, "timings"),
    ):
        if found.count(number) != 1:
            raise RecordFormatError(
                f"got {found.count(number)} {name} sections in {len(MAGIC) + len(body)} bytes, "
                "wanted one"
            )


def _varint(body: bytes, position: int) -> tuple[int, int]:
    """Return the number at a position, and the position behind it."""
    value = shift = 0
    while position < len(body) and shift < 64:
        byte = body[position]
        value |= (byte & 0x7F) << shift
        position, shift = position + 1, shift + 7
        if byte < 0x80:
            return value, position
    raise RecordFormatError(f"cut off, or damaged: no number ends at byte {len(MAGIC) + position}")
