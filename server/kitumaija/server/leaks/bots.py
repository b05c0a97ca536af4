"""The bots that play in a checked server: each does what it is told, when it is told."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import grpc
import grpc.aio

from kitumaija.engine import Action
from kitumaija.v1 import arena_pb2, arena_pb2_grpc, game_pb2
from kitumaija.wire.codec import action_to_message
from kitumaija.wire.truthful import truthful

PATIENCE = 30.0
"""How long, in seconds, is waited for something that comes at once."""

NOWHERE = "nowhere"
"""The id of a match that there is not. An answer to it is refused in its turn."""


_FLOOD = 4000
"""Messages in one frame, which is about as long as a frame may be."""


def entropy_of(bot_id: str) -> bytes:
    """Return what a bot contributes to the deals."""
    return f"the entropy of {bot_id}".encode()


class Stuck(Exception):
    """The server did not do what it must; what was compared so far says nothing."""


class Bell:
    """Wakes those who wait for something to become true."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Say that something has changed."""
        self._rung.set()
        self._rung = asyncio.Event()

    async def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait until something holds; raises `Stuck` if it never does."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds():
                    await self._rung.wait()
        except TimeoutError:
            raise Stuck(f"waited {PATIENCE:g} s in vain: {what}") from None


class Player:
    """One bot. What it hears is kept by match.

    `hear` gets each message as well, in order, and as a text the status with which the server
    ended a stream.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        bot_id: str,
        token: str,
        bell: Bell,
        hear: Callable[[arena_pb2.ServerMessage | str], None] = lambda message: None,
    ) -> None:
        self.bot_id = bot_id
        self.metadata = (("authorization", f"Bearer {token}"),)
        self._stub: Any = arena_pb2_grpc.ArenaServiceStub(channel)
        self._bell = bell
        self._hear = hear
        self._call: Any = None
        self._closing = False
        self._reading: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()
        self._asides = 0
        self._heard = 0
        self.welcomed = False
        self.offered: list[str] = []
        self.seats: dict[str, int] = {}
        self.asked: dict[str, arena_pb2.Decision] = {}
        """The open decisions that this bot has not answered."""
        self.events: dict[str, list[game_pb2.Event]] = {}
        """All that its Decisions told of a match, from the deal on."""
        self.ended: set[str] = set()
        self.gave: set[int] = set()
        """The steps at which it was asked for entropy, and gave it."""

    async def connect(self, capacity: int, match_ids: Iterable[str] = ()) -> None:
        """Open a stream and wait for its Welcome."""
        self._call = truthful(self._stub.Play(metadata=self.metadata))
        self.welcomed = self._closing = False
        self._asides = self._heard = 0
        self.asked.clear()
        self._reading = asyncio.create_task(self._read(self._call))
        # Each bot has a version of its own, and one that is as long as no other's.
        version = f"1.{'0' * int(self.bot_id.strip('b'))}"
        hello = arena_pb2.Hello(capacity=capacity, match_ids=match_ids, bot_version=version)
        await self.say(arena_pb2.BotMessage(hello=hello))
        await self._bell.until(lambda: self.welcomed, f"{self.bot_id} was not welcomed")

    async def close(self) -> None:
        """Break the stream off, as a bot does that dies."""
        self._closing = True
        if self._call is not None:
            self._call.cancel()
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        self.asked.clear()

    async def ending(self) -> None:
        """Wait until the stream that the server ended has been heard to its end."""
        if self._reading is not None:
            await self._reading

    async def say(self, message: arena_pb2.BotMessage) -> None:
        """Say something."""
        # Pongs are said while something else is: gRPC takes one write at a time.
        async with self._writing:
            await self._call.write(arena_pb2.PlayRequest(messages=[message]))

    async def answer(self, match_id: str, decision_id: int, action: Action | None) -> None:
        """Answer a decision; None is an answer without an action."""
        said = arena_pb2.Answer(match_id=match_id, decision_id=decision_id)
        if action is not None:
            said.action.CopyFrom(action_to_message(action))
        await self.say(arena_pb2.BotMessage(answer=said))

    async def ready(self, match_id: str) -> None:
        """Say that the bot is ready for a match."""
        await self.say(arena_pb2.BotMessage(ready=arena_pb2.Ready(match_id=match_id)))

    async def resync(self, match_id: str) -> None:
        """Ask for everything that is known of a match."""
        await self.say(arena_pb2.BotMessage(resync=arena_pb2.Resync(match_id=match_id)))

    async def leave(self) -> None:
        """Say Goodbye."""
        await self.say(arena_pb2.BotMessage(goodbye=arena_pb2.Goodbye()))

    async def break_the_protocol(self) -> None:
        """Say Hello once more."""
        await self.say(arena_pb2.BotMessage(hello=arena_pb2.Hello()))

    async def flood(self, frames: int) -> None:
        """Say some thousand things at once, so many times."""
        resync = arena_pb2.BotMessage(resync=arena_pb2.Resync(match_id=NOWHERE))
        frame = arena_pb2.PlayRequest(messages=[resync] * _FLOOD)
        async with self._writing:
            for _ in range(frames):
                try:
                    await self._call.write(frame)
                except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                    return  # it was enough

    async def settle(self) -> None:
        """Wait until the server has dealt with all that was said, and this bot has heard it."""
        self._asides += 1
        wanted = self._asides
        await self.answer(NOWHERE, wanted, None)
        await self._bell.until(lambda: self._heard >= wanted, f"{self.bot_id} hears nothing")

    # Hearing

    async def _read(self, call: Any) -> None:
        try:
            while isinstance(frame := await call.read(), arena_pb2.PlayResponse):
                for message in frame.messages:
                    self._hear(message)
                    await self._take(message)
                self._bell.ring()
        except grpc.aio.AioRpcError as error:
            if not self._closing:
                self._hear(f"{error.code()} {error.details()} {error.trailing_metadata()}")
            self._bell.ring()

    async def _take(self, message: arena_pb2.ServerMessage) -> None:
        kind = message.WhichOneof("message")
        if kind == "welcome":
            self.welcomed = True
        elif kind == "ping":
            pong = arena_pb2.Pong(nonce=message.ping.nonce)
            await self.say(arena_pb2.BotMessage(pong=pong))
        elif kind == "entropy_request":
            await self._give_entropy(message.entropy_request)
        elif kind == "match_start":
            self.offered.append(message.match_start.match_id)
        elif kind == "seating":
            self.seats[message.seating.match_id] = message.seating.seat
        elif kind == "decision":
            asked = message.decision
            self.asked[asked.match_id] = asked
            known = self.events.setdefault(asked.match_id, [])
            if asked.first_event <= len(known):
                known[asked.first_event :] = asked.events
        elif kind == "match_end":
            self.ended.add(message.match_end.match_id)
            self.asked.pop(message.match_end.match_id, None)
        elif kind == "refusal" and message.refusal.match_id == NOWHERE:
            self._heard = max(self._heard, message.refusal.decision_id)

    async def _give_entropy(self, request: arena_pb2.EntropyRequest) -> None:
        value = entropy_of(self.bot_id)
        if request.step == arena_pb2.ENTROPY_STEP_COMMIT:
            value = hashlib.sha256(value).digest()
        entropy = arena_pb2.Entropy(
            tournament_id=request.tournament_id, step=request.step, value=value
        )
        await self.say(arena_pb2.BotMessage(entropy=entropy))
        self.gave.add(request.step)
