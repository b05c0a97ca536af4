"""Inputs by chance: bytes that are nearly right, texts that trip programs, messages of any kind."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from google.protobuf.message import Message

NUMBERS: Final = (0, 1, -1, 2, 7, 52, 127, 128, 255, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64)

PIECES: Final = (
    "",
    "a",
    "cup",
    "ann",
    "-",
    "../",
    "..\\",
    "/etc/passwd",
    "C:\\CON",
    "con",
    "a\0b",
    "\n",
    "\r\n",
    "\x1b[2J",
    "\u202e",
    "\u2066",
    "\u200f",
    "\u2028",
    "\ufeff",
    "\ufffe",
    "e\u0301",
    "\u0130\u0131\u017f\u212a",
    "Ω",
    "Pöljä",
    "牌",
    "עברית",
    "العربية",
    "ไทย",
    "🂡",
    "👩‍👩‍👧",
    "=1+1",
    "@SUM(A1)",
    "|",
    "<script>",
    "`",
    "%s%n",
    "{}",
    "'; DROP TABLE bots;--",
    "WyJhIl0",
    "Ylt0eXBlXQ",
    "null",
    "x" * 63,
    "x" * 64,
    "y" * 1_024,
    "z" * 1_025,
    "🂡" * 1_000,
)
"""Texts, each of which some program somewhere has taken for something else."""


def text(chance: Random) -> str:
    """Return a text of one piece or several, sometimes with any character at all."""
    parts = [chance.choice(PIECES) for _ in range(chance.choice((1, 1, 1, 2, 4)))]
    if chance.random() < 0.2:
        parts.append(
            chr(chance.choice((chance.randrange(0xD800), chance.randrange(0xE000, 2**20))))
        )
    return "".join(parts)


def noise(chance: Random, most: int = 200) -> bytes:
    """Return any bytes."""
    return chance.randbytes(chance.randrange(most))


def mutated(chance: Random, data: bytes) -> bytes:
    """Return bytes that differ from these in a few places."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        at = chance.randrange(len(changed) + 1)
        length = chance.choice((0, 1, 1, 2, 4, 16))
        match chance.randrange(5):
            case 0:
                changed[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del changed[at : at + length]
            case 2:
                changed[at:at] = chance.randbytes(length)
            case 3:
                changed[at:at] = changed[max(0, at - length) : at] * chance.choice((1, 2, 50))
            case _:
                changed = changed[:at]
    return bytes(changed)


def fill(chance: Random, message: Message, depth: int = 4) -> None:
    """Set fields of a message by chance, to what they may hold and what nobody sends."""
    chosen = {oneof: chance.choice(oneof.fields) for oneof in message.DESCRIPTOR.oneofs}
    for field in message.DESCRIPTOR.fields:
        oneof = field.containing_oneof
        if chance.random() < 0.5 if oneof is None else chosen[oneof] is not field:
            continue
        if not field.is_repeated:
            _set(chance, message, field, depth)
        elif field.message_type is not None and field.message_type.GetOptions().map_entry:
            continue
        else:
            for _ in range(chance.choice((1, 1, 2, 5))):
                _append(chance, getattr(message, field.name), field, depth)


def _set(chance: Random, message: Message, field: Any, depth: int) -> None:
    if field.message_type is not None:
        if depth:
            part = getattr(message, field.name)
            part.SetInParent()
            fill(chance, part, depth - 1)
        return
    try:
        setattr(message, field.name, _value(chance, field))
    except ValueError:
        return  # a number that the field has no room for


def _append(chance: Random, values: Any, field: Any, depth: int) -> None:
    if field.message_type is not None:
        if depth:
            fill(chance, values.add(), depth - 1)
        return
    try:
        values.append(_value(chance, field))
    except ValueError:
        return


def _value(chance: Random, field: Any) -> Any:
    if field.type == field.TYPE_STRING:
        return text(chance)
    if field.type == field.TYPE_BYTES:
        return noise(chance, 80)
    if field.type == field.TYPE_BOOL:
        return chance.random() < 0.5
    if field.type in {field.TYPE_DOUBLE, field.TYPE_FLOAT}:
        return chance.choice((0.0, -1.0, 1e308, float("nan"), float("inf")))
    return chance.choice(NUMBERS)
