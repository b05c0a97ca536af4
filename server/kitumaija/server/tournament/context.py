"""What the director and its tournaments need of the server around them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from kitumaija.engine import GameRecord, Step, replay
from kitumaija.server.clock import Wall
from kitumaija.server.ids import TokenBytes
from kitumaija.server.lobby.hall import Hall
from kitumaija.server.lobby.presence import Presence
from kitumaija.server.metrics import Metrics
from kitumaija.server.store.errors import StoreFailed
from kitumaija.server.store.store import Store
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.store.writer import StoreWriter

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Context:
    """The store, the hall, and where dates and random bytes come from."""

    store: Store
    writer: StoreWriter
    hall: Hall
    wall: Wall
    token_bytes: TokenBytes

    @property
    def presence(self) -> Presence:
        """Who is connected."""
        return self.hall.presence

    @property
    def metrics(self) -> Metrics:
        """Where it is counted what happens."""
        return self.hall.metrics

    def steps(self, game: GameRecord) -> tuple[Step, ...]:
        """Play a record again, with the decks as this server lays them out (`engine.replay`)."""
        return replay(game, shuffle=self.hall.shuffle).steps

    async def read(self, look: Callable[[ReadTx], T]) -> T:
        """Return what `look` reads of the store, from a thread: the event loop does not wait."""

        def reading() -> T:
            with self.store.read() as tx:
                return look(tx)

        return await asyncio.to_thread(reading)

    async def write(self, work: Callable[[WriteTx], T]) -> T:
        """Run `work` as one transaction, and return what it returned when that is committed.

        A store that fails is told to the hall: a server that can keep nothing must not run on.
        """
        try:
            return await self.writer.run(work)
        except StoreFailed as error:
            self.hall.fail(error)
            raise
