"""Messages in any order at the session machine: it takes or refuses each, and stays sound."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import DecodeError
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from kitumaija.v1 import arena_pb2
from kitumaija.wire.session import (
    ENDED_KEPT,
    Kind,
    LocalProtocolError,
    MatchState,
    RemoteProtocolError,
    Role,
    Session,
    StreamState,
)
from tests.support.conversation import Message, bot_says, server_says

BOT_KINDS = (Kind.HELLO, Kind.READY, Kind.ANSWER, Kind.PONG, Kind.RESYNC, Kind.GOODBYE)
SERVER_KINDS = (
    *(Kind.WELCOME, Kind.DRAIN, Kind.MATCH_START, Kind.SEATING, Kind.MATCH_SYNC, Kind.DECISION),
    *(Kind.ACCEPTED, Kind.REFUSAL, Kind.MATCH_END, Kind.PING),
)
MATCHES = st.sampled_from(("m1", "m2", "x" * 64, "x" * 65, "\0", ""))
NUMBERS = st.sampled_from((0, 1, 2, 2**32 - 1))


def about(message: Message, match_id: str, decision_id: int) -> Message:
    """Let a message be about a match and a decision, where it is about any."""
    which = message.WhichOneof("message")
    if which is not None:
        part: Any = getattr(message, which)
        names = {field.name for field in part.DESCRIPTOR.fields}
        if "match_id" in names:
            part.match_id = match_id
        if "decision_id" in names:
            part.decision_id = decision_id
    return message


class Hostile(RuleBasedStateMachine):
    """A server's session whose bot says whatever it likes; the server says what it likes too, and
    is told where it may not."""

    @initialize(greeted=st.booleans())
    def begin(self, greeted: bool) -> None:
        self.session = Session(Role.SERVER)
        self.broken = False
        if greeted:
            self.session.received(bot_says(Kind.HELLO))
            self.session.sent(server_says(Kind.WELCOME))

    @rule(kind=st.sampled_from(BOT_KINDS), match_id=MATCHES, decision_id=NUMBERS)
    def bot_speaks(self, kind: Kind, match_id: str, decision_id: int) -> None:
        try:
            heard = self.session.received(about(bot_says(kind), match_id, decision_id))
        except RemoteProtocolError:
            self.broken = True
            return
        assert not self.broken, "after a violation nothing is taken any more"
        assert heard is kind

    @rule(kind=st.sampled_from(SERVER_KINDS), match_id=MATCHES, decision_id=NUMBERS)
    def server_speaks(self, kind: Kind, match_id: str, decision_id: int) -> None:
        message = about(server_says(kind), match_id, decision_id)
        state, match = self.session.state, self.session.match(match_id)
        try:
            self.session.sent(message)
        except LocalProtocolError:
            assert (self.session.state, self.session.match(match_id)) == (state, match)
            return
        assert not self.broken

    @rule(data=st.binary(max_size=200))
    def bot_sends_bytes(self, data: bytes) -> None:
        try:
            frame = arena_pb2.PlayRequest.FromString(data)
            list(self.session.received_frame(frame))
        except RemoteProtocolError:
            self.broken = True
        except DecodeError:
            return  # They are no frame; gRPC ends such a stream.

    @rule(count=st.integers(1, 2 * ENDED_KEPT))
    def many_matches_end(self, count: int) -> None:
        if self.session.state is not StreamState.OPEN:
            return
        for number in range(count):
            self.session.sent(about(server_says(Kind.MATCH_END), f"many-{number}", 0))
        assert self.session.match(f"many-{count - 1}") is MatchState.ENDED

    @invariant()
    def a_broken_session_is_closed(self) -> None:
        assert not self.broken or self.session.state is StreamState.CLOSED


TestHostile = Hostile.TestCase
TestHostile.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None, derandomize=True
)
