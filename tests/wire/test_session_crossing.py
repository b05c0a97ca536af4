"""Two ends that each keep to their own machine never break the other's, whatever crosses."""

from __future__ import annotations

from collections import deque

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from kitumaija.v1 import arena_pb2
from kitumaija.wire.session import Kind, LocalProtocolError, Role, Session, StreamState
from tests.support.conversation import bot_says, server_says

BOT_KINDS = [*list(Kind)[:7], Kind.UNKNOWN]
SERVER_KINDS = list(Kind)[7:]
MATCHES = st.sampled_from(["m1", "m2", "m3"])
DECISIONS = st.integers(1, 3)


class Crossing(RuleBasedStateMachine):
    """A bot and a server that say anything they may, over a stream that delivers in its own time.

    A `RemoteProtocolError` out of any step is the failure looked for: the speaker's machine let
    something pass that the hearer's does not.
    """

    def __init__(self) -> None:
        super().__init__()
        self.bot, self.server = Session(Role.BOT), Session(Role.SERVER)
        self.to_server: deque[arena_pb2.BotMessage] = deque()
        self.to_bot: deque[arena_pb2.ServerMessage] = deque()
        self.say_as_bot(Kind.HELLO, "", 1)

    @rule(kind=st.sampled_from(BOT_KINDS), match_id=MATCHES, decision_id=DECISIONS)
    def say_as_bot(self, kind: Kind, match_id: str, decision_id: int) -> None:
        message = bot_says(kind, match_id, decision_id)
        if kind is Kind.ENTROPY:
            message.entropy.step = arena_pb2.ENTROPY_STEP_REVEAL
        try:
            self.bot.sent(message)
        except LocalProtocolError:
            return
        self.to_server.append(message)

    @rule(
        kind=st.sampled_from(SERVER_KINDS),
        match_id=MATCHES,
        decision_id=DECISIONS,
        leaves_open=st.booleans(),
    )
    def say_as_server(
        self, kind: Kind, match_id: str, decision_id: int, *, leaves_open: bool
    ) -> None:
        leaves_open = leaves_open and kind is Kind.REFUSAL
        message = server_says(kind, match_id, decision_id, leaves_open=leaves_open)
        try:
            self.server.sent(message)
        except LocalProtocolError:
            return
        self.to_bot.append(message)

    @precondition(lambda self: self.to_server)
    @rule()
    def deliver_to_server(self) -> None:
        self.server.received(self.to_server.popleft())

    @precondition(lambda self: self.to_bot)
    @rule()
    def deliver_to_bot(self) -> None:
        self.bot.received(self.to_bot.popleft())

    def teardown(self) -> None:
        while self.to_server:
            self.deliver_to_server()
        while self.to_bot:
            self.deliver_to_bot()
        assert StreamState.CLOSED not in {self.bot.state, self.server.state}


TestCrossing = Crossing.TestCase
TestCrossing.settings = settings(max_examples=200, stateful_step_count=60)
