"""Thousands of bots that are there and do not play, in processes of their own.

`python -m tests.support.crowd` is such a process. It reads a line of JSON from standard input,
`{"address": ..., "tokens": [...], "door": N, "come_from": ...}`, has the bots come, N at a time,
and prints how many were welcomed and how long it took. For every further line it prints how many
have been lost since; it ends with the input, so it never outlives who started it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from kitumaija.server.bench.crowd import Arrival, Crowd, arrive
from kitumaija.server.bench.light import IdleBot
from tests.support.told_process import ToldProcess


class CrowdProcess(ToldProcess):
    """A crowd as a process; `door` is how many of its bots may be on their way in at a time.

    They come from the address `come_from`, for a server takes no more than so many from one.
    """

    module = "tests.support.crowd"

    def __init__(
        self, address: str, tokens: Sequence[str], *, door: int, come_from: str = "127.0.0.1"
    ) -> None:
        super().__init__()
        self._said = {
            "address": address,
            "tokens": tokens,
            "door": door,
            "come_from": come_from,
        }

    def send(self) -> None:
        """Have the bots come; `arrived` waits for them."""
        self._tell(self._said)

    def arrived(self) -> Arrival:
        """Wait until every bot was welcomed or refused."""
        return Arrival(**self._hear())

    def lost(self) -> int:
        """How many of the bots have no stream any more."""
        self._tell({})
        found: int = self._hear()["lost"]
        return found


async def _main() -> None:
    loop = asyncio.get_running_loop()
    said = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    crowd = Crowd(said["address"], tuple(said["tokens"]), said["door"])
    bots = [IdleBot(token) for token in crowd.tokens]
    arrival = await arrive(crowd, bots, come_from=said["come_from"])
    _print(asdict(arrival))
    while await loop.run_in_executor(None, sys.stdin.readline):
        _print({"lost": sum(bot.lost for bot in bots)})


def _print(said: object) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_main())
