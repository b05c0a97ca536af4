"""A call of gRPC on a connection of its own that costs next to nothing, so that one process has
thousands.

gRPC's own client takes a millisecond for each message that it hears; thousands of bots in a process
of it starve, and their silence looks like the server's mistake.
"""

from __future__ import annotations

import asyncio
import ssl
import struct
from collections.abc import Callable
from typing import Self, cast

from google.protobuf.message import Message

from kitumaija.server.bench.http2 import (
    ACK,
    END_STREAM,
    STREAM,
    FrameType,
    data_frame,
    frame,
    preface,
    request_headers,
)
from kitumaija.v1 import arena_pb2

PLAY = "/kitumaija.v1.ArenaService/Play"
_HEADER = 9
_PREFIX = 5
_WINDOW_AT_FIRST = 65_535
WINDOW_MAX = 2**31 - 1


class LightCall(asyncio.Protocol):
    """One call. It answers what HTTP/2 asks, so the connection lives; `hear` gets each message.

    `window` is how many bytes the server may send at all: with a small one this is a caller who is
    there and never reads. `begun` is done when the server has begun to answer, `ended` when it, or
    the network, has ended the call.
    """

    def __init__(
        self,
        method: str,
        *messages: Message,
        token: str = "",
        window: int = WINDOW_MAX,
        hear: Callable[[LightCall, bytes], None] = lambda call, message: None,
    ) -> None:
        self._first = preface(window)
        if window > _WINDOW_AT_FIRST:
            more = struct.pack(">I", window - _WINDOW_AT_FIRST)
            self._first += frame(FrameType.WINDOW_UPDATE, 0, 0, more)
        self._first += request_headers(method, token)
        self._first += b"".join(data_frame(message) for message in messages)
        self._hear = hear
        self._transport: asyncio.WriteTransport | None = None
        self._came = bytearray()
        self._data = bytearray()
        loop = asyncio.get_running_loop()
        self.begun: asyncio.Future[None] = loop.create_future()
        self.ended: asyncio.Future[None] = loop.create_future()

    async def dial(
        self, address: str, *, come_from: str = "", tls: ssl.SSLContext | None = None
    ) -> Self:
        """Connect to HOST:PORT and begin the call; `come_from` is an address of this machine."""
        host, _, port = address.removeprefix("https://").rpartition(":")
        await asyncio.get_running_loop().create_connection(
            lambda: self,
            host,
            int(port),
            ssl=tls,
            local_addr=(come_from, 0) if come_from else None,
        )
        return self

    def say(self, message: Message) -> None:
        """Send a message, if the call has not ended."""
        self._write(data_frame(message))

    def read_on(self) -> None:
        """Read what has been sent, and everything from now on."""
        more = struct.pack(">I", WINDOW_MAX // 2)
        self._write(frame(FrameType.WINDOW_UPDATE, 0, STREAM, more))

    def close(self) -> None:
        """Break the connection off."""
        if self._transport is not None:
            self._transport.abort()

    # Of asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the call."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._first)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end."""
        self._end()

    def data_received(self, data: bytes) -> None:
        """Take all frames that are whole."""
        came = self._came
        came += data
        at = 0
        while len(came) - at >= _HEADER:
            size = int.from_bytes(came[at : at + 3], "big")
            end = at + _HEADER + size
            if len(came) < end:
                break
            stream = int.from_bytes(came[at + 5 : at + _HEADER], "big")
            self._take(came[at + 3], came[at + 4], stream, bytes(came[at + _HEADER : end]))
            at = end
        del came[:at]

    # Within

    def _take(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == FrameType.DATA:
            self._data += payload
            self._messages()
        elif kind in (FrameType.SETTINGS, FrameType.PING) and not flags & ACK:
            answer = payload if kind == FrameType.PING else b""
            self._write(frame(FrameType(kind), ACK, 0, answer))
        elif kind == FrameType.HEADERS and not self.begun.done():
            self.begun.set_result(None)
        elif kind in (FrameType.GOAWAY, FrameType.RST_STREAM):
            self._end()
        if kind in (FrameType.DATA, FrameType.HEADERS) and stream == STREAM and flags & END_STREAM:
            self._end()

    def _messages(self) -> None:
        data = self._data
        while len(data) >= _PREFIX:
            end = _PREFIX + int.from_bytes(data[1:_PREFIX], "big")
            if len(data) < end:
                return
            message = bytes(data[_PREFIX:end])
            del data[:end]
            self._hear(self, message)

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self.ended.done():
            self._transport.write(data)

    def _end(self) -> None:
        if not self.ended.done():
            self.ended.set_result(None)


class IdleBot:
    """A bot that says Hello and then nothing but what it is asked by Pings."""

    def __init__(self, token: str) -> None:
        hello = arena_pb2.BotMessage(hello=arena_pb2.Hello())
        self.call = LightCall(
            PLAY, arena_pb2.PlayRequest(messages=[hello]), token=token, hear=self._heard
        )
        self._welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def come(
        self, address: str, *, come_from: str = "", tls: ssl.SSLContext | None = None
    ) -> bool:
        """Connect, as `LightCall.dial` does; whether it was welcomed, and not refused."""
        try:
            await self.call.dial(address, come_from=come_from, tls=tls)
        except OSError:
            return False
        await asyncio.wait((self._welcomed, self.call.ended), return_when=asyncio.FIRST_COMPLETED)
        return self._welcomed.done()

    @property
    def lost(self) -> bool:
        """Whether its stream has ended."""
        return self.call.ended.done()

    def _heard(self, call: LightCall, message: bytes) -> None:
        pongs = []
        for said in arena_pb2.PlayResponse.FromString(message).messages:
            if said.HasField("welcome"):
                self._welcomed.set_result(None)
            elif said.HasField("ping"):
                pong = arena_pb2.Pong(nonce=said.ping.nonce)
                pongs.append(arena_pb2.BotMessage(pong=pong))
        if pongs:
            call.say(arena_pb2.PlayRequest(messages=pongs))
