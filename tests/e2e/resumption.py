"""A bot that comes back to 64 running matches: how long it takes until it has all of them again.

Used by `soak_connections.py`. The server is a process of its own.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.support.autobot import AutoBot
from tests.support.processes import ServerProcess
from tests.support.raw_bot import RawBot

MATCHES = 64
ANSWERS = 40 * MATCHES
"""After so many answers the bot goes, so that there is something to tell it."""
TIMES = 3
EARNED = 6.0
"""After so many seconds a bot with so many matches may come back again, as often as it likes."""
TOURNAMENT = "t"


def resume() -> Iterator[str]:
    """Play, break off and come back; yield lines with the figures. Raises `AssertionError`."""
    with (
        tempfile.TemporaryDirectory(prefix="kitumaija-soak-") as folder,
        ServerProcess(Path(folder) / "data") as server,
    ):
        tokens = server.register("ann", "bob")
        server.run(
            *("tournament", "create", TOURNAMENT, "--seats", "2"),
            *("--rounds", str(MATCHES // 2), "--max-running", str(MATCHES)),
            *("--limit", "per_decision=60s", "--limit", "grace=60s", "--limit", "startup=60s"),
        )
        server.run("tournament", "enter", TOURNAMENT, "ann", "bob")
        server.run("tournament", "start", TOURNAMENT, "--allow-absent")
        found = asyncio.run(_come_back(server.address, tokens))
        server.run("tournament", "watch", TOURNAMENT)
        played = server.read("tournament", "matches", TOURNAMENT)["matches"]
    yield from found
    faults = [seat["faults"] for match in played for seat in match["seats"] if seat["faults"]]
    assert not faults, faults
    yield f"{len(played)} matches played to their ends, without a fault"


async def _come_back(address: str, tokens: dict[str, str]) -> list[str]:
    lines = []
    async with AutoBot(address, tokens["bob"], capacity=MATCHES):
        async with AutoBot(address, tokens["ann"], capacity=MATCHES, answers=ANSWERS) as ann:
            await ann.stuck.wait()
            # All of its matches come to where they wait for it.
            while len(ann.offered) < MATCHES:  # noqa: ASYNC110 - of another process
                await asyncio.sleep(0.1)
        for _ in range(TIMES):
            await asyncio.sleep(EARNED)
            began = time.monotonic()
            size = await _synced(address, tokens["ann"])
            took = time.monotonic() - began
            lines.append(f"{MATCHES} matches of {size // MATCHES} bytes again after {took:.3f} s")
        await asyncio.sleep(EARNED)
        async with AutoBot(address, tokens["ann"], capacity=MATCHES) as ann:
            while len(ann.ended) < MATCHES:  # noqa: ASYNC110 - of another process
                await asyncio.sleep(0.1)
    return lines


async def _synced(address: str, token: str) -> int:
    """Come, wait until every match is told again, and break off; how many bytes that was."""
    size = 0
    async with RawBot(address, token) as bot:
        assert len((await bot.hello(capacity=MATCHES, bot_version="1")).match_ids) == MATCHES
        for _ in range(MATCHES):
            size += (await bot.until("match_sync")).ByteSize()
    return size
