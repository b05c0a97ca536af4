"""A client of the SDK against a scripted server, for the client's tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any

from kitumaija.sdk.bot import BotFactory
from kitumaija.sdk.client import Address, Client, Settings
from kitumaija.sdk.clocks import Clock, real_clock
from kitumaija.sdk.testing import Script, ScriptedServer

SECRET = bytes(range(32))


class Never(Random):
    """Draws nothing: the waits between two dials are as short as can be."""

    def uniform(self, a: float, b: float) -> float:
        return a


def client_for(
    server: ScriptedServer, bot: BotFactory, *, clock: Clock = real_clock, **settings: Any
) -> Client:
    """Return a client of the server, which dials again at once."""
    made = Settings(Address.parse(server.address), token="token")
    return Client(bot, replace(made, **settings), clock=clock, random=Never(), secret=SECRET)


@asynccontextmanager
async def playing(
    bot: BotFactory, *scripts: Script, **settings: Any
) -> AsyncIterator[asyncio.Task[None]]:
    """Run a client against scripts until they have all been played; then stop it.

    Yields the task of the client's `run`, to see what it raises.
    """
    async with ScriptedServer(*scripts) as server:
        client = client_for(server, bot, **settings)
        task = asyncio.create_task(client.run())
        try:
            yield task
            await server.played()
        finally:
            client.stop()
            await asyncio.gather(task, return_exceptions=True)
