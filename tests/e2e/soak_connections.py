"""Thousands of bots that come to a server at once, all of whom are welcomed, and what they cost.

Run `python -m tests.e2e.soak_connections --bots 5000`. The server is a process of its own, the bots
live in this one. It ends with status 1 if one of them is not welcomed at its first try, or loses
its stream while nothing is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import grpc

from kitumaija.server.ids import token_hash
from kitumaija.server.settings import ServerSettings
from kitumaija.server.store import BotRow, Store, bots
from kitumaija.v1 import arena_pb2
from tests.support.processes import ServerProcess
from tests.support.raw_bot import RawBot

DOOR = 200
IDLE_FOR = 20


class Broken(Exception):
    """A promise is broken; the text says which."""


@dataclass
class Server:
    """A server process with bots whose tokens are their names."""

    process: ServerProcess

    @property
    def address(self) -> str:
        """What to dial."""
        return self.process.address

    @property
    def rss(self) -> int:
        """Its resident memory in bytes."""
        status = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii")
        return int(status.split()[1]) * os.sysconf("SC_PAGE_SIZE")

    @property
    def sockets(self) -> int:
        """How many descriptors it has open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    @property
    def cpu(self) -> float:
        """How many seconds of a core it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii")
        times = fields.rpartition(")")[2].split()[11:13]
        return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def serving(names: Sequence[str]) -> AsyncIterator[Server]:
    """Run a server that knows these bots."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        now = datetime.now(tz=UTC)
        with Store.open(ServerSettings.load(data=data).store_at) as store, store.write() as tx:
            for name in names:
                bots.add(tx, BotRow(name, name, name, token_hash(name), now))
        process = ServerProcess(data)
        await asyncio.to_thread(process.start)
        try:
            yield Server(process)
        finally:
            process.kill()


def say(part: str, text: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{part}: {text}\n")
    sys.stdout.flush()


async def _greet(bot: RawBot, door: asyncio.Semaphore) -> None:
    """Say Hello and wait for the Welcome, however long this process takes over it."""
    async with door:
        await _say_hello(bot)


async def _say_hello(bot: RawBot) -> None:
    await bot.say(arena_pb2.BotMessage(hello=arena_pb2.Hello()))
    frame = await bot.call.read()
    if not isinstance(frame, arena_pb2.PlayResponse) or not frame.messages[0].HasField("welcome"):
        raise Broken(f"got {frame} for a Welcome")


class Crowd:
    """Bots that are connected and do nothing but answer Pings."""

    def __init__(self, address: str, names: Sequence[str]) -> None:
        self._bots = [RawBot(address, name) for name in names]
        self._reading: list[asyncio.Task[None]] = []
        self.lost = 0

    async def come(self) -> float:
        """Open all streams as fast as this process can; return how many seconds it took.

        Raises `Broken` if one of them is not welcomed at the first try.
        """
        # So many handshakes at once that this process can keep up with its own.
        door = asyncio.Semaphore(DOOR)
        start = time.monotonic()
        welcomed = await asyncio.gather(
            *(_greet(bot, door) for bot in self._bots), return_exceptions=True
        )
        took = time.monotonic() - start
        failed = [repr(each) for each in welcomed if isinstance(each, BaseException)]
        if failed:
            raise Broken(f"{len(failed)} of {len(self._bots)} were not welcomed: {failed[0]}")
        self._reading = [asyncio.create_task(self._read(bot)) for bot in self._bots]
        return took

    async def go(self) -> None:
        """Break all connections off."""
        for task in self._reading:
            task.cancel()
        await asyncio.gather(*self._reading, return_exceptions=True)
        for bot in self._bots:
            await bot.close()

    async def _read(self, bot: RawBot) -> None:
        try:
            while isinstance(frame := await bot.call.read(), arena_pb2.PlayResponse):
                pongs = [
                    arena_pb2.BotMessage(pong=arena_pb2.Pong(nonce=message.ping.nonce))
                    for message in frame.messages
                    if message.HasField("ping")
                ]
                if pongs:
                    await bot.say(*pongs)
        except (grpc.RpcError, asyncio.InvalidStateError):
            pass
        self.lost += 1


async def burst(count: int) -> None:
    """`count` bots come at once: none is refused, and what they cost is measured."""
    names = [f"bot-{number}" for number in range(count)]
    async with serving(names) as server:
        before, sockets = server.rss, server.sockets
        crowd = Crowd(server.address, names)
        cpu = server.cpu
        took = await crowd.come()
        say("burst", f"the server worked {server.cpu - cpu:.1f} s for it")
        each = (server.rss - before) / count / 1024
        say("burst", f"{count} bots welcomed in {took:.1f} s, {count / took:.0f}/s")
        say("burst", f"{each:.0f} KiB of the server's memory a bot, {server.sockets - sockets} fds")
        cpu = server.cpu
        await asyncio.sleep(IDLE_FOR)
        say("burst", f"idle: {(server.cpu - cpu) / IDLE_FOR:.0%} of a core; {crowd.lost} lost")
        if crowd.lost:
            raise Broken(f"{crowd.lost} streams ended while nothing was wrong")
        await crowd.go()


def main() -> int:
    """Run with the number of bots asked for; return the exit status."""
    parser = argparse.ArgumentParser(description="thousands of bots come to a server at once")
    parser.add_argument("--bots", type=int, default=5_000, help="how many (default: 5000)")
    try:
        asyncio.run(burst(parser.parse_args().bots))
    except Broken as error:
        say("broken", str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
