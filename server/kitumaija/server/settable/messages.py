"""The values of settings by their keys, as the message that a server reads, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from enum import Enum
from typing import Any

from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.duration_pb2 import Duration as DurationMessage
from google.protobuf.message import Message

from kitumaija.server.settable.table import SETTINGS, Setting
from kitumaija.v1 import tournament_pb2 as v1


def message_of(values: Mapping[str, Any]) -> v1.TournamentSettings:
    """Return the message of the settings among `values`; the others are left to the server."""
    message = v1.TournamentSettings()
    for setting in SETTINGS:
        if setting.path in values:
            _put(message, setting, values[setting.path])
    return message


def values_of(message: v1.TournamentSettings) -> dict[str, Any]:
    """Return the values of a message of which every field is set, as a server tells it.

    What a newer server means by a word that is unknown here is left out.
    """
    values = {}
    for setting in SETTINGS:
        part, field = _place(message, setting)
        value: Any = getattr(part, setting.name)
        if isinstance(value, DurationMessage):
            value = value.ToTimedelta()
        elif field.enum_type is not None:
            value = _member(setting, field.enum_type, value)
        elif field.is_repeated:
            value = tuple(value)
        if value is not None:
            values[setting.path] = value
    return values


def _place(message: Message, setting: Setting[Any]) -> tuple[Any, Any]:
    """Return the message that a setting is a field of, and the field's descriptor."""
    part = getattr(message, setting.group) if setting.group else message
    return part, part.DESCRIPTOR.fields_by_name[setting.name]


def _put(message: Message, setting: Setting[Any], value: object) -> None:
    part, field = _place(message, setting)
    match value:
        case timedelta():
            getattr(part, setting.name).FromTimedelta(value)
        case tuple():
            getattr(part, setting.name).extend(value)
        case Enum():
            name = f"{_prefix(field.enum_type)}{str(value.value).upper()}"
            setattr(part, setting.name, field.enum_type.values_by_name[name].number)
        case _:
            setattr(part, setting.name, value)


def _prefix(kind: EnumDescriptor) -> str:
    """Return what all values of an enumeration begin with: its name, in capitals."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.name).upper() + "_"


def _member(setting: Setting[Any], kind: EnumDescriptor, number: int) -> object:
    """Return the value that a number stands for; None for one that is unknown."""
    known = kind.values_by_number.get(number)
    if known is None or not number:
        return None
    return setting.kind.read(known.name.removeprefix(_prefix(kind)).lower())
