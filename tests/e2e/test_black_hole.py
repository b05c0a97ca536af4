"""A line that swallows everything, in real time: both ends notice by themselves."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import grpc.aio

from kitumaija.sdk.client import Address, Client, Settings
from kitumaija.sdk.clocks import real_clock
from kitumaija.v1 import bot_pb2, bot_pb2_grpc
from tests.e2e.test_network import Plain
from tests.support.client import SECRET, Never
from tests.support.processes import ServerProcess
from tests.support.proxy import FaultyProxy
from tests.support.server_costs import ServerCosts

PATIENCE = 60.0


async def test_a_black_hole_is_noticed_at_both_ends_and_the_bot_comes_back_by_its_token(
    tmp_path: Path,
) -> None:
    with ServerProcess(tmp_path / "data") as server:
        token = server.register("ann")["ann"]
        host, _, port = server.address.rpartition(":")
        channel: Any
        async with (
            asyncio.timeout(PATIENCE),
            grpc.aio.insecure_channel(server.address) as channel,
            FaultyProxy(host, int(port), chance=random.Random(1)) as proxy,
        ):
            stub: Any = bot_pb2_grpc.BotServiceStub(channel)

            costs = ServerCosts(server.pid)
            await stub.GetBot(bot_pb2.GetBotRequest(bot_id="ann"))
            sockets = costs.sockets

            async def connected(wanted: bool) -> None:
                """Wait until the server says so."""
                asked = bot_pb2.GetBotRequest(bot_id="ann")
                # The server is another process, and no event of it reaches this one.
                while (await stub.GetBot(asked)).bot.connected is not wanted:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)

            settings = Settings(Address.parse(proxy.address), token)
            client = Client(Plain, settings, clock=real_clock, random=Never(), secret=SECRET)
            run = asyncio.create_task(client.run())
            await connected(True)

            proxy.black_hole()
            await connected(False)
            # Nor does the connection stay that was beneath the stream.
            while costs.sockets > sockets:  # noqa: ASYNC110 - the same
                await asyncio.sleep(0.1)
            # The bot has dialled again, into the same hole.
            await proxy.until(lambda counts: counts.swallowed > 0)
            proxy.heal()
            await connected(True)

            client.stop()
            await run
