"""The path that freezes, between a client and a server that echoes."""

from __future__ import annotations

import asyncio

from kitumaija.sdk.client.settings import Address
from kitumaija.sdk.testing.hostile.frozen import FreezingPath
from tests.support.raw_bot import PATIENCE


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(100):
        writer.write(data)
    writer.close()


async def test_it_carries_both_ways_until_it_is_frozen_and_then_not_even_an_end() -> None:
    server = await asyncio.start_server(_echo, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with (
        server,
        asyncio.timeout(PATIENCE),
        FreezingPath(Address("127.0.0.1", port, tls=False)) as path,
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", path.port)
        writer.write(b"hello")
        assert await reader.readexactly(5) == b"hello"

        path.freeze()
        writer.write(b"lost")
        writer.write_eof()
        heard = asyncio.create_task(reader.read())
        done, _ = await asyncio.wait({heard}, timeout=0.3)

        assert not done
        heard.cancel()
        writer.close()


async def test_a_server_that_is_not_there_ends_the_connection() -> None:
    nobody = await asyncio.start_server(_echo, "127.0.0.1", 0)
    port = nobody.sockets[0].getsockname()[1]
    nobody.close()
    await nobody.wait_closed()
    async with (
        asyncio.timeout(PATIENCE),
        FreezingPath(Address("127.0.0.1", port, tls=False)) as path,
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", path.port)

        assert await reader.read() == b""
        writer.close()
