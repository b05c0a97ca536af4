"""A client of HTTP/2 by hand, with a window as small as one likes, that never reads.

gRPC's own clients read behind one's back and answer for one; this one does only what it is told.
"""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self

from google.protobuf.message import Message

from kitumaija.server.bench.http2 import (
    END_STREAM,
    STREAM,
    FrameType,
    data_frame,
    frame,
    preface,
    request_headers,
)


class DeafClient:
    """One connection with one call on it. `window` is how many bytes the server may send at all."""

    def __init__(self, address: str, *, window: int = 65_535) -> None:
        self._host, _, port = address.rpartition(":")
        self._port = int(port)
        self._window = window
        self._writer: asyncio.StreamWriter | None = None

    async def __aenter__(self) -> Self:
        # A small buffer: what is not read stays with the sender.
        _, self._writer = await asyncio.open_connection(self._host, self._port, limit=1024)
        await self._send(preface(self._window))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._writer is not None
        self._writer.close()

    async def call(
        self, method: str, *messages: Message, token: str = "", last: bool = True
    ) -> None:
        """Begin the call of a method, as `/package.Service/Method`, and send messages on it.

        `last`: nothing more will be said.
        """
        await self._send(request_headers(method, token))
        await self.say(*messages)
        if last:
            await self._send(frame(FrameType.DATA, END_STREAM, STREAM, b""))

    async def say(self, *messages: Message) -> None:
        """Send messages on the call, each small enough for a frame."""
        for message in messages:
            await self._send(data_frame(message))

    async def _send(self, data: bytes) -> None:
        assert self._writer is not None
        self._writer.write(data)
        await self._writer.drain()
