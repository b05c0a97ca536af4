"""What a watcher was told, byte for byte, in the order in which it was."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from google.protobuf.message import Message

from kitumaija.v1 import arena_pb2, game_pb2, replay_pb2

LISTED_FOR = "ListMatches of one bot"
"""The kind of a listing that is asked for by a bot's id: whether it is empty tells of that bot."""


class Source(StrEnum):
    """By which way something was told."""

    STREAM = "stream"
    """The watcher's own stream, message by message."""
    CALL = "call"
    """The answer to a call, or what it was refused with."""
    FEED = "feed"
    """A match as spectators see it."""
    METRICS = "metrics"
    """The numbers for Prometheus, a line each."""
    LOG = "log"
    """The server's log, a line each."""


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that was told."""

    source: Source
    kind: str
    """What it is: the kind of a message, the name of a method, `line`."""
    match_id: str
    """The match that it is about; empty for none."""
    said: Message | str

    @property
    def data(self) -> bytes:
        """Its bytes."""
        if isinstance(self.said, str):
            return self.said.encode()
        return self.said.SerializeToString(deterministic=True)


def of_stream(message: arena_pb2.ServerMessage | str) -> Said:
    """Return what a message of the stream tells, but for the cards that an end shows to all.

    A text is the status that the server ended the stream with.
    """
    if isinstance(message, str):
        return Said(Source.STREAM, "status", "", message)
    kind = message.WhichOneof("message") or "nothing"
    match_id = getattr(getattr(message, kind, None), "match_id", "")
    if kind == "match_end":
        kept = arena_pb2.ServerMessage()
        kept.CopyFrom(message)
        # A match that was played shows every card at its end, to everybody who sat there.
        for shown in ("hands", "stock", "pile"):
            kept.match_end.ClearField(shown)
        message = kept
    return Said(Source.STREAM, kind, match_id, message)


def of_feed(match_id: str, told: list[replay_pb2.WatchMatchResponse]) -> Said:
    """Return what a feed told in all.

    Into how many messages it was cut depends on who was faster, the match or its spectator.
    """
    events: list[game_pb2.Event] = [event for one in told for event in one.events]
    whole = replay_pb2.WatchMatchResponse(events=events, over=bool(told) and told[-1].over)
    return Said(Source.FEED, "WatchMatch", match_id, whole)
