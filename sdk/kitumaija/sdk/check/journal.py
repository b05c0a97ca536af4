"""What was said on the streams of a bot, to be shown where a step fails."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from typing import Final, TypeAlias

from google.protobuf import json_format

from kitumaija.console.text import plain
from kitumaija.v1 import arena_pb2

SHOWN: Final = 12
"""How many entries are kept, and shown."""

_LONGEST: Final = 800
"""Longer messages are cut off, in characters; a Decision seldom is."""

Said: TypeAlias = arena_pb2.BotMessage | arena_pb2.ServerMessage | str


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that was said, or happened."""

    at: float
    """When, in seconds of the loop's clock."""
    said: Said
    """A message, or what happened in words."""

    def line(self, began: float) -> str:
        """Return it as a line, with the time since then."""
        return f"{(self.at - began) * 1e3:7.0f} ms  {_text(self.said)}"


class Journal:
    """The last things that were said."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=SHOWN)
        self._began = 0.0

    def begin(self, at: float) -> None:
        """Begin a step, at a time of the loop's clock."""
        self._began = at

    def note(self, at: float, *said: Said) -> None:
        """Keep what was said, or happened, at a time of the loop's clock."""
        self._entries.extend(Entry(at, each) for each in said)

    def last(self) -> tuple[str, ...]:
        """Return the last entries as lines; what was before the step has a time below 0."""
        return tuple(entry.line(self._began) for entry in self._entries)


def _text(said: Said) -> str:
    if isinstance(said, str):
        return f"        {said}"
    who = "bot  -> " if isinstance(said, arena_pb2.BotMessage) else "     <- "
    kind = said.WhichOneof("message")
    if kind is None:
        return f"{who}a message of no known kind"
    # Where a message holds what no JSON can, such as an unknown number of an enum, it is a number.
    fields = json_format.MessageToDict(getattr(said, kind), preserving_proto_field_name=True)
    text = plain(json.dumps(fields, ensure_ascii=False))
    return f"{who}{kind} {text if len(text) <= _LONGEST else text[:_LONGEST] + ' …'}"
