"""What waits to be written to one bot: bounded by count and by bytes, packed into frames."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass

from kitumaija.server.lobby.connection import Written
from kitumaija.v1 import arena_pb2
from kitumaija.wire.limits import FRAME_TO_BOT_BYTES


@dataclass(slots=True, eq=False)
class _Waiting:
    message: arena_pb2.ServerMessage
    size: int
    written: Written | None


@dataclass(slots=True, eq=False)
class OutgoingFrame:
    """A frame on its way, and who is told when its write returned."""

    frame: arena_pb2.PlayResponse
    written: list[Written]
    messages: int
    size: int


class Outbox:
    """A queue with one reader, the stream's writer task.

    Messages count against the bounds until the write of their frame has returned.
    """

    def __init__(self, *, messages_max: int, bytes_max: int) -> None:
        self.messages_max = messages_max
        self.bytes_max = bytes_max
        self._messages = 0
        self._bytes = 0
        self._waiting: deque[_Waiting] = deque()
        self._closed = False
        self._wanted: asyncio.Future[None] | None = None

    @property
    def waiting(self) -> tuple[int, int]:
        """How many messages wait, and how many bytes they have."""
        return self._messages, self._bytes

    def rebound(self, *, messages_max: int, bytes_max: int) -> None:
        """Set other bounds: the bot's capacity is known now."""
        self.messages_max = messages_max
        self.bytes_max = bytes_max

    def put(self, message: arena_pb2.ServerMessage, written: Written | None = None) -> bool:
        """Queue a message; False, and nothing is queued, if it does not fit the bounds."""
        size = message.ByteSize()
        # A single message may be larger than the bound on bytes: an empty outbox takes it.
        if self._messages and (
            self._messages + 1 > self.messages_max or self._bytes + size > self.bytes_max
        ):
            return False
        self._messages += 1
        self._bytes += size
        self._waiting.append(_Waiting(message, size, written))
        self._wake()
        return True

    def close(self, *, discard: bool = False) -> None:
        """Take no more; what waits is still given out, or is discarded."""
        self._closed = True
        if discard:
            self._waiting.clear()
        self._wake()

    async def frame(self) -> OutgoingFrame | None:
        """Wait for something to write and return as much of it as fits one frame.

        None when the outbox is closed and empty.
        """
        while not self._waiting:
            if self._closed:
                return None
            self._wanted = asyncio.get_running_loop().create_future()
            await self._wanted
        return self._pack()

    def done(self, frame: OutgoingFrame) -> None:
        """Note that the write of a frame has returned."""
        self._messages -= frame.messages
        self._bytes -= frame.size

    def _pack(self) -> OutgoingFrame:
        messages: list[arena_pb2.ServerMessage] = []
        written: list[Written] = []
        size = 0
        while self._waiting and (
            not messages or size + self._waiting[0].size <= FRAME_TO_BOT_BYTES
        ):
            item = self._waiting.popleft()
            messages.append(item.message)
            size += item.size
            if item.written is not None:
                written.append(item.written)
        packed = arena_pb2.PlayResponse(messages=messages)
        return OutgoingFrame(packed, written, len(messages), size)

    def _wake(self) -> None:
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_result(None)
        self._wanted = None
