"""`ArenaService`: the bots' streams, and what concerns all of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial

import grpc
import grpc.aio

from kitumaija.console.text import counted
from kitumaija.server.clock import NANOS_PER_SECOND, Clock
from kitumaija.server.errors import ResourceExhausted, Unavailable
from kitumaija.server.limits import ServerLimits
from kitumaija.server.lobby.desk import Desk
from kitumaija.server.match.values import Nanos
from kitumaija.server.rpc.allowance import Allowance
from kitumaija.server.rpc.auth import Authenticator
from kitumaija.server.rpc.gate import Gate
from kitumaija.server.rpc.incoming import Incoming, incoming
from kitumaija.server.rpc.interceptor import Faults
from kitumaija.server.rpc.lastwords import LastWords
from kitumaija.server.rpc.status import open_answer
from kitumaija.server.rpc.stream import Context, Stream
from kitumaija.v1 import arena_pb2, arena_pb2_grpc
from kitumaija.wire.status import ErrorReason

# Silence, a late Hello and pings are matters of seconds: not every sweep has to look at streams,
# of which there may be ten thousand.
_LOOK_EVERY = NANOS_PER_SECOND


class ArenaService(arena_pb2_grpc.ArenaServiceServicer):
    """Serves `Play`, and keeps the streams that are open."""

    def __init__(
        self,
        desk: Desk,
        authenticator: Authenticator,
        *,
        clock: Clock,
        limits: ServerLimits,
        faults: Faults,
        last_words: LastWords,
    ) -> None:
        self._desk = desk
        self._authenticator = authenticator
        self._clock = clock
        self._limits = limits
        self._faults = faults
        self._last_words = last_words
        self._streams: set[Stream] = set()
        self._streams_of: Counter[str] = Counter()
        self._allowances: dict[str, Allowance] = {}
        self._closed = asyncio.Event()
        self._gate = Gate()
        self._draining = False
        self._looked_at = clock.now()

    async def Play(  # type: ignore[override]  # the other of the two styles that gRPC has
        self, request_iterator: AsyncIterator[Incoming], context: Context
    ) -> None:
        """Serve one stream of one bot."""
        del request_iterator  # read by `context.read()`, which can be stamped
        bot = partial(self._authenticator.bot, context)
        bot_id = bot().bot_id
        if self._draining:
            raise _draining()
        if self._streams_of[bot_id] >= self._limits.streams_per_bot:
            raise _too_many_streams(self._limits.streams_per_bot)
        stream = Stream(
            context,
            self._desk,
            bot,
            clock=self._clock,
            limits=self._limits,
            faults=self._faults,
            last_words=self._last_words,
            allowance=self._allowance_of(bot_id),
            gate=self._gate,
        )
        self._streams.add(stream)
        self._streams_of[bot_id] += 1
        try:
            await open_answer(context)
            await stream.run()
        finally:
            self._streams.discard(stream)
            self._streams_of[bot_id] -= 1
            if not self._streams:
                self._closed.set()

    def _allowance_of(self, bot_id: str) -> Allowance:
        """Return what the bot may send, on all of its streams together."""
        allowance = self._allowances.get(bot_id)
        if allowance is None:
            limits = self._limits
            allowance = self._allowances[bot_id] = Allowance(
                per_second=limits.unasked_per_second, burst=limits.burst(0), at=self._clock.now()
            )
        return allowance

    def sweep(self, now: Nanos) -> None:
        """Ping streams, and end those that were silent for too long."""
        if now - self._looked_at < _LOOK_EVERY:
            return
        self._looked_at = now
        for stream in tuple(self._streams):
            stream.sweep(now)

    def queued(self) -> tuple[int, int]:
        """Return how many messages wait on all streams, and how many bytes they have."""
        waiting = [stream.queued for stream in tuple(self._streams)]
        return sum(count for count, _ in waiting), sum(size for _, size in waiting)

    def stalled(self, since: Nanos, until: Nanos) -> None:
        """Leave out of what the streams measure that the server stood still."""
        for stream in self._streams:
            stream.stalled(since, until)

    async def drain(self, within: timedelta) -> None:
        """Open no more streams, tell those that are open that the server shuts down, and wait until
        they are gone, for `within` at most."""
        self._draining = True
        for stream in tuple(self._streams):
            stream.drain(within)
        await self._empty(within)

    async def close(self) -> None:
        """End every stream after what is on it."""
        self._draining = True
        for stream in tuple(self._streams):
            stream.end(_draining())
        await self._empty(2 * self._limits.last_words_within)

    async def _empty(self, within: timedelta) -> None:
        if self._streams and within:
            self._closed.clear()
            try:
                async with asyncio.timeout(within.total_seconds()):
                    await self._closed.wait()
            except TimeoutError:
                return


def add_arena(server: grpc.aio.Server, arena: ArenaService) -> None:
    """Serve the bots' streams. The generated way would parse a frame before it is measured."""
    play = grpc.stream_stream_rpc_method_handler(
        arena.Play,
        request_deserializer=incoming,
        response_serializer=arena_pb2.PlayResponse.SerializeToString,
    )
    name = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].full_name
    server.add_registered_method_handlers(name, {"Play": play})


def _too_many_streams(most: int) -> ResourceExhausted:
    return ResourceExhausted(
        ErrorReason.RESOURCE_EXHAUSTED,
        f"{counted(most, 'stream')} of this token {'is' if most == 1 else 'are'} open: say Hello "
        "on one, and let the others go",
        {"resource": "streams", "limit": str(most), "retry_seconds": "10"},
    )


def _draining() -> Unavailable:
    return Unavailable(
        ErrorReason.DRAINING, "the server shuts down and will be back: dial again in a while"
    )
