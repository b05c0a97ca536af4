"""A TCP proxy that does to connections what networks do: it cuts, swallows, holds up, delays.

It stands between a real server and real bots and knows nothing of what they say:

    async with FaultyProxy(host, port, chance=random.Random(7)) as proxy:
        ...  # dial `proxy.address`
        proxy.black_hole()
        proxy.heal()

What is done to it holds at once, for the connections that are open and for those to come. `UP` is
the way to the server, `DOWN` the way back. `python -m tests.support.proxy HOST:PORT` runs it as a
process of its own, which `ProxyProcess` (`proxy_process.py`) starts and tells what to do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from collections.abc import Callable
from dataclasses import asdict
from types import TracebackType
from typing import Self

from tests.support.proxy_pipes import Counts, Lane, Link, Pipe, Way

__all__ = ["Counts", "FaultyProxy", "Way"]

BACKLOG = 8192
PATIENCE = 60.0
"""How long, in seconds, it is waited for what should be seen at once."""
COMMANDS = (
    *("cut", "drop_connections", "close_half", "black_hole", "hold", "delay", "trickle"),
    *("refuse", "heal", "counts"),
)
"""What the process can be told to do: the names of methods."""


class FaultyProxy:
    """Listens on `address` and passes every connection on to the target, as long as all is well.

    `chance` decides what is left to chance: who is dropped, and how long a jittered delay is.
    """

    def __init__(
        self,
        target_host: str,
        target_port: int,
        *,
        chance: random.Random,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        self.counts = Counts()
        self._target = (target_host, target_port)
        self._listen = (host, port)
        self._chance = chance
        self._links: dict[Link, None] = {}  # in the order in which they came
        self._tasks: set[asyncio.Task[None]] = set()
        self._refusing = False
        self._changed = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._lanes = (Lane(Way.UP), Lane(Way.DOWN))

    async def __aenter__(self) -> Self:
        host, port = self._listen
        for lane in self._lanes:
            lane.flowing.set()
        self._server = await asyncio.start_server(self._accept, host, port, backlog=BACKLOG)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def port(self) -> int:
        """Where it listens."""
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    @property
    def address(self) -> str:
        """What a client dials instead of the server's address."""
        return f"{self._listen[0]}:{self.port}"

    @property
    def live(self) -> int:
        """How many connections are open, those in a black hole too."""
        return len(self._links)

    async def until(self, reached: Callable[[Counts], bool]) -> None:
        """Wait until the counts of connections and of losses are as wanted."""
        async with asyncio.timeout(PATIENCE):
            while not reached(self.counts):
                self._changed.clear()
                await self._changed.wait()

    # Faults

    def cut(self) -> int:
        """Reset every connection, in both directions; return how many."""
        return self._cut(list(self._links))

    def drop_connections(self, fraction: float) -> int:
        """Reset each connection with this probability; return how many were."""
        return self._cut([link for link in self._links if self._chance.random() < fraction])

    def close_half(self, way: Way = Way.UP) -> None:
        """Say the end of `way` on every connection, and go on carrying the other direction."""
        for link in self._links:
            for pipe in link.pipes:
                if pipe.lane.way & way:
                    pipe.end()

    def black_hole(self, way: Way = Way.BOTH) -> None:
        """Swallow everything that goes this way: bytes, farewells and resets. Nobody is told.

        A new connection is accepted, and the server does not hear of it.
        """
        for lane in self._of(way):
            lane.lost = True

    def hold(self, way: Way = Way.BOTH) -> None:
        """Keep what goes this way until `heal`: a link that is down while TCP keeps trying."""
        for lane in self._of(way):
            lane.flowing.clear()

    def delay(self, seconds: float, way: Way = Way.BOTH, *, jitter: float = 0.0) -> None:
        """Let everything that goes this way take so long, and up to `jitter` more; 0 ends it.

        What is on its way already keeps its time, and nothing overtakes.
        """
        for lane in self._of(way):
            lane.delay, lane.jitter = seconds, jitter

    def trickle(self, piece: int, pause: float = 0.0, way: Way = Way.BOTH) -> None:
        """Write at most `piece` bytes at a time, `pause` seconds apart; 0 ends it."""
        for lane in self._of(way):
            lane.piece, lane.pause = piece, pause

    def refuse(self) -> None:
        """Reset new connections at once; those that are open stay."""
        self._refusing = True

    def heal(self) -> None:
        """Be a good proxy from now on.

        What was held goes on. A connection of which something was swallowed can never be whole
        again: it is reset, as by a router that came back and knows nothing of it.
        """
        self._refusing = False
        self._cut([link for link in self._links if link.holed])
        self.delay(0.0)
        self.trickle(0)
        for lane in self._lanes:
            lane.lost = False
            lane.flowing.set()

    # Connections

    def _of(self, way: Way) -> list[Lane]:
        return [lane for lane in self._lanes if lane.way & way]

    def _cut(self, links: list[Link]) -> int:
        for link in links:
            link.reset()
            self._links.pop(link, None)
            if link.task is not None:
                link.task.cancel()
        self.counts.cut += len(links)
        self._changed.set()
        return len(links)

    def _accept(self, from_client: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        link = Link(client)
        link.task = asyncio.get_running_loop().create_task(self._serve(link, from_client))
        self._links[link] = None
        self._tasks.add(link.task)
        link.task.add_done_callback(self._tasks.discard)

    async def _serve(self, link: Link, from_client: asyncio.StreamReader) -> None:
        try:
            await self._pass_on(link, from_client)
        except* OSError:
            # An end broke the connection, or there is no server: so hears the other end.
            link.reset()
        finally:
            self._links.pop(link, None)
            for writer in (link.client, link.server):
                if writer is not None:
                    writer.close()

    async def _pass_on(self, link: Link, from_client: asyncio.StreamReader) -> None:
        if self._refusing:
            self.counts.refused += 1
            self._changed.set()
            link.reset()
            return
        up, down = self._lanes
        if up.lost:
            self.counts.swallowed += 1
            self._changed.set()
            await asyncio.get_running_loop().create_future()
        try:
            from_server, link.server = await asyncio.open_connection(*self._target)
        except OSError:
            self.counts.refused += 1
            self._changed.set()
            raise
        self.counts.opened += 1
        self._changed.set()
        link.pipes = (
            Pipe(up, from_client, link.server, self._chance, self.counts, self._changed.set),
            Pipe(down, from_server, link.client, self._chance, self.counts, self._changed.set),
        )
        async with asyncio.TaskGroup() as both:
            for pipe in link.pipes:
                both.create_task(pipe.run())


async def obey(target: tuple[str, int], listen: tuple[str, int], chance: random.Random) -> None:
    """Run a proxy that is told what to do on standard input, a JSON object a line.

    `{"do": "delay", "seconds": 0.2, "way": "UP"}` calls the method; the answer is a line with the
    counts and with what is live. The first line of all is the address. It ends with the input.
    """
    loop = asyncio.get_running_loop()
    host, port = listen
    async with FaultyProxy(*target, chance=chance, host=host, port=port) as proxy:
        _print({"address": proxy.address})
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            said = json.loads(line)
            command = said.pop("do")
            if command not in COMMANDS:
                raise SystemExit(f"got {command!r}, wanted one of {', '.join(COMMANDS)}")
            if "way" in said:
                said["way"] = Way[said["way"]]
            if command != "counts":
                getattr(proxy, command)(**said)
            _print(asdict(proxy.counts) | {"live": proxy.live})


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description="a TCP proxy that does what networks do")
    parser.add_argument("target", type=_address, help="HOST:PORT of the server")
    parser.add_argument("--listen", type=_address, default=("127.0.0.1", 0), help="HOST:PORT")
    parser.add_argument("--seed", default="0", help="what chance is made from")
    arguments = parser.parse_args()
    asyncio.run(obey(arguments.target, arguments.listen, random.Random(arguments.seed)))


def _print(said: object) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    return host, int(port)


if __name__ == "__main__":
    main()
