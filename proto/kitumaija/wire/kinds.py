"""The kinds of messages on a bot's stream."""

from __future__ import annotations

from enum import Enum
from typing import Final, TypeAlias

from kitumaija.v1 import arena_pb2

Message: TypeAlias = arena_pb2.BotMessage | arena_pb2.ServerMessage
Frame: TypeAlias = arena_pb2.PlayRequest | arena_pb2.PlayResponse


class Tag(Enum):
    """An enum whose members are looked up for every message, and so hash as plain objects do."""

    __hash__ = object.__hash__  # that of Enum is a Python function


class Kind(Tag):
    """What a message says; the value is the name of its field in BotMessage or ServerMessage."""

    HELLO = "hello"
    READY = "ready"
    ANSWER = "answer"
    GOODBYE = "goodbye"
    PONG = "pong"
    RESYNC = "resync"
    ENTROPY = "entropy"

    WELCOME = "welcome"
    MATCH_START = "match_start"
    SEATING = "seating"
    DECISION = "decision"
    ACCEPTED = "accepted"
    REFUSAL = "refusal"
    MATCH_END = "match_end"
    DRAIN = "drain"
    PING = "ping"
    MATCH_SYNC = "match_sync"
    ENTROPY_REQUEST = "entropy_request"

    UNKNOWN = ""
    """None of these, so a newer peer's: it is to be ignored."""


_KINDS: Final[dict[str | None, Kind]] = {kind.value or None: kind for kind in Kind}


def kind_of(message: Message) -> Kind:
    """Return the kind of a message."""
    return _KINDS[message.WhichOneof("message")]
