"""Thousands of bots that are there and do not play, in processes of their own.

`python -m tests.support.crowd` is such a process. It reads a line of JSON from standard input,
`{"address": ..., "tokens": [...], "door": N, "come_from": ...}`, has the bots come, N at a time,
and prints how many were welcomed and how long it took. For every further line it prints how many
have been lost since; it ends with the input, so it never outlives who started it.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support.light_call import IdleBot

_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Arrival:
    """How a crowd came: how many bots were welcomed at their first try, and within how long."""

    welcomed: int
    seconds: float


class CrowdProcess:
    """A crowd as a process; `door` is how many of its bots may be on their way in at a time.

    They come from the address `come_from`, for a server takes no more than so many from one.
    """

    def __init__(
        self, address: str, tokens: Sequence[str], *, door: int, come_from: str = "127.0.0.1"
    ) -> None:
        self._said = {
            "address": address,
            "tokens": tokens,
            "door": door,
            "come_from": come_from,
        }
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.crowd"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=_ROOT,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.communicate()

    def send(self) -> None:
        """Have the bots come; `arrived` waits for them."""
        self._tell(self._said)

    def arrived(self) -> Arrival:
        """Wait until every bot was welcomed or refused."""
        return Arrival(**self._read())

    def lost(self) -> int:
        """How many of the bots have no stream any more."""
        self._tell({})
        found: int = self._read()["lost"]
        return found

    def _tell(self, said: object) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(said) + "\n")
        self._process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the crowd's process ended"
        found: dict[str, Any] = json.loads(line)
        return found


async def _come(address: str, bots: Sequence[IdleBot], door: int, come_from: str) -> Arrival:
    through = asyncio.Semaphore(door)

    async def one(bot: IdleBot) -> bool:
        async with through:
            return await bot.come(address, come_from=come_from)

    began = time.monotonic()
    welcomed = await asyncio.gather(*(one(bot) for bot in bots))
    return Arrival(sum(welcomed), time.monotonic() - began)


async def _main() -> None:
    loop = asyncio.get_running_loop()
    said = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    bots = [IdleBot(token) for token in said["tokens"]]
    arrival = await _come(said["address"], bots, said["door"], said["come_from"])
    _print(asdict(arrival))
    while await loop.run_in_executor(None, sys.stdin.readline):
        _print({"lost": sum(bot.lost for bot in bots)})


def _print(said: object) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_main())
