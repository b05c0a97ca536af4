"""The connection beneath the stream, and that the server puts up with it."""

from __future__ import annotations

import asyncio
from pathlib import Path

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
