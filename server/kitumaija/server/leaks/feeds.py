"""The matches as a spectator sees them, who has the watcher's token."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import grpc.aio

from kitumaija.server.leaks.bots import PATIENCE, Player, Stuck
from kitumaija.server.leaks.said import of_feed
from kitumaija.server.leaks.side import Side
from kitumaija.v1 import replay_pb2


class Feeds:
    """Watches matches from their beginning; what was seen is kept at the end."""

    def __init__(self, side: Side, watcher: Player, match_ids: Sequence[str]) -> None:
        self._side = side
        self._watcher = watcher
        self._match_ids = match_ids
        self._told: dict[str, list[replay_pb2.WatchMatchResponse]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        for match_id in self._match_ids:
            self._told[match_id] = []
            self._tasks.append(asyncio.create_task(self._watch(match_id)))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def over(self) -> None:
        """Wait until every feed has ended, and keep what it told; raises `Stuck`."""
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*self._tasks)
        except TimeoutError:
            raise Stuck("the feed of a match that is over does not end") from None
        self._side.told += (of_feed(match_id, told) for match_id, told in self._told.items())

    async def _watch(self, match_id: str) -> None:
        request = replay_pb2.WatchMatchRequest(match_id=match_id)
        call = self._side.replays.WatchMatch(request, metadata=self._watcher.metadata)
        try:
            async for told in call:
                self._told[match_id].append(told)
        except grpc.aio.AioRpcError as error:
            raise Stuck(f"the feed of a match was refused: {error.details()}") from error
        finally:
            call.cancel()
