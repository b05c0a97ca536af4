"""The connection beneath the stream, and that the server puts up with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from kitumaija.sdk.client.channel import OPTIONS
from kitumaija.server.limits import ServerLimits
from kitumaija.server.lobby.connection import Connection
from kitumaija.server.match import Nanos
from kitumaija.server.rpc.server import OPTIONS as OF_SERVER
from kitumaija.wire.limits import PING_INTERVAL, SILENCE_MAX
from tests.e2e.test_network import Plain
from tests.support.network import networked
from tests.support.raw_bot import PATIENCE

NOTICED_WITHIN = 15
CLIENT, SERVER = dict(OPTIONS), dict(OF_SERVER)


def test_the_server_never_finds_that_a_client_of_the_sdk_pings_too_often() -> None:
    """Else it would end an idle connection by GOAWAY and `too_many_pings`."""
    often = CLIENT["grpc.keepalive_time_ms"]

    assert often >= 2 * SERVER["grpc.http2.min_ping_interval_without_data_ms"]
    assert SERVER["grpc.keepalive_permit_without_calls"] == 1
    assert SERVER["grpc.http2.max_ping_strikes"] > 0


def test_a_peer_that_is_gone_without_a_word_is_noticed_within_fifteen_seconds_at_both_ends() -> (
    None
):
    at_the_server = SERVER["grpc.keepalive_time_ms"] + SERVER["grpc.keepalive_timeout_ms"]
    looked_at_every = 1

    assert SERVER["grpc.http2.ping_timeout_ms"] <= SERVER["grpc.keepalive_timeout_ms"]
    assert at_the_server <= NOTICED_WITHIN * 1_000
    assert ServerLimits().silence_max.total_seconds() + looked_at_every <= NOTICED_WITHIN
    assert SILENCE_MAX.total_seconds() <= NOTICED_WITHIN
    # And one Ping that is lost or late is no silence.
    assert 2 * PING_INTERVAL < SILENCE_MAX


class Arrivals:
    """Hears of the first bot that comes (`PresenceListener`)."""

    def __init__(self) -> None:
        self.first = asyncio.Event()

    def arrived(self, connection: Connection, at: Nanos) -> None:
        self.first.set()

    def left(self, connection: Connection, at: Nanos, *, goodbye: bool) -> None:
        """Nobody asks."""


async def test_a_bot_that_is_far_away_can_connect(tmp_path: Path) -> None:
    """gRPC gives up a connection that is not made in the least of its own waits."""
    async with networked(tmp_path / "data") as network:
        welcomed = Arrivals()
        network.arena.app.presence.listen(welcomed)
        network.proxy.delay(0.35)
        network.play("ann", Plain)
        async with asyncio.timeout(PATIENCE):
            await welcomed.first.wait()
        assert network.proxy.counts.opened == 1


FASTER = 20
"""How much faster than in earnest everything goes here, at the same ratios."""
PINGS = 7
"""So many times the client has reason to ping; at the third that is too early it is sent away."""
OFTENEST_MS = 1_000
"""gRPC never pings more often."""
JUDGING = (
    "grpc.http2.min_ping_interval_without_data_ms",
    "grpc.http2.max_ping_strikes",
    "grpc.keepalive_permit_without_calls",
)
"""By these a server finds that a client pings too often."""


async def end_of_an_idle_call(*, keepalive_ms: int, often_ms: int) -> grpc.StatusCode:
    """How a call ends on which nothing is said for a while, so that its client pings.

    It pings without end: in earnest what a bot says meanwhile lets it. Of two pings within
    `often_ms` one is too early.
    """

    async def listens(
        messages: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]
    ) -> AsyncIterator[bytes]:
        async for _ in messages:
            pass
        yield b""

    judging = {name: SERVER[name] for name in JUDGING}
    judging[JUDGING[0]] = often_ms
    server = grpc.aio.server(options=[*judging.items()])
    handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        "Play": grpc.stream_stream_rpc_method_handler(listens)
    }
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("test.Service", handlers),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    options = CLIENT | {
        "grpc.keepalive_time_ms": keepalive_ms,
        "grpc.http2.max_pings_without_data": 0,
    }
    channel: Any = grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=[*options.items()])
    async with channel:
        call = channel.stream_stream("/test.Service/Play")()
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await call.write(b"")
            await asyncio.sleep((PINGS + 0.5) * keepalive_ms / 1_000)
            await call.done_writing()
            while await call.read() is not grpc.aio.EOF:
                pass
        code: grpc.StatusCode = await call.code()
    await server.stop(None)
    return code


async def test_a_client_of_the_sdk_on_an_idle_line_is_not_sent_away() -> None:
    """Ten minutes in earnest: `make soak-idle`."""
    keepalive, often = CLIENT["grpc.keepalive_time_ms"], SERVER[JUDGING[0]]

    code = await end_of_an_idle_call(keepalive_ms=keepalive // FASTER, often_ms=often // FASTER)

    assert code is grpc.StatusCode.OK


async def test_a_client_that_pings_too_often_is_sent_away() -> None:
    """What the test above would see if the SDK did."""
    code = await end_of_an_idle_call(keepalive_ms=OFTENEST_MS, often_ms=SERVER[JUDGING[0]])

    assert code is grpc.StatusCode.UNAVAILABLE
