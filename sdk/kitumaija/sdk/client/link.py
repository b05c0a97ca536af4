"""One stream to the server: a reader, a writer, and the session machine between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import NamedTuple, Protocol

import grpc.aio

from kitumaija.sdk.clocks import Clock, nanoseconds
from kitumaija.v1 import arena_pb2
from kitumaija.wire.frames import pack_bot_frames
from kitumaija.wire.kinds import Kind, Message
from kitumaija.wire.session import Role, Session, StreamState


class Call(Protocol):
    """What a link needs of a call of `Play`."""

    async def read(self) -> object:
        """Return the next frame, or `grpc.aio.EOF`."""

    async def write(self, request: arena_pb2.PlayRequest) -> None:
        """Send a frame."""

    async def done_writing(self) -> None:
        """Say that nothing more will be sent."""

    def cancel(self) -> object:
        """End the call at once."""


class Silence(Exception):
    """Nothing was heard of the server for too long."""


class Heard(NamedTuple):
    """A message, and when it was read: nanoseconds of the client's clock."""

    kind: Kind
    message: Message
    at: int


class Link:
    """One stream. `send` may be called at any time; `heard` is read by one reader, to the end."""

    def __init__(self, call: Call, clock: Clock, silence: timedelta) -> None:
        self._call = call
        self._clock = clock
        self._session = Session(Role.BOT)
        self._silence = nanoseconds(silence)
        self._heard_at = clock()
        self._silent = False
        self._outbox: list[arena_pb2.BotMessage] = []
        self._more = asyncio.Event()
        self._leaving = False
        self._writer = asyncio.create_task(self._write(), name="kitumaija-writer")
        self._watch = asyncio.create_task(self._watch_silence(), name="kitumaija-watch")

    def send(self, message: arena_pb2.BotMessage) -> None:
        """Send a message with the next frame; after the stream's end, or Goodbye, do nothing.

        Raises `LocalProtocolError` for a message that may not be sent now.
        """
        if self._session.state in (StreamState.CLOSED, StreamState.LEAVING):
            return
        self._session.sent(message)
        self._outbox.append(message)
        self._more.set()

    def leave(self, reason: str) -> None:
        """Say Goodbye and end our side of the stream; the server then ends its own."""
        self.send(arena_pb2.BotMessage(goodbye=arena_pb2.Goodbye(reason=reason)))
        self._leaving = True
        self._more.set()

    async def heard(self) -> AsyncIterator[Heard]:
        """Yield the messages of the server, to the stream's end.

        Raises `grpc.aio.AioRpcError` where it ends with an error, `Silence` where nothing comes any
        more, and `RemoteProtocolError` where the server breaks the protocol.
        """
        try:
            while True:
                frame = await self._call.read()
                at = self._heard_at = self._clock()
                if not isinstance(frame, arena_pb2.PlayResponse):
                    return
                for kind, message in self._session.received_frame(frame):
                    yield Heard(kind, message, at)
        except (grpc.aio.AioRpcError, asyncio.CancelledError):
            if self._silent:
                raise Silence from None
            raise
        finally:
            self._session.closed()

    async def close(self) -> None:
        """End the stream, if it has not ended, and both tasks."""
        self._session.closed()
        self._call.cancel()
        self._watch.cancel()
        self._writer.cancel()
        await asyncio.gather(self._watch, self._writer, return_exceptions=True)

    async def _write(self) -> None:
        """Write what waits, all of it in as few frames as hold it, until the end."""
        try:
            while True:
                await self._more.wait()
                self._more.clear()
                waiting, self._outbox = self._outbox, []
                for frame in pack_bot_frames(waiting):
                    await self._call.write(frame)
                if self._leaving and not self._outbox:
                    await self._call.done_writing()
                    return
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            # The stream has ended; the reader hears why.
            return

    async def _watch_silence(self) -> None:
        """End the stream when nothing was heard for too long; the server pings all the time."""
        while True:
            left = self._silence - (self._clock() - self._heard_at)
            if left <= 0:
                self._silent = True
                self._call.cancel()
                return
            await asyncio.sleep(left / 1e9)
