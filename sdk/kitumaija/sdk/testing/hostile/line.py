"""A raw stream to a server: it sends whatever it is told to, well formed or not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Final, Self

from kitumaija.sdk.client.channel import open_channel
from kitumaija.sdk.client.settings import Settings
from kitumaija.v1 import arena_pb2
from kitumaija.wire.kinds import Kind, kind_of
from kitumaija.wire.limits import UNARY_BYTES_MAX
from kitumaija.wire.truthful import truthful

LONGEST_FRAME: Final = UNARY_BYTES_MAX
"""The most that is ever sent at once, in bytes: far above what a server takes, and no harm here."""

_PLAY: Final = f"/{arena_pb2.DESCRIPTOR.services_by_name['ArenaService'].full_name}/Play"


class Line:
    """One stream. Nothing is checked: what the protocol forbids can be said on it.

    Leaving the block breaks the stream off, as the death of a process does.
    """

    def __init__(self, settings: Settings) -> None:
        self._channel = open_channel(settings, frame_bytes=LONGEST_FRAME)
        # Bytes go out as they are, so that they need not be a frame.
        play = self._channel.stream_stream(
            _PLAY,
            request_serializer=bytes,
            response_deserializer=arena_pb2.PlayResponse.FromString,
        )
        self._call: Any = truthful(play(metadata=(("authorization", f"Bearer {settings.token}"),)))
        self._writing = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._call.cancel()
        await self._channel.close()

    async def say(self, *messages: arena_pb2.BotMessage) -> None:
        """Send messages in one frame."""
        await self.send(arena_pb2.PlayRequest(messages=messages).SerializeToString())

    async def send(self, frame: bytes) -> None:
        """Send bytes as a frame. Raises `grpc.aio.AioRpcError` if the stream has ended."""
        async with self._writing:
            try:
                await self._call.write(frame)
            except asyncio.InvalidStateError:
                # The stream has ended; why is told by what raises next.
                await self._raise_end()

    async def heard(self) -> AsyncIterator[tuple[Kind, Any]]:
        """Yield what the server says, to the stream's end.

        Raises `grpc.aio.AioRpcError` where it ends with an error.
        """
        while True:
            frame = await self._call.read()
            if not isinstance(frame, arena_pb2.PlayResponse):
                return
            for message in frame.messages:
                kind = kind_of(message)
                if kind is not Kind.UNKNOWN:
                    yield kind, getattr(message, kind.value)

    async def _raise_end(self) -> None:
        await self._call.read()
