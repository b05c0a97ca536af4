"""A bot that plays the first legal action, and takes its time over it if it is told to.

Not the SDK's: it costs as little as a bot can, so that what is measured is the server.
"""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

import grpc.aio

from kitumaija.server.bench.meter import Meter
from kitumaija.server.bench.samples import answer
from kitumaija.v1 import arena_pb2


class Course:
    """How far the callers of a process are: all `connected`, all `playing`."""

    def __init__(self, callers: int) -> None:
        self._away = self._waiting = callers
        self.connected = asyncio.Event()
        self.playing = asyncio.Event()

    def arrived(self) -> None:
        """One more is there."""
        self._away -= 1
        if not self._away:
            self.connected.set()

    def begun(self) -> None:
        """One more has answered."""
        self._waiting -= 1
        if not self._waiting:
            self.playing.set()


class LoadBot:
    """One bot on one call of `ArenaService.Play`.

    It thinks about each decision on its own, for a time between the two of `think` in seconds, and
    says in one frame what is ready at one time.
    """

    def __init__(
        self,
        call: Any,
        meter: Meter,
        course: Course,
        *,
        capacity: int,
        think: tuple[float, float],
        seed: int,
    ) -> None:
        self._call = call
        self._meter = meter
        self._course = course
        self._think = think
        self._chance = random.Random(seed)  # noqa: S311 - how long a bot thinks is no secret
        self._ready: list[arena_pb2.BotMessage] = [
            arena_pb2.BotMessage(
                hello=arena_pb2.Hello(sdk="bench/1", language="python", capacity=capacity)
            )
        ]
        self._something = asyncio.Event()
        self._something.set()
        self._begun = False
        self._sent: dict[tuple[str, int], float] = {}

    async def play(self) -> None:
        """Play until the stream ends."""
        writer = asyncio.ensure_future(self._write())
        try:
            while True:
                frame = await self._call.read()
                if frame is grpc.aio.EOF:
                    return
                self._meter.frame()
                for message in frame.messages:
                    self._hear(message)
        finally:
            writer.cancel()

    def _hear(self, message: arena_pb2.ServerMessage) -> None:
        kind = message.WhichOneof("message")
        if kind == "decision":
            if self._think[1]:
                wait = self._chance.uniform(*self._think)
                said = answer(message.decision)
                asyncio.get_running_loop().call_later(wait, self._answer, said)
            else:
                self._answer(answer(message.decision))
        elif kind == "accepted":
            accepted = message.accepted
            since = self._sent.pop((accepted.match_id, accepted.decision_id), None)
            if since is not None:
                self._meter.decided(since)
        elif kind == "match_start":
            ready = arena_pb2.Ready(match_id=message.match_start.match_id)
            self._say(arena_pb2.BotMessage(ready=ready))
        elif kind == "welcome":
            self._course.arrived()
        elif kind == "ping":
            self._say(arena_pb2.BotMessage(pong=arena_pb2.Pong(nonce=message.ping.nonce)))

    def _answer(self, said: arena_pb2.BotMessage) -> None:
        about = said.answer
        self._sent[about.match_id, about.decision_id] = time.perf_counter()
        if not self._begun:
            self._begun = True
            self._course.begun()
        self._say(said)

    def _say(self, message: arena_pb2.BotMessage) -> None:
        self._ready.append(message)
        self._something.set()

    async def _write(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            said, self._ready = self._ready, []
            await self._call.write(arena_pb2.PlayRequest(messages=said))
