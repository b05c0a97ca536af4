"""Work that is finished even if the caller who asked for it is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Errands:
    """Runs coroutines in tasks of their own: a client that hangs up cancels nothing half done."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    async def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what `work` returns; it goes on if the waiting is cancelled."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    async def settle(self) -> None:
        """Wait until nothing runs."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            # Whoever still waits gets it; asked for here, it is not reported as never seen.
            task.exception()
