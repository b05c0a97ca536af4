"""Many bots in one process: fair ones on the SDK's client, and animals of the zoo."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from random import Random
from types import TracebackType
from typing import Self

from kitumaija.sdk import Bot, Turn
from kitumaija.sdk.bot import BotFactory
from kitumaija.sdk.client import Address, Client, Settings
from kitumaija.sdk.clocks import real_clock
from kitumaija.sdk.online import Player
from kitumaija.sdk.testing.hostile import Animal, species_named

FAIR = "fair"
"""What stands for a `Fair` bot where a bot is named."""


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
