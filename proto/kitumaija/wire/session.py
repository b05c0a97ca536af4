"""What may be said on a bot's stream, and when: one machine, run by the bot and by the server.

A `Session` does no I/O. Whoever owns the stream tells it of every message that it sends and
receives, before acting on it; the session keeps track of where the stream and each of its matches
stand, and raises for what may not be said there. The two tables below are the whole of it. The
rules of the game, the clocks and everybody's rights are other rooms' matter.

The messages of the two directions cross on the way, and a bot may come back on a new stream in the
middle of everything. So much is tolerated that looks early, late or said twice:

- An Answer is never a violation, whatever it names: it may be sent again when in doubt, on a later
  stream too, and it is Accepted or gets a Refusal. Resync is no violation either.
- Accepted and Refusal may name a match of which this stream has not heard: the answer was sent on
  an earlier one. So may Seating, MatchSync, Decision and MatchEnd: the match was offered there.
- MatchStart may come again until the match is seated, and MatchEnd again after the end: what was
  under way when a stream broke is said again on the next.
- Ready may come late or again: it crossed Seating or MatchEnd. But for a match that was never
  offered on its own stream it is a violation, for a new stream offers again what is not seated.
- A message of no known kind is a newer peer's and changes nothing. It opens no stream, though.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from enum import Enum, StrEnum
from typing import Any, Final, TypeVar, overload

from kitumaija.v1 import arena_pb2
from kitumaija.wire.kinds import Frame, Kind, Message, Tag, kind_of
from kitumaija.wire.sizes import missized

__all__ = [
    "ENDED_KEPT",
    "MATCH_TABLE",
    "STREAM_TABLE",
    "Kind",
    "LocalProtocolError",
    "MatchEvent",
    "MatchState",
    "ProtocolError",
    "RemoteProtocolError",
    "Role",
    "Session",
    "StreamEvent",
    "StreamState",
    "Violation",
]

ENDED_KEPT: Final = 256
"""How many ended matches a session remembers, so that a stream of any length stays small."""


class StreamState(Tag):
    """Where a stream stands."""

    OPENING = "opening"
    """Nothing was said."""
    GREETED = "greeted"
    """The bot said Hello."""
    OPEN = "open"
    """The server said Welcome."""
    DRAINING = "draining"
    """The server said Drain: the stream will end, and the bot is to dial again after it."""
    LEAVING = "leaving"
    """The bot said Goodbye; what the server had under way may still come."""
    CLOSED = "closed"
    """The stream ended, or the other end broke the protocol."""


class StreamEvent(Tag):
    """What a message means to its stream; most mean no more than who speaks."""

    HELLO = "hello"
    GOODBYE = "goodbye"
    BOT_SPEAKS = "bot_speaks"
    WELCOME = "welcome"
    DRAIN = "drain"
    SERVER_SPEAKS = "server_speaks"


class MatchState(Tag):
    """Where a match stands, as far as this stream has heard."""

    UNKNOWN = "unknown"
    """Nothing was said of it."""
    OFFERED = "offered"
    """The server said MatchStart."""
    READY = "ready"
    """The bot said Ready."""
    SEATED = "seated"
    """The server said Seating or MatchSync, and no decision is open."""
    ASKED = "asked"
    """A Decision waits for its Answer."""
    ANSWERED = "answered"
    """An Answer waits for Accepted or Refusal."""
    ENDED = "ended"
    """The server said MatchEnd."""


class MatchEvent(Tag):
    """What a message means to its match. An answer, its acceptance and its refusal mean something
    only where they are about the decision that was asked last."""

    START = "start"
    READY = "ready"
    SEATING = "seating"
    SYNC = "sync"
    DECISION = "decision"
    ANSWER = "answer"
    ACCEPTED = "accepted"
    REFUSED_OPEN = "refused_open"
    """A Refusal that leaves the decision open: it tells what is legal."""
    REFUSED_CLOSED = "refused_closed"
    """A Refusal after which there is nothing to answer."""
    END = "end"


class Violation(StrEnum):
    """What may not be done."""

    HELLO_NOT_FIRST = "hello_not_first"
    SECOND_HELLO = "second_hello"
    WELCOME_NOT_FIRST = "welcome_not_first"
    SECOND_WELCOME = "second_welcome"
    AFTER_GOODBYE = "after_goodbye"
    AFTER_CLOSE = "after_close"
    READY_NOT_OFFERED = "ready_not_offered"
    OFFERED_AFTER_SEATING = "offered_after_seating"
    SEATED_TWICE = "seated_twice"
    DECISION_BEFORE_SEATING = "decision_before_seating"
    AFTER_MATCH_END = "after_match_end"
    MISSIZED = "missized"
    EMPTY_FRAME = "empty_frame"


##### The tables #####

State = TypeVar("State", StreamState, MatchState)
Event = TypeVar("Event", StreamEvent, MatchEvent)


def _table(
    states: type[State], rows: Mapping[Event, tuple[State | Violation | None, ...]]
) -> dict[tuple[State, Event], State | Violation]:
    """Make cells by state and event of rows that have a cell for each state; None: it stays."""
    return {
        (state, event): state if cell is None else cell
        for event, row in rows.items()
        for state, cell in zip(states, row, strict=True)
    }


def _stream_table() -> dict[tuple[StreamState, StreamEvent], StreamState | Violation]:
    _, greeted, open_, draining, leaving, _ = StreamState
    first, hello2 = Violation.HELLO_NOT_FIRST, Violation.SECOND_HELLO
    early, welcome2 = Violation.WELCOME_NOT_FIRST, Violation.SECOND_WELCOME
    left, shut = Violation.AFTER_GOODBYE, Violation.AFTER_CLOSE
    same = None
    # fmt: off
    return _table(StreamState, {
        #                           OPENING  GREETED  OPEN      DRAINING  LEAVING  CLOSED
        StreamEvent.HELLO:         (greeted, hello2,  hello2,   hello2,   left,    shut),
        StreamEvent.BOT_SPEAKS:    (first,   same,    same,     same,     left,    shut),
        StreamEvent.GOODBYE:       (first,   leaving, leaving,  leaving,  left,    shut),
        StreamEvent.WELCOME:       (first,   open_,   welcome2, welcome2, same,    shut),
        StreamEvent.SERVER_SPEAKS: (first,   early,   same,     same,     same,    shut),
        StreamEvent.DRAIN:         (first,   early,   draining, same,     same,    shut),
    })
    # fmt: on


def _match_table() -> dict[tuple[MatchState, MatchEvent], MatchState | Violation]:
    _, offered, ready, seated, asked, answered, ended = MatchState
    offer2, twice = Violation.OFFERED_AFTER_SEATING, Violation.SEATED_TWICE
    not_offered, early = Violation.READY_NOT_OFFERED, Violation.DECISION_BEFORE_SEATING
    over = Violation.AFTER_MATCH_END
    same = None
    # fmt: off
    return _table(MatchState, {
        #                           UNKNOWN      OFFERED  READY   SEATED  ASKED     ANSWERED  ENDED
        MatchEvent.START:          (offered,     same,    same,   offer2, offer2,   offer2,   over),
        MatchEvent.READY:          (not_offered, ready,   same,   same,   same,     same,     same),
        MatchEvent.SEATING:        (seated,      seated,  seated, twice,  twice,    twice,    over),
        MatchEvent.SYNC:           (seated,      seated,  seated, same,   seated,   seated,   over),
        MatchEvent.DECISION:       (asked,       early,   early,  asked,  same,     asked,    over),
        MatchEvent.ANSWER:         (same,        same,    same,   same,   answered, same,     same),
        MatchEvent.ACCEPTED:       (same,        same,    same,   same,   seated,   seated,   same),
        MatchEvent.REFUSED_OPEN:   (same,        same,    same,   same,   same,     asked,    same),
        MatchEvent.REFUSED_CLOSED: (same,        same,    same,   same,   seated,   seated,   same),
        MatchEvent.END:            (ended,       ended,   ended,  ended,  ended,    ended,    same),
    })
    # fmt: on


STREAM_TABLE: Final = _stream_table()
"""The next state of a stream, or what is violated, by its state and what is said."""

MATCH_TABLE: Final = _match_table()
"""The next state of a match, or what is violated, by its state and what is said of it."""

_STREAM_EVENTS: Final[Mapping[Kind, StreamEvent]] = {
    Kind.HELLO: StreamEvent.HELLO,
    Kind.GOODBYE: StreamEvent.GOODBYE,
    Kind.WELCOME: StreamEvent.WELCOME,
    Kind.DRAIN: StreamEvent.DRAIN,
}

_MATCH_EVENTS: Final[Mapping[Kind, MatchEvent]] = {
    Kind.MATCH_START: MatchEvent.START,
    Kind.READY: MatchEvent.READY,
    Kind.SEATING: MatchEvent.SEATING,
    Kind.MATCH_SYNC: MatchEvent.SYNC,
    Kind.DECISION: MatchEvent.DECISION,
    Kind.ANSWER: MatchEvent.ANSWER,
    Kind.ACCEPTED: MatchEvent.ACCEPTED,
    Kind.REFUSAL: MatchEvent.REFUSED_CLOSED,
    Kind.MATCH_END: MatchEvent.END,
}

_OF_THE_OPEN_DECISION: Final = frozenset({Kind.ANSWER, Kind.ACCEPTED, Kind.REFUSAL})


##### The machine #####


class Role(Enum):
    """An end of the stream."""

    BOT = "bot"
    SERVER = "server"


_SPEAKS: Final = {Role.BOT: StreamEvent.BOT_SPEAKS, Role.SERVER: StreamEvent.SERVER_SPEAKS}


class ProtocolError(Exception):
    """Something was said that may not be said; `reason` tells what."""

    def __init__(self, reason: Violation, detail: str) -> None:
        super().__init__(f"{reason.replace('_', ' ')}: {detail}")
        self.reason = reason


class LocalProtocolError(ProtocolError):
    """We were about to break the protocol. Nothing in the session has changed."""


class RemoteProtocolError(ProtocolError):
    """They broke the protocol. The session is closed, and the stream is to be ended."""


class Session:
    """One stream as one end of it sees it."""

    def __init__(self, role: Role) -> None:
        self._role = role
        self._their_role = Role.SERVER if role is Role.BOT else Role.BOT
        self._state = StreamState.OPENING
        self._live: dict[str, MatchState] = {}
        self._asked: dict[str, int] = {}
        self._ended: OrderedDict[str, None] = OrderedDict()

    @property
    def role(self) -> Role:
        """Which end we are."""
        return self._role

    @property
    def state(self) -> StreamState:
        """Where the stream stands."""
        return self._state

    def match(self, match_id: str) -> MatchState:
        """Return where a match stands on this stream; UNKNOWN again long after its end."""
        if match_id in self._ended:
            return MatchState.ENDED
        return self._live.get(match_id, MatchState.UNKNOWN)

    def sent(self, message: Message) -> Kind:
        """Take note of a message that we send, and return its kind. Call it before sending.

        Raises `LocalProtocolError` where we may not send it.
        """
        return self._advance(message, self._role, LocalProtocolError)

    def received(self, message: Message) -> Kind:
        """Take note of a message that they sent, and return its kind. Call it before acting on it.

        Raises `RemoteProtocolError` where they may not send it; the session is then closed.
        """
        try:
            return self._advance(message, self._their_role, RemoteProtocolError)
        except RemoteProtocolError:
            self._state = StreamState.CLOSED
            raise

    @overload
    def received_frame(
        self, frame: arena_pb2.PlayRequest
    ) -> Iterator[tuple[Kind, arena_pb2.BotMessage]]: ...

    @overload
    def received_frame(
        self, frame: arena_pb2.PlayResponse
    ) -> Iterator[tuple[Kind, arena_pb2.ServerMessage]]: ...

    def received_frame(self, frame: Frame) -> Iterator[tuple[Kind, Message]]:
        """Take note of the messages of a frame one by one, and yield each to be acted on.

        What is before a violation in the frame is yielded before the error is raised; messages of
        no known kind are not yielded. Raises `RemoteProtocolError` as `received` does, and for a
        frame without messages.
        """
        if not frame.messages:
            self._state = StreamState.CLOSED
            raise RemoteProtocolError(Violation.EMPTY_FRAME, "a frame holds at least one message")
        for message in frame.messages:
            kind = self.received(message)
            if kind is not Kind.UNKNOWN:
                yield kind, message

    def closed(self) -> None:
        """Take note that the stream ended, whoever ended it."""
        self._state = StreamState.CLOSED

    def _advance(self, message: Message, speaker: Role, error: type[ProtocolError]) -> Kind:
        """Move the stream and the match on, both or neither."""
        by_bot = isinstance(message, arena_pb2.BotMessage)
        if by_bot is not (speaker is Role.BOT):
            raise TypeError(f"a {speaker.value} does not say a {type(message).__name__}")
        kind = kind_of(message)
        event = _STREAM_EVENTS.get(kind) or _SPEAKS[speaker]
        following = STREAM_TABLE[self._state, event]
        if isinstance(following, Violation):
            raise error(following, f"{kind.name} on a stream that is {self._state.name}")
        if isinstance(message, arena_pb2.BotMessage) and (problem := missized(kind, message)):
            raise error(Violation.MISSIZED, problem)
        match_event = _MATCH_EVENTS.get(kind)
        if match_event is not None:
            self._advance_match(kind, match_event, getattr(message, kind.value), error)
        self._state = following
        return kind

    def _advance_match(
        self, kind: Kind, event: MatchEvent, said: Any, error: type[ProtocolError]
    ) -> None:
        match_id: str = said.match_id
        if kind in _OF_THE_OPEN_DECISION:
            if self._asked.get(match_id) != said.decision_id:
                return  # about another decision: it changes nothing, and it is no violation
            if kind is Kind.REFUSAL and said.HasField("legal"):
                event = MatchEvent.REFUSED_OPEN
        state = self.match(match_id)
        following = MATCH_TABLE[state, event]
        if isinstance(following, Violation):
            raise error(following, f"{kind.name} of match {match_id!r}, which is {state.name}")
        if following is MatchState.ENDED:
            self._forget(match_id)
            return
        self._live[match_id] = following
        if event is MatchEvent.DECISION:
            self._asked[match_id] = said.decision_id

    def _forget(self, match_id: str) -> None:
        self._live.pop(match_id, None)
        self._asked.pop(match_id, None)
        self._ended[match_id] = None
        if len(self._ended) > ENDED_KEPT:
            self._ended.popitem(last=False)
