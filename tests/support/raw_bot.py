"""A bot without the SDK: it speaks the protocol by hand, message by message."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import grpc
import grpc.aio

from kitumaija.engine import Action
from kitumaija.v1 import arena_pb2, arena_pb2_grpc
from kitumaija.wire.codec import action_to_message
from kitumaija.wire.status import ErrorReason, reason_of
from kitumaija.wire.truthful import truthful

PATIENCE = 60.0
"""How long, in seconds, a test waits for what should come at once: far longer than a machine takes
that is busy with other tests, and less than pytest waits for the test."""


class StreamEnded(Exception):
    """The stream ended while a message was waited for."""


class RawBot:
    """One stream. Frames come in as they come; `expect` takes messages out of them in order.

    `everything` keeps the bytes of each message that came, Pings excepted.
    """

    def __init__(
        self,
        address: str,
        token: str | None,
        *,
        answer_pings: bool = True,
        channel_options: tuple[tuple[str, int], ...] = (),
    ) -> None:
        options = (("grpc.use_local_subchannel_pool", 1), *channel_options)
        self._channel = grpc.aio.insecure_channel(address, options=options)
        metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        play = arena_pb2_grpc.ArenaServiceStub(self._channel).Play
        self.call: Any = truthful(play(metadata=metadata))
        self._answer_pings = answer_pings
        self._messages: Iterator[arena_pb2.ServerMessage] = iter(())
        self.everything: list[bytes] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Break the connection off, as a bot does that dies."""
        self.call.cancel()
        await self._channel.close()

    # Saying something

    async def say(self, *messages: arena_pb2.BotMessage) -> None:
        """Send messages in one frame."""
        await self.call.write(arena_pb2.PlayRequest(messages=messages))

    async def hello(self, **fields: Any) -> arena_pb2.Welcome:
        """Say Hello and return the Welcome."""
        await self.say(arena_pb2.BotMessage(hello=arena_pb2.Hello(**fields)))
        return (await self.expect("welcome")).welcome

    async def ready(self, match_id: str) -> None:
        """Say that the bot is ready for a match."""
        await self.say(arena_pb2.BotMessage(ready=arena_pb2.Ready(match_id=match_id)))

    async def answer(self, decision: arena_pb2.Decision, action: Action | None) -> None:
        """Answer a decision; None is an answer without an action."""
        await self.say(answer(decision, action))

    async def goodbye(self, reason: str = "") -> None:
        """Say Goodbye."""
        await self.say(arena_pb2.BotMessage(goodbye=arena_pb2.Goodbye(reason=reason)))

    # Hearing something

    async def next(self) -> arena_pb2.ServerMessage:
        """Return the next message that is no Ping; those are answered. Raises `StreamEnded`."""
        while True:
            for message in self._messages:
                if message.WhichOneof("message") == "ping":
                    if self._answer_pings:
                        await self._pong(message.ping.nonce)
                    continue
                self.everything.append(message.SerializeToString(deterministic=True))
                return message
            self._messages = iter((await self.frame()).messages)

    async def frame(self) -> arena_pb2.PlayResponse:
        """Return the next frame as it came."""
        try:
            async with asyncio.timeout(PATIENCE):
                frame = await self.call.read()
        except grpc.aio.AioRpcError as error:
            raise StreamEnded(str(error.code())) from error
        if not isinstance(frame, arena_pb2.PlayResponse):
            raise StreamEnded("the server ended the stream")
        return frame

    async def expect(self, *kinds: str) -> arena_pb2.ServerMessage:
        """Return the next message, which must be of one of these kinds."""
        message = await self.next()
        kind = message.WhichOneof("message")
        assert kind in kinds, f"got {message}, wanted {' or '.join(kinds)}"
        return message

    async def until(self, kind: str) -> arena_pb2.ServerMessage:
        """Return the next message of a kind, passing over all others."""
        while (message := await self.next()).WhichOneof("message") != kind:
            pass
        return message

    async def decision(self) -> arena_pb2.Decision:
        """Return the next Decision, passing over all else."""
        return (await self.until("decision")).decision

    async def end(self) -> tuple[grpc.StatusCode, ErrorReason | None, dict[str, str], str]:
        """Read to the end of the stream; return its code, reason, metadata and text."""
        try:
            while True:
                await self.next()
        except StreamEnded:
            pass
        async with asyncio.timeout(PATIENCE):
            code = await self.call.code()
            details = await self.call.details()
            trailing = await self.call.trailing_metadata()
        found = reason_of(tuple(trailing or ()))
        reason, metadata = found if found is not None else (None, {})
        return code, reason, metadata, details or ""

    async def heard(self) -> list[arena_pb2.ServerMessage]:
        """Wait until the server has dealt with everything that was said on this stream so far.

        It is asked about a match that there is not, and refuses that in its turn. Returns what came
        before.
        """
        nowhere = arena_pb2.Answer(match_id="nowhere", decision_id=1)
        await self.say(arena_pb2.BotMessage(answer=nowhere))
        meanwhile = []
        while (message := await self.next()).refusal.match_id != "nowhere":
            meanwhile.append(message)
        return meanwhile

    async def _pong(self, nonce: int) -> None:
        # Where the stream has ended, what is read next tells why.
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await self.say(arena_pb2.BotMessage(pong=arena_pb2.Pong(nonce=nonce)))


def answer(decision: arena_pb2.Decision, action: Action | None) -> arena_pb2.BotMessage:
    """Return the message that answers a decision."""
    said = arena_pb2.Answer(match_id=decision.match_id, decision_id=decision.decision_id)
    if action is not None:
        said.action.CopyFrom(action_to_message(action))
    return arena_pb2.BotMessage(answer=said)
