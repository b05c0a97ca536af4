"""What a connection through the faulty proxy is made of: two pipes, and what happens to each."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Flag

CHUNK = 64 * 1024
IN_FLIGHT = 1024 * 1024
"""How many bytes one direction of one connection may have on its way; beyond, it is not read."""
# Close at once, with a reset instead of a farewell: what a peer that is gone answers.
_RESET = struct.pack("ii", 1, 0)


class Way(Flag):
    """A direction."""

    UP = 1
    DOWN = 2
    BOTH = UP | DOWN


@dataclass
class Counts:
    """What the proxy has seen and done so far."""

    opened: int = 0
    """Connections that reached the server."""
    refused: int = 0
    """Connections reset at once: the proxy was told to refuse, or the server did not listen."""
    swallowed: int = 0
    """Connections accepted into a black hole, of which the server never heard."""
    cut: int = 0
    """Connections reset in both directions."""
    bytes_up: int = 0
    bytes_down: int = 0
    """Bytes passed on."""
    bytes_lost: int = 0
    """Bytes swallowed, of both directions."""
    bytes_held: int = 0
    """Bytes that had to wait for the link to be back, of both directions."""
    losses: int = 0
    """How often something was swallowed: pieces, and ends of streams."""

    def passed(self, way: Way, size: int) -> None:
        """Count bytes that were passed on."""
        if way is Way.UP:
            self.bytes_up += size
        else:
            self.bytes_down += size

    def lost(self, size: int) -> None:
        """Count bytes that were swallowed; 0 for the end of a stream."""
        self.losses += 1
        self.bytes_lost += size


@dataclass
class Lane:
    """What happens to all bytes of one direction at the moment."""

    way: Way
    flowing: asyncio.Event = field(default_factory=asyncio.Event)
    lost: bool = False
    delay: float = 0.0
    jitter: float = 0.0
    piece: int = 0
    pause: float = 0.0


@dataclass
class Pipe:
    """One direction of one connection: what came waits for its time, in order."""

    lane: Lane
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    chance: random.Random
    counts: Counts
    told: Callable[[], None]
    """Called when something was swallowed or held."""
    holed: bool = False
    """Something of this direction is lost: it can never be whole again."""
    ended: bool = False
    """Its receiver was told that nothing more comes."""
    _waiting: deque[tuple[float, bytes]] = field(default_factory=deque)
    _waiting_bytes: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _due: float = 0.0

    async def run(self) -> None:
        """Carry bytes until the sender has said its last; raises `OSError` if either end breaks."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self._take())
            both.create_task(self._give())

    def end(self) -> None:
        """Tell the receiver that nothing more comes, whatever the sender does."""
        if not self.ended:
            self.ended = True
            self.writer.write_eof()

    async def _take(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                data = await self.reader.read(CHUNK)
            except OSError:
                # In a black hole not even a reset arrives.
                if not self.lane.lost:
                    raise
                data = b""
            if self.lane.lost:
                await self._lose(data)
                continue
            latency = self.lane.delay
            if self.lane.jitter:
                latency += self.chance.uniform(0, self.lane.jitter)
            self._due = max(self._due, loop.time() + latency)
            self._waiting.append((self._due, data))
            self._waiting_bytes += len(data)
            self._changed.set()
            if not data:
                return
            while self._waiting_bytes > IN_FLIGHT:
                await self._change()

    async def _give(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            while not self._waiting:
                await self._change()
            due, data = self._waiting[0]
            await asyncio.sleep(max(0.0, due - loop.time()))
            if not self.lane.flowing.is_set():
                self.counts.bytes_held += len(data)
                self.told()
                await self.lane.flowing.wait()
            if self.lane.lost:
                await self._lose(data)
            elif data:
                await self._write(data)
            else:
                self.end()
                return
            self._waiting.popleft()
            self._waiting_bytes -= len(data)
            self._changed.set()

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    async def _write(self, data: bytes) -> None:
        size = self.lane.piece or len(data)
        for start in range(0, len(data), size):
            if self.ended:
                return
            self.writer.write(data[start : start + size])
            await self.writer.drain()
            if self.lane.piece:
                await asyncio.sleep(self.lane.pause)
        self.counts.passed(self.lane.way, len(data))

    async def _lose(self, data: bytes) -> None:
        self.holed = True
        self.counts.lost(len(data))
        self.told()
        if not data:
            # The farewell is lost too: the other end sees an open connection until this is cut.
            await asyncio.get_running_loop().create_future()


@dataclass(eq=False)
class Link:
    """One connection: who is at its ends, as far as it got, and the task that serves it."""

    client: asyncio.StreamWriter
    server: asyncio.StreamWriter | None = None
    pipes: tuple[Pipe, ...] = ()
    task: asyncio.Task[None] | None = None

    @property
    def holed(self) -> bool:
        """Whether it can never work again."""
        return self.server is None or any(pipe.holed for pipe in self.pipes)

    def reset(self) -> None:
        """Break it off in both directions."""
        for writer in (self.client, self.server):
            if writer is not None:
                _reset(writer)


def _reset(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()
