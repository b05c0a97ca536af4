"""A bot that plays by itself over the protocol, for tests that are about whole tournaments."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from types import TracebackType
from typing import Self

import grpc
import grpc.aio

from kitumaija.engine import Action
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import legal_from_message
from tests.support.raw_bot import PATIENCE, RawBot, StreamEnded, answer


def first_legal(decision: arena_pb2.Decision) -> Action:
    """The simplest policy there is, and always the same."""
    return legal_from_message(decision.legal)[0]


def last_legal(decision: arena_pb2.Decision) -> Action:
    """Take what can be taken: of two that play, who does so is left with the cards."""
    return legal_from_message(decision.legal)[-1]


class AutoBot:
    """Says Ready to every match and plays as it `chooses`, until it is closed.

    `ready` tells whether it answers offers at all. `entropy` is what it gives when asked; None
    keeps silent, and `reveals` may be another value than what it committed to. After so many
    `answers` it is `stuck`, until `go_on`. `thinks` is called before each answer.
    `thought_us` is how long it says that it thought; None says nothing.
    """

    def __init__(
        self,
        address: str,
        token: str,
        *,
        ready: bool = True,
        entropy: bytes | None = b"entropy",
        reveals: bytes | None = None,
        capacity: int = 8,
        version: str = "1",
        answers: int | None = None,
        thinks: Callable[[], object] = lambda: None,
        thought_us: int | None = None,
        chooses: Callable[[arena_pb2.Decision], Action] = first_legal,
    ) -> None:
        self._stream = RawBot(address, token)
        self._ready = ready
        self._entropy = entropy
        self._reveals = entropy if reveals is None else reveals
        self._hello = {"capacity": capacity, "bot_version": version}
        self._answers = answers
        self._thinks = thinks
        self._thought_us = thought_us
        self._chooses = chooses
        self._pending: list[arena_pb2.Decision] = []
        # What two tasks write at once, gRPC refuses.
        self._speaks = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self.stuck = asyncio.Event()
        self.offered: list[str] = []
        self.ended: list[arena_pb2.MatchEnd] = []
        self._told_an_end = asyncio.Event()

    async def __aenter__(self) -> Self:
        await self._stream.hello(**self._hello)
        self._task = asyncio.create_task(self._play())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Break the connection off."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._stream.close()

    @property
    def everything(self) -> list[bytes]:
        """The bytes of each message that it was sent."""
        return self._stream.everything

    async def go_on(self) -> None:
        """Answer what was left unanswered, and everything from now on."""
        self._answers = None
        for decision in self._pending:
            async with self._speaks:
                await self._decide(decision)

    async def hears_ends(self, matches: int) -> list[arena_pb2.MatchEnd]:
        """Return the ends that it was told, so many at least: they may come after the result."""
        async with asyncio.timeout(PATIENCE):
            while len(self.ended) < matches:
                self._told_an_end.clear()
                await self._told_an_end.wait()
        return self.ended

    async def gone(self) -> None:
        """Wait until the server has ended the stream."""
        if self._task is not None:
            await self._task

    async def _play(self) -> None:
        try:
            while True:
                message = await self._stream.next()
                async with self._speaks:
                    await self._hear(message)
        except (StreamEnded, grpc.aio.AioRpcError, asyncio.InvalidStateError):
            # Ended by the server, seen at a read or, as gRPC has it, at a write.
            return

    async def _hear(self, message: arena_pb2.ServerMessage) -> None:
        kind = message.WhichOneof("message")
        if kind == "match_start":
            self.offered.append(message.match_start.match_id)
            if self._ready:
                await self._stream.ready(message.match_start.match_id)
        elif kind == "decision":
            await self._decide(message.decision)
        elif kind == "match_end":
            self.ended.append(message.match_end)
            self._told_an_end.set()
        elif kind == "entropy_request":
            await self._give_entropy(message.entropy_request)

    async def _decide(self, decision: arena_pb2.Decision) -> None:
        if self._answers == 0:
            self._pending.append(decision)
            self.stuck.set()
            return
        if self._answers is not None:
            self._answers -= 1
        self._thinks()
        said = answer(decision, self._chooses(decision))
        if self._thought_us is not None:
            said.answer.think_time_us = self._thought_us
        await self._stream.say(said)

    async def _give_entropy(self, request: arena_pb2.EntropyRequest) -> None:
        if self._entropy is None or self._reveals is None:
            return
        value = self._reveals
        if request.step == arena_pb2.ENTROPY_STEP_COMMIT:
            value = hashlib.sha256(self._entropy).digest()
        entropy = arena_pb2.Entropy(
            tournament_id=request.tournament_id, step=request.step, value=value
        )
        await self._stream.say(arena_pb2.BotMessage(entropy=entropy))
