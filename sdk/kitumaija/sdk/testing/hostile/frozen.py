"""A path to a server that can become slow, or freeze: then nothing passes any more, and neither end
is told."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from kitumaija.sdk.client.settings import Address

PIECE: Final = 64 * 1024
"""How much is carried at once, in bytes."""


class FreezingPath:
    """Listens on this machine and carries what comes to a server, until it is frozen.

    It keeps nothing but the piece that it carries. Leaving the block closes everything.
    """

    def __init__(self, server: Address) -> None:
        self._server = server
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._open: set[asyncio.Task[None]] = set()
        self._piece = PIECE
        self._pause = 0.0

    @property
    def port(self) -> int:
        """The port that it listens on."""
        port: int = self._listener.sockets[0].getsockname()[1]
        return port

    def freeze(self) -> None:
        """Carry nothing from now on, the end of a connection neither."""
        self._flowing.clear()

    def dribble(self, piece: int, pause: float) -> None:
        """Carry at most so many bytes at once from now on, and wait so many seconds after each."""
        self._piece, self._pause = piece, pause

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._listener.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._carry(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends = [writer]
        try:
            host = self._server.host.strip("[]")
            from_server, to_server = await asyncio.open_connection(host, self._server.port)
            ends.append(to_server)
            ways = [
                asyncio.create_task(self._one_way(reader, to_server)),
                asyncio.create_task(self._one_way(from_server, writer)),
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
        except OSError:
            return  # the server is not there: so hears who dialled
        finally:
            for end in ends:
                end.close()

    async def _one_way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(self._piece):
                await self._flowing.wait()
                writer.write(piece)
                await writer.drain()
                if self._pause:
                    await asyncio.sleep(self._pause)
        await self._flowing.wait()
