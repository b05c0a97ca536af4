"""A client of HTTP/2 by hand, with a window as small as one likes, that never reads.

gRPC's own clients read behind one's back and answer for one; this one does only what it is told.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Sequence
from enum import IntEnum
from types import TracebackType
from typing import Self

from google.protobuf.message import Message

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
INITIAL_WINDOW_SIZE = 0x4
ACK, END_STREAM, END_HEADERS = 0x1, 0x1, 0x4
STREAM = 1


class FrameType(IntEnum):
    """The frames that are sent or understood here (RFC 9113, section 6)."""

    DATA = 0x0
    HEADERS = 0x1
    RST_STREAM = 0x3
    SETTINGS = 0x4
    PING = 0x6
    GOAWAY = 0x7
    WINDOW_UPDATE = 0x8
    CONTINUATION = 0x9


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


def frame(kind: FrameType, flags: int, stream: int, payload: bytes) -> bytes:
    """Return a frame."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def preface(window: int) -> bytes:
    """Return what a client says first; the server may send `window` bytes on each stream."""
    settings = struct.pack(">HI", INITIAL_WINDOW_SIZE, window)
    return PREFACE + frame(FrameType.SETTINGS, 0, 0, settings)


def request_headers(method: str, token: str = "") -> bytes:
    """Return the frame that begins the call of a method, as `/package.Service/Method`."""
    headers = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", method),
        (":authority", "test"),
        ("te", "trailers"),
        ("content-type", "application/grpc"),
    ]
    if token:
        headers.append(("authorization", f"Bearer {token}"))
    block = b"".join(_literal(name, value) for name, value in headers)
    return frame(FrameType.HEADERS, END_HEADERS, STREAM, block)


def data_frame(message: Message) -> bytes:
    """Return the frame with a message of the call, which must be small enough for one."""
    data = message.SerializeToString()
    return frame(FrameType.DATA, 0, STREAM, struct.pack(">BI", 0, len(data)) + data)


def _literal(name: str, value: str) -> bytes:
    """A header that no table knows (RFC 7541, section 6.2.2), short enough for one byte of size."""
    parts: Sequence[bytes] = (name.encode(), value.encode())
    assert all(len(part) < 127 for part in parts)
    return b"\x00" + b"".join(bytes([len(part)]) + part for part in parts)
