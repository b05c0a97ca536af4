"""Those who watch a running match: they see what is public, once it is committed.

There is no queue for anybody. The events stand in the match; a watcher who is slow reads more of
them at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from kitumaija.engine import Event, event_for


class Audience:
    """Everybody who watches one match."""

    def __init__(self) -> None:
        self._committed = 0
        self._over = False
        self._moved = asyncio.Event()

    def reached(self, events: int) -> None:
        """Note that so many events of the match are committed."""
        self._committed = max(self._committed, events)
        self._wake()

    def end(self) -> None:
        """Note that there will be no more, and that the result is committed."""
        self._over = True
        self._wake()

    async def follow(
        self, since: Callable[[int], tuple[Event, ...]]
    ) -> AsyncIterator[tuple[Event, ...]]:
        """Yield the public events from the first one on; `since` gives those from a number on."""
        told = 0
        while True:
            moved = self._moved
            fresh = since(told)[: self._committed - told]
            if fresh:
                told += len(fresh)
                yield tuple(event_for(event, None) for event in fresh)
            elif self._over:
                return
            else:
                await moved.wait()

    def _wake(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()
