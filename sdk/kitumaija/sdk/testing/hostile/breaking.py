"""Animals that break the stream's own rules: too much, too large, nonsense, deaf."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Final

from kitumaija.sdk.client.endings import Ended
from kitumaija.sdk.client.settings import Address, Settings
from kitumaija.sdk.errors import UsageError
from kitumaija.sdk.testing.hostile.animal import Animal, LeavesForGood
from kitumaija.sdk.testing.hostile.frozen import FreezingPath
from kitumaija.sdk.testing.hostile.line import Line
from kitumaija.v1 import arena_pb2
from kitumaija.wire.limits import FRAME_BYTES_MAX
from kitumaija.wire.status import ErrorReason

FLOOD_FRAMES: Final = 200
FLOOD_MESSAGES: Final = 50
"""A flood is at most so many frames of so many messages, which is a few hundred KiB in all."""

FLOOD_PAUSE: Final = 0.005
"""The pause between two frames of a flood, in seconds."""

FLOODS: Final = 50
"""After so many floods it has had enough."""

HUGE_BYTES: Final = 3 * FRAME_BYTES_MAX
"""The size of a huge frame."""

DEAF_FOR: Final = 60.0
"""How long a stream is held by one that neither reads nor writes, in seconds."""


class Flooding(Animal):
    """Sends thousands of messages at a decision, comes back, and does it again: `flooding`."""

    def __init__(self, settings: Settings, *, random: Random, secret: bytes) -> None:
        super().__init__(settings, random=random, secret=secret)
        self._floods = 0

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Answer Pings that never came, as fast as the pauses allow."""
        self._floods += 1
        if self._floods > FLOODS:
            raise LeavesForGood
        pong = arena_pb2.BotMessage(pong=arena_pb2.Pong(nonce=0))
        for _ in range(FLOOD_FRAMES):
            await line.say(*[pong] * FLOOD_MESSAGES)
            await asyncio.sleep(FLOOD_PAUSE)

    async def after(self, ended: Ended, reason: ErrorReason | None) -> None:
        """Come back, against the rule."""
        if reason is not ErrorReason.FLOODING:
            await super().after(ended, reason)


class Huge(Animal):
    """Sends a frame of 512 KiB at its first decision, and is gone: `disconnected`."""

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Say a long Goodbye."""
        goodbye = arena_pb2.Goodbye(reason="x" * HUGE_BYTES)
        await line.say(arena_pb2.BotMessage(goodbye=goodbye))


class Violating(Animal):
    """Says Hello a second time, at its first decision, and is gone: `protocol_violation`."""

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Break the protocol."""
        await line.say(self.hello())


class Garbage(Animal):
    """Sends bytes that are no message, at its first decision, and is gone: `disconnected`."""

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Send nonsense, and wait for what comes of it."""
        await line.send(b"\xff" * 100)

    async def after(self, ended: Ended, reason: ErrorReason | None) -> None:
        """Stay away: what the server can say of nonsense is gRPC's, and gives no reason."""
        if not self.asked:
            await super().after(ended, reason)
        else:
            raise LeavesForGood


class Unread(Animal):
    """Stops reading at its first decision, for a minute: `decision_timeout`.

    When the server gives up the silent stream, after some seconds, it is `disconnected`.
    """

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Neither read nor write, and keep the stream."""
        await asyncio.sleep(DEAF_FOR)
        raise LeavesForGood


class HalfOpen(Animal):
    """Is cut off at its first decision by a line that swallows everything: `decision_timeout`.

    Neither end is told. When the server finds out, after some seconds, it is `disconnected`.
    """

    async def live(self) -> None:
        """Dial through a path that can freeze. Raises `UsageError` for a server with TLS."""
        if self.settings.tls:
            raise UsageError("hostile:half-open cannot stand between itself and a server with TLS")
        async with FreezingPath(self.settings.address) as self._path:
            here = Address("127.0.0.1", self._path.port, tls=False)
            self.settings = replace(self.settings, address=here)
            await super().live()

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Freeze, and hold the stream for a while."""
        self._path.freeze()
        await asyncio.sleep(DEAF_FOR)
        raise LeavesForGood


class Mute(Animal):
    """Opens one stream after the other and never says a word, not even Hello: `no_show`."""

    async def converse(self, line: Line) -> None:
        """Listen."""
        async for _ in line.heard():
            pass

    async def after(self, ended: Ended, reason: ErrorReason | None) -> None:
        """Come back when the server's patience is at an end."""
        if reason is not ErrorReason.HELLO_LATE:
            await super().after(ended, reason)
