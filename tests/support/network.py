"""A real server, real clients of the SDK, and a network between them that does what it is told."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kitumaija.sdk.bot import BotFactory
from kitumaija.sdk.client import Address, Client, Settings
from kitumaija.sdk.clocks import real_clock
from tests.support.arena import Arena, running_arena
from tests.support.client import SECRET, Never
from tests.support.proxy import FaultyProxy


@dataclass
class Network:
    """A server whose clock stands still, and the proxy through which it is dialled."""

    arena: Arena
    proxy: FaultyProxy
    _running: dict[asyncio.Task[None], Client] = field(default_factory=dict)

    def play(self, bot_id: str, bot: BotFactory, *, address: str = "", **settings: Any) -> None:
        """Have a client of the SDK play, through the proxy unless another address is given.

        It dials again at once.
        """
        token = self.arena.tokens.get(bot_id) or self.arena.register(bot_id)
        chosen = Settings(Address.parse(address or self.proxy.address), token, **settings)
        client = Client(bot, chosen, clock=real_clock, random=Never(), secret=SECRET)
        task = asyncio.create_task(client.run())
        self._running[task] = client

    async def stop(self) -> None:
        """Stop all clients, which say Goodbye."""
        for client in self._running.values():
            client.stop()
        await asyncio.gather(*self._running, return_exceptions=True)


@asynccontextmanager
async def networked(data: Path, **settings: Any) -> AsyncIterator[Network]:
    """Run a server and a proxy before it."""
    async with (
        running_arena(data, **settings) as arena,
        FaultyProxy("127.0.0.1", arena.app.port, chance=random.Random(1)) as proxy,
    ):
        network = Network(arena, proxy)
        try:
            yield network
        finally:
            proxy.heal()
            await network.stop()
