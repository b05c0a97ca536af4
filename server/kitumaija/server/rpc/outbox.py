"""What waits to be written to one bot: bounded by count and by bytes, packed into frames."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass

from kitumaija.server.lobby.connection import Delivery
from kitumaija.server.match.values import Nanos
from kitumaija.v1 import arena_pb2
from kitumaija.wire.limits import FRAME_TO_BOT_BYTES


@dataclass(slots=True, eq=False)
class _Waiting:
    message: arena_pb2.ServerMessage
    size: int
    asks: bool
    delivery: Delivery | None


@dataclass(slots=True, eq=False)
class OutgoingFrame:
    """A frame on its way, who is told when its write returned, and how many decisions it holds."""

    frame: arena_pb2.PlayResponse
    deliveries: list[Delivery]
    messages: int
    decisions: int
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
        self._asking = 0
        self._held = False
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

    @property
    def asks(self) -> bool:
        """Whether a decision waits."""
        return self._asking > 0

    def put(
        self,
        message: arena_pb2.ServerMessage,
        delivery: Delivery | None = None,
        *,
        asks: bool = False,
    ) -> bool:
        """Queue a message; False, and nothing is queued, if it does not fit the bounds.

        `asks` is for a decision.
        """
        size = message.ByteSize()
        # A single message may be larger than the bound on bytes: an empty outbox takes it.
        if self._messages and (
            self._messages + 1 > self.messages_max or self._bytes + size > self.bytes_max
        ):
            return False
        self._messages += 1
        self._bytes += size
        self._asking += asks
        self._waiting.append(_Waiting(message, size, asks, delivery))
        if self._held and delivery is not None:
            delivery.held()
        self._wake()
        return True

    def close(self, *, discard: bool = False) -> None:
        """Take no more; what waits is still given out, or is discarded."""
        self._closed = True
        if discard:
            self._waiting.clear()
            self._asking = 0
        self._wake()

    async def ready(self) -> bool:
        """Wait for something to write; False when the outbox is closed and empty."""
        while not self._waiting:
            if self._closed:
                return False
            self._wanted = asyncio.get_running_loop().create_future()
            await self._wanted
        return True

    def hold(self) -> None:
        """Say that what waits, and what comes, is kept back by the server, until `release`."""
        self._held = True
        for item in self._waiting:
            if item.delivery is not None:
                item.delivery.held()

    def release(self, at: Nanos) -> None:
        """Say that nothing is kept back any more."""
        if not self._held:
            return
        self._held = False
        for item in self._waiting:
            if item.delivery is not None:
                item.delivery.released(at)

    def pack(self, decisions: int) -> OutgoingFrame:
        """Return as much of what waits as fits one frame, with so many decisions at most."""
        messages: list[arena_pb2.ServerMessage] = []
        deliveries: list[Delivery] = []
        size = asked = 0
        waiting = self._waiting
        while waiting and (not messages or size + waiting[0].size <= FRAME_TO_BOT_BYTES):
            if waiting[0].asks:
                if asked == decisions:
                    break
                asked += 1
            item = waiting.popleft()
            messages.append(item.message)
            size += item.size
            if item.delivery is not None:
                deliveries.append(item.delivery)
        self._asking -= asked
        packed = arena_pb2.PlayResponse(messages=messages)
        return OutgoingFrame(packed, deliveries, len(messages), asked, size)

    def done(self, frame: OutgoingFrame) -> None:
        """Note that the write of a frame has returned."""
        self._messages -= frame.messages
        self._bytes -= frame.size

    def _wake(self) -> None:
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_result(None)
        self._wanted = None
