"""What the misbehaving bots have in common: a bot below the SDK that does everything right."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from random import Random
from typing import Any, Final

import grpc.aio

from kitumaija.sdk.client.backoff import STEADY, Backoff
from kitumaija.sdk.client.endings import Ended, ended_with
from kitumaija.sdk.client.entropy import EntropyKeeper
from kitumaija.sdk.client.settings import Settings
from kitumaija.sdk.errors import ConnectionFailed
from kitumaija.sdk.testing.hostile.line import Line
from kitumaija.v1 import arena_pb2, game_pb2
from kitumaija.wire.codec import action_to_message, legal_from_message
from kitumaija.wire.kinds import Kind
from kitumaija.wire.status import ErrorReason, reason_of

LIFETIME: Final = timedelta(hours=1)
"""After this long every animal leaves by itself, whatever it was about."""

_log = logging.getLogger("kitumaija.sdk")


class LeavesForGood(Exception):
    """Ends an animal's stream, and its life: it does not dial again."""


class BreaksOff(Exception):
    """Ends an animal's stream for a while."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"away for {seconds} s")
        self.seconds = seconds


class Animal:
    """Plays the first legal action in every match, until a subclass does otherwise.

    It is run and stopped as a client is. It speaks below the SDK, so that it can say what the SDK
    never would; what it sends and keeps is bounded, and so is its life. A stream that breaks is
    dialled again, except where the server does not want the bot any more.

    `secret` is its share in the shuffling, 32 bytes; `random` spreads its dials.
    """

    def __init__(self, settings: Settings, *, random: Random, secret: bytes) -> None:
        self.settings = settings
        self.asked: dict[str, arena_pb2.Decision] = {}
        self._random = random
        self._entropy = EntropyKeeper(secret)
        self._stopping = asyncio.Event()
        self._known = False
        self._heard_at = 0.0

    ##### Its life #####

    async def run(self) -> None:
        """Misbehave until stopped, done for good, or too old.

        Raises `SdkError` where the server cannot be reached, or never let it in.
        """
        self._heard_at = asyncio.get_running_loop().time()
        living = asyncio.create_task(self.live(), name=f"hostile-{type(self).__name__}")
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait(
                {living, stopping},
                timeout=LIFETIME.total_seconds(),
                return_when=asyncio.FIRST_COMPLETED,
            )
            if living.done():
                await living
        finally:
            living.cancel()
            stopping.cancel()
            await asyncio.gather(living, stopping, return_exceptions=True)

    def stop(self, reason: str = "stopped") -> None:
        """Let `run` return; no Goodbye is said."""
        del reason
        self._stopping.set()

    async def live(self) -> None:
        """Open one stream after the other, until it leaves for good."""
        backoff = Backoff(self._random)
        loop = asyncio.get_running_loop()
        while True:
            opened_at = loop.time()
            try:
                ended, reason = await self._stream()
                if loop.time() - opened_at > STEADY:
                    backoff.worked()
                await self.after(ended, reason)
                await asyncio.sleep(backoff.next_wait(ended.wait))
            except BreaksOff as away:
                await asyncio.sleep(away.seconds)
            except LeavesForGood:
                return

    async def after(self, ended: Ended, reason: ErrorReason | None) -> None:
        """Hear how a stream ended that it did not end itself; dial again if this returns.

        Where the server wants no more of it, raises `LeavesForGood`, for that is what its deeds
        have come to; or, if it was never let in, what the server said. Raises `ConnectionFailed`
        too when the server was out of reach for longer than the settings' patience.
        """
        away = asyncio.get_running_loop().time() - self._heard_at
        if ended.passing:
            if away > self.settings.patience.total_seconds():
                raise ended.error
        elif self._known:
            _log.info("not wanted any more: %s", ended.error)
            raise LeavesForGood
        else:
            raise ended.error

    async def _stream(self) -> tuple[Ended, ErrorReason | None]:
        """Open a stream and misbehave on it to its end; return why that came."""
        try:
            async with Line(self.settings) as line:
                await self.converse(line)
        except grpc.aio.AioRpcError as error:
            found = reason_of(error)
            return ended_with(error), None if found is None else found[0]
        return Ended(ConnectionFailed("the server ended the stream"), passing=True), None

    ##### What it does, all of it right #####

    async def converse(self, line: Line) -> None:
        """Say Hello, and deal with what comes to the end of the stream."""
        await line.say(self.hello())
        async for kind, said in line.heard():
            await self.hear(line, kind, said)

    async def hear(self, line: Line, kind: Kind, said: Any) -> None:
        """Deal with a message."""
        self._heard_at = asyncio.get_running_loop().time()
        if kind is Kind.WELCOME:
            self._known = True
        elif kind is Kind.MATCH_START:
            await self.offered(line, said)
        elif kind is Kind.DECISION:
            self.asked[said.match_id] = said
            await self.decide(line, said)
        elif kind is Kind.REFUSAL:
            await self.refused(line, said)
        elif kind is Kind.MATCH_END:
            self.asked.pop(said.match_id, None)
        elif kind is Kind.PING:
            await line.say(arena_pb2.BotMessage(pong=arena_pb2.Pong(nonce=said.nonce)))
        elif kind is Kind.ENTROPY_REQUEST:
            given = self._entropy.answer(said)
            if given is not None:
                await line.say(given)

    async def offered(self, line: Line, start: arena_pb2.MatchStart) -> None:
        """Say Ready to a match."""
        ready = arena_pb2.Ready(match_id=start.match_id)
        await line.say(arena_pb2.BotMessage(ready=ready))

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Answer a decision."""
        await line.say(answer(decision, first_legal(decision)))

    async def refused(self, line: Line, refusal: arena_pb2.Refusal) -> None:
        """Hear that an answer was not taken."""

    ##### For subclasses #####

    def hello(self) -> arena_pb2.BotMessage:
        """Return a Hello."""
        return arena_pb2.BotMessage(
            hello=arena_pb2.Hello(
                sdk="kitumaija-hostile",
                language="python",
                bot_version=self.settings.version,
                capacity=self.settings.capacity,
            )
        )


def answer(decision: arena_pb2.Decision, action: game_pb2.Action) -> arena_pb2.BotMessage:
    """Return an answer to a decision, legal or not."""
    return arena_pb2.BotMessage(
        answer=arena_pb2.Answer(
            match_id=decision.match_id, decision_id=decision.decision_id, action=action
        )
    )


def first_legal(decision: arena_pb2.Decision) -> game_pb2.Action:
    """Return the first legal action."""
    return action_to_message(legal_from_message(decision.legal)[0])
