"""What comes on a bot's stream, at either end: frames in any order, of bytes and of messages.

The order is a part of the input. It is a sequence of turns: a byte below `OURS` has this end say
something itself, any other begins a frame of the peer, with two bytes of length before it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final, TypeVar

from google.protobuf.message import DecodeError

from kitumaija.server.rpc.incoming import incoming
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import (
    CodecError,
    action_from_message,
    action_to_message,
    cards_from_message,
    events_from_message,
    events_to_message,
    legal_from_message,
    options_of_newer,
    termination_of_newer,
    view_from_message,
    view_to_message,
)
from kitumaija.wire.kinds import Kind
from kitumaija.wire.session import (
    LocalProtocolError,
    RemoteProtocolError,
    Role,
    Session,
    StreamState,
)
from kitumaija.wire.status import DETAILS_KEY, ErrorReason, error_details, reason_of
from kitumaija.wire.times import limits_from_message, think_time_from_message
from tests.fuzz.decoding import Reader, Readers
from tests.fuzz.mutating import fill, mutated
from tests.support.conversation import MATCH, bot_says, server_says

VECTORS: Final = Path(__file__).parents[2] / "proto/vectors/frames.json"
BOT_KINDS: Final = (Kind.HELLO, Kind.READY, Kind.ANSWER, Kind.PONG, Kind.RESYNC, Kind.GOODBYE)
SERVER_KINDS: Final = (
    *(Kind.WELCOME, Kind.DRAIN, Kind.MATCH_START, Kind.SEATING, Kind.MATCH_SYNC, Kind.DECISION),
    *(Kind.ACCEPTED, Kind.REFUSAL, Kind.MATCH_END, Kind.PING),
)
OURS: Final = 16
FrameT = TypeVar("FrameT", arena_pb2.PlayRequest, arena_pb2.PlayResponse)


def readers(folder: Path) -> Readers:
    """Return what the frames of each end are read by, and the details of a status."""
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    of_bots, of_servers = (
        [bytes.fromhex(each["bytes"]) for each in vectors if each["frame"] == name]
        for name in ("PlayRequest", "PlayResponse")
    )
    statuses = [
        error_details(reason, {"field": "title", "retry_seconds": "5"}, message="No.")[0][1]
        for reason in (ErrorReason.DRAINING, ErrorReason.INTERNAL)
    ]
    return (
        Reader(
            "bot's frames",
            _hear_bot,
            (DecodeError, RemoteProtocolError, CodecError),
            [_in_its_place(each, Kind.HELLO) for each in of_bots],
            lambda chance: _conversation(chance, arena_pb2.PlayRequest, of_bots),
        ),
        Reader(
            "server's frames",
            _hear_server,
            (DecodeError, RemoteProtocolError, CodecError),
            [_in_its_place(each, Kind.WELCOME) for each in of_servers],
            lambda chance: _conversation(chance, arena_pb2.PlayResponse, of_servers),
        ),
        Reader("status", _status, (), statuses),
    )


def _in_its_place(frame: bytes, opening: Kind) -> bytes:
    """Return the turns of a stream on which a real frame may be said."""
    if opening is Kind.HELLO:
        before = _turns(
            [arena_pb2.PlayRequest(messages=[bot_says(Kind.HELLO)]).SerializeToString()]
        )
        before += bytes(map(SERVER_KINDS.index, (Kind.WELCOME, Kind.MATCH_START)))
        opens = any(
            each.HasField("hello") for each in arena_pb2.PlayRequest.FromString(frame).messages
        )
        return _turns([frame]) if opens else before + _turns([frame])
    before = bytes((BOT_KINDS.index(Kind.HELLO),))
    response = arena_pb2.PlayResponse(messages=[server_says(Kind.WELCOME)])
    opens = any(
        each.HasField("welcome") for each in arena_pb2.PlayResponse.FromString(frame).messages
    )
    return before + _turns([*([] if opens else [response.SerializeToString()]), frame])


def _turns(frames: list[bytes]) -> bytes:
    return b"".join(bytes((OURS,)) + len(frame).to_bytes(2) + frame for frame in frames)


def _conversation(
    chance: Random,
    kind: type[arena_pb2.PlayRequest] | type[arena_pb2.PlayResponse],
    real: list[bytes],
) -> bytes:
    """Return turns of both ends, beginning as is right more often than not."""
    turns = bytearray()
    if chance.random() < 0.8:
        first: arena_pb2.PlayRequest | arena_pb2.PlayResponse
        if kind is arena_pb2.PlayRequest:
            first = arena_pb2.PlayRequest(messages=[bot_says(Kind.HELLO)])
            turns += _turns([first.SerializeToString()]) + bytes((0,))
        else:
            first = arena_pb2.PlayResponse(messages=[server_says(Kind.WELCOME)])
            turns += bytes((0,)) + _turns([first.SerializeToString()])
    for _ in range(chance.randrange(1, 12)):
        if chance.random() < 0.4:
            turns.append(chance.randrange(OURS))
            continue
        if chance.random() < 0.3:
            data = chance.choice(real)
        else:
            frame = kind()
            fill(chance, frame)
            for message in frame.messages:
                _about_our_match(chance, message)
            data = frame.SerializeToString()
        if chance.random() < 0.2:
            data = mutated(chance, data)
        turns += _turns([data[: 2**16 - 1]])
    return bytes(turns)


def _about_our_match(
    chance: Random, message: arena_pb2.BotMessage | arena_pb2.ServerMessage
) -> None:
    which = message.WhichOneof("message")
    part = getattr(message, which) if which else None
    if part is not None and "match_id" in part.DESCRIPTOR.fields_by_name and chance.random() < 0.7:
        part.match_id = MATCH


def _pieces(data: bytes) -> Iterator[int | bytes]:
    """Yield the turns: what we say, as a number, and the peer's frames."""
    position = 0
    while position < len(data):
        kind = data[position]
        position += 1
        if kind < OURS:
            yield kind
            continue
        size = int.from_bytes(data[position : position + 2])
        yield data[position + 2 : position + 2 + size]
        position += 2 + size


