"""Checks of single fields of a request; what is refused is said with what was got and wanted."""

from __future__ import annotations

import re

from google.protobuf.message import Message

from kitumaija.server.errors import InvalidArgument
from kitumaija.wire.limits import ID_PATTERN, LIST_ITEMS_MAX, TEXT_CHARS_MAX
from kitumaija.wire.status import ErrorReason

_ID = re.compile(ID_PATTERN)


def wrong_field(field: str, got: str, wanted: str) -> InvalidArgument:
    """Return the refusal of a field."""
    return InvalidArgument(
        ErrorReason.INVALID_ARGUMENT_FIELD,
        f"{field}: got {got}, wanted {wanted}",
        {"field": field, "got": got, "wanted": wanted},
    )


def checked_id(field: str, text: str) -> str:
    """Return an id of a bot or a tournament, if it looks like one."""
    if not _ID.fullmatch(text):
        raise wrong_field(field, repr(text), "1 to 63 of a-z, 0-9 and `-`, beginning with a letter")
    return text


def checked_length(field: str, text: str, most: int) -> str:
    """Return a text that is not too long."""
    if len(text) > most:
        raise wrong_field(field, f"{len(text)} characters", f"at most {most}")
    return text


def check_texts(message: Message) -> None:
    """Raise `InvalidArgument` if a text anywhere in a request is longer than any may be, or holds
    a NUL character, which not every database keeps, or if a list has more in it than any may."""
    for field, value in message.ListFields():
        if field.type not in {field.TYPE_STRING, field.TYPE_MESSAGE}:
            continue  # numbers are looked at by those who want them
        if not isinstance(value, str | Message) and len(value) > LIST_ITEMS_MAX:
            raise wrong_field(field.name, f"{len(value)} of them", f"at most {LIST_ITEMS_MAX}")
        for part in (value,) if isinstance(value, str | Message) else value:
            if isinstance(part, Message):
                check_texts(part)
            elif len(part) > TEXT_CHARS_MAX:
                raise wrong_field(
                    field.name, f"{len(part)} characters", f"at most {TEXT_CHARS_MAX}"
                )
            elif "\0" in part:
                raise wrong_field(field.name, "a NUL character", "a text without one")


def checked_given(field: str, text: str, most: int) -> str:
    """Return a text that is not empty and not too long."""
    if not text.strip():
        raise wrong_field(field, "nothing", "a text")
    return checked_length(field, text, most)
