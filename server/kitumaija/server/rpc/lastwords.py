"""The end of a call: when its status is told, and how long it is waited for that it is read."""

from __future__ import annotations

import asyncio
from typing import Any, Final, NoReturn

import grpc.aio

from kitumaija.server.errors import KitumaijaError
from kitumaija.server.limits import ServerLimits
from kitumaija.server.rpc.status import end_with
from kitumaija.wire.status import ErrorReason

_TOLD_LATER: Final = frozenset(
    {
        ErrorReason.UNAUTHENTICATED_NO_TOKEN,
        ErrorReason.UNAUTHENTICATED_TOKEN,
        ErrorReason.RESOURCE_EXHAUSTED,
        ErrorReason.FLOODING,
        ErrorReason.TOO_MANY_REPLACEMENTS,
    }
)
"""Refusals that whoever calls again at once gets again: who waits for each asks less often."""


class LastWords:
    """Ends calls by their statuses.

    To refuse somebody costs as much as to answer him, so those who ask too often, or without a
    token that is good, wait for their refusal. Only so many wait at once: each is kept meanwhile.
    """

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._waiting = 0

    async def tell(
        self, context: grpc.aio.ServicerContext[Any, Any], error: KitumaijaError
    ) -> NoReturn:
        """End a call with an error's status (`end_with`), which is not waited for to be read.

        The status queues behind what is not read, and is told when that is. gRPC has no way to
        reset a call: until the caller reads or its connection ends, the one message stays with gRPC
        that was being written.
        """
        if error.reason in _TOLD_LATER and self._waiting < self._limits.refusals_waiting:
            await self._wait()
        try:
            async with asyncio.timeout(self._limits.last_words_within.total_seconds()):
                await end_with(context, error)
        except (TimeoutError, grpc.aio.InternalError):
            raise asyncio.CancelledError from None

    async def _wait(self) -> None:
        self._waiting += 1
        try:
            await asyncio.sleep(self._limits.refused_after.total_seconds())
        finally:
            self._waiting -= 1
