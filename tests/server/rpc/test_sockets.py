"""Connections on which nobody calls: so many an address, and those in use are left alone."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest

from tests.support.arena import running_arena
from tests.support.raw_bot import PATIENCE

pytestmark = pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="no list of open files")

MOST = 20
EXCESS = 3


class Idle:
    """A connection on which nothing is said."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.ended = asyncio.create_task(_ended(reader))

    @classmethod
    async def connect(cls, address: str, source: str) -> Idle:
        """Connect to an address from another."""
        host, _, port = address.rpartition(":")
        return cls(*await asyncio.open_connection(host, int(port), local_addr=(source, 0)))

    def close(self) -> None:
        self.ended.cancel()
        self._writer.close()


async def _ended(reader: asyncio.StreamReader) -> None:
    """Wait until the server has closed a connection; it says what HTTP/2 says first."""
    with suppress(ConnectionResetError):
        while await reader.read(1024):
            pass


async def test_of_an_address_only_so_many_idle_connections_are_kept(tmp_path: Path) -> None:
    async with AsyncExitStack() as opened:
        arena = await opened.enter_async_context(
            running_arena(tmp_path / "data", connections_per_address=MOST)
        )

        async def connect(source: str, count: int) -> list[Idle]:
            made = [await Idle.connect(arena.app.address, source) for _ in range(count)]
            for one in made:
                opened.callback(one.close)
            return made

        bot = await arena.connect("ann")
        others = await connect("127.0.0.2", MOST)
        here = await connect("127.0.0.1", MOST - 1)
        arena.advance(2_001)
        await bot.heard()
        assert not any(one.ended.done() for one in (*others, *here))

        here += await connect("127.0.0.1", EXCESS)
        async with asyncio.timeout(PATIENCE):
            while sum(one.ended.done() for one in here) < EXCESS:
                arena.advance(2_001)  # which is not looked at while the last look goes on
                await bot.heard()
        for _ in range(3):
            arena.advance(2_001)
            await bot.heard()

        assert sum(one.ended.done() for one in here) == EXCESS
        assert not any(one.ended.done() for one in others)
        await bot.heard()
