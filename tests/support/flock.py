"""Many bots in one process: fair ones on the SDK's client, and animals of the zoo.

`python -m tests.support.flock` is such a process. It reads one line of JSON from standard input,
`{"address": ..., "bots": {NAME: [SOURCE, TOKEN]}}`, and plays until the input ends, so it never
outlives who started it. Who ends by itself there, such as a bot that crashes, is started anew.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

from kitumaija.sdk import Bot, SdkError, Turn
from kitumaija.sdk.bot import BotFactory
from kitumaija.sdk.client import Address, Client, Settings
from kitumaija.sdk.clocks import real_clock
from kitumaija.sdk.online import Player
from kitumaija.sdk.testing.hostile import Animal, species_named
from tests.support.told_process import ToldProcess

FAIR = "fair"
"""What stands for a `Fair` bot where a bot is named."""

ANEW_AFTER = 1.0
"""How long, in seconds, a player that ended is left alone before it is started anew."""


class Fair(Bot):
    """Plays the first legal action at once."""

    async def choose(self, turn: Turn) -> object:  # type: ignore[override]
        return turn.legal[0]


def player(source: str, address: str, token: str, *, capacity: int = 8) -> Player:
    """Return who plays as `source` says: `FAIR`, or ``hostile:NAME``."""
    settings = Settings(Address.parse(address), token, capacity=capacity)
    random, secret = Random(token), hashlib.sha256(token.encode()).digest()
    kind = Fair if source == FAIR else species_named(source).kind
    if issubclass(kind, Animal):
        return kind(settings, random=random, secret=secret)
    factory: BotFactory = kind
    return Client(factory, settings, clock=real_clock, random=random, secret=secret)


class Flock:
    """Players by name, run in this loop and stopped with the context."""

    def __init__(self, players: Mapping[str, Player]) -> None:
        self._players = players
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def __aenter__(self) -> Self:
        for name, one in self._players.items():
            self._tasks[name] = asyncio.create_task(one.run(), name=name)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for one in self._players.values():
            one.stop()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


class FlockProcess(ToldProcess):
    """A flock as a process, to be killed and started again; `bots` are (source, token) by name."""

    module = "tests.support.flock"

    def __init__(self, address: str, bots: Mapping[str, tuple[str, str]], log: Path) -> None:
        super().__init__(log=log, environment={"GRPC_VERBOSITY": "NONE"})
        self._said = {"address": address, "bots": bots}

    def start(self) -> None:
        """Start it, and let the bots dial."""
        super().start()
        self._tell(self._said)


async def _keep_alive(make: Callable[[], Player]) -> None:
    while True:
        with suppress(SdkError):
            await make().run()
        await asyncio.sleep(ANEW_AFTER)


async def _main() -> None:
    loop = asyncio.get_running_loop()
    said = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    kept = [
        asyncio.create_task(_keep_alive(partial(player, source, said["address"], token)))
        for source, token in said["bots"].values()
    ]
    await loop.run_in_executor(None, sys.stdin.read)
    for task in kept:
        task.cancel()
    await asyncio.gather(*kept, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(_main())