def _say(session: Session, number: int) -> None:
    """Say something; what may not be said changes nothing."""
    before = session.state, session.match(MATCH)
    kinds = SERVER_KINDS if session.role is Role.SERVER else BOT_KINDS
    kind = kinds[number % len(kinds)]
    says = server_says if session.role is Role.SERVER else bot_says
    try:
        session.sent(says(kind))
    except LocalProtocolError:
        assert (session.state, session.match(MATCH)) == before


def _hear_bot(data: bytes) -> str:
    session, last = Session(Role.SERVER), "silence"
    for turn in _pieces(data):
        if isinstance(turn, int):
            _say(session, turn)
            continue
        frame = incoming(turn).frame
        assert frame is not None, "no frame here is too large"
        last = "empty"
        for kind, message in _heard(session, frame):
            last = kind.value
            if isinstance(message, arena_pb2.BotMessage) and kind is Kind.ANSWER:
                think_time_from_message(message.answer)
                with suppress(CodecError):
                    action = action_from_message(message.answer.action)
                    assert action_from_message(action_to_message(action)) == action
    return last


def _hear_server(data: bytes) -> str:
    session, last = Session(Role.BOT), "silence"
    for turn in _pieces(data):
        if isinstance(turn, int):
            _say(session, turn)
            continue
        for kind, message in _heard(session, arena_pb2.PlayResponse.FromString(turn)):
            last = kind.value
            if isinstance(message, arena_pb2.ServerMessage):
                _understand(message)
    return last


def _heard(
    session: Session, frame: FrameT
) -> Iterator[tuple[Kind, arena_pb2.BotMessage | arena_pb2.ServerMessage]]:
    """Yield what a frame says; whoever broke the protocol is not heard any more."""
    try:
        yield from session.received_frame(frame)
    except RemoteProtocolError:
        assert session.state is StreamState.CLOSED
        raise


def _understand(message: arena_pb2.ServerMessage) -> None:
    """Turn all of a server's message into values."""
    match message.WhichOneof("message"):
        case "match_start":
            with suppress(ValueError):
                limits_from_message(message.match_start.limits)
        case "seating":
            options_of_newer(message.seating.options)
        case "decision":
            asked = message.decision
            view_to_message(view_from_message(asked.view))
            legal_from_message(asked.legal)
            events = events_from_message(asked.events)
            assert events_from_message(events_to_message(events)) == events
        case "match_sync":
            events_from_message(message.match_sync.events)
        case "refusal":
            legal_from_message(message.refusal.legal)
        case "match_end":
            end = message.match_end
            events_from_message(end.events)
            cards_from_message(end.stock)
            termination_of_newer(end.termination)
        case _:
            pass


def _status(data: bytes) -> str:
    found = reason_of(((DETAILS_KEY, data),))
    return "unknown" if found is None else found[0].value
