"""The gRPC server: its options, TLS, health and reflection.

Each option is there for an effect that was measured: gRPC ignores those that it does not know, so a
name that is wrong is worse than none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import grpc.aio
from grpc_health.v1 import (  # type: ignore[import-untyped]  # ships no types
    health,
    health_pb2,
    health_pb2_grpc,
)
from grpc_reflection.v1alpha import reflection  # type: ignore[import-untyped]  # the same

from kitumaija.server.rpc.hardened import HardenedServer
from kitumaija.server.settings import ServerSettings
from kitumaija.server.tls import Certificate, WrongCertificate
from kitumaija.v1 import arena_pb2, bot_pb2, replay_pb2, tournament_pb2, world_pb2
from kitumaija.wire.limits import REQUEST_BYTES_MAX, UNARY_BYTES_MAX

OPTIONS: Sequence[tuple[str, int]] = (
    # Or a second server takes the same port, and no one is told.
    ("grpc.so_reuseport", 0),
    # A peer that is gone without a word is noticed within 15 s.
    ("grpc.keepalive_time_ms", 6_000),
    ("grpc.keepalive_timeout_ms", 9_000),
    # How long a ping of any kind may stay unanswered. Left at its minute, the connection of a peer
    # that is gone stayed for that minute, whatever the timeout above said.
    ("grpc.http2.ping_timeout_ms", 9_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    # A client that pings more often than this is told to calm down.
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_ping_strikes", 2),
    # A frame is small, and so is what waits for it: gRPC would measure the line of a bot that sends
    # all the time, and take up to 16 MB from it before it is looked at.
    ("grpc.http2.bdp_probe", 0),
    # Of what is packed too: gRPC stops unpacking there. It keeps what it has of a message until the
    # rest comes, so this is also what half a message may hold. A frame of a bot has a smaller limit
    # of its own (`stream.py`).
    ("grpc.max_receive_message_length", REQUEST_BYTES_MAX),
    ("grpc.max_send_message_length", UNARY_BYTES_MAX),
    ("grpc.max_concurrent_streams", 128),
    # Thousands of bots may connect in the same moment.
    ("grpc.server.max_pending_requests", 20_000),
    ("grpc.server.max_pending_requests_hard_limit", 30_000),
    ("grpc.server_handshake_timeout_ms", 10_000),
    # Of connections without calls.
    ("grpc.max_connection_idle_ms", 300_000),
)

SERVICES: tuple[str, ...] = tuple(
    descriptor.services_by_name[name].full_name
    for descriptor, name in (
        (arena_pb2.DESCRIPTOR, "ArenaService"),
        (tournament_pb2.DESCRIPTOR, "TournamentService"),
        (bot_pb2.DESCRIPTOR, "BotService"),
        (replay_pb2.DESCRIPTOR, "ReplayService"),
        (world_pb2.DESCRIPTOR, "WorldService"),
    )
)


class BindError(Exception):
    """The server cannot listen as it was told to; the message is one line and says what to do."""


class Health:
    """What `grpc.health.v1` answers, for the server as a whole and for each service."""

    def __init__(self) -> None:
        # pyright takes the module for a package that it cannot see into.
        self.servicer = health.aio.HealthServicer()  # pyright: ignore[reportAttributeAccessIssue]

    async def say(self, *, serving: bool) -> None:
        """Say whether the server takes calls."""
        status = health_pb2.HealthCheckResponse
        now = status.SERVING if serving else status.NOT_SERVING
        for service in ("", *SERVICES):
            await self.servicer.set(service, now)


def make_server(interceptors: Iterable[Any], health_of_all: Health) -> grpc.aio.Server:
    """Return a server that has health and reflection, and none of our services yet."""
    server = cast("grpc.aio.Server", HardenedServer(tuple(interceptors), OPTIONS))
    health_pb2_grpc.add_HealthServicer_to_server(health_of_all.servicer, server)
    names = (*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)
    return server


def bind(server: grpc.aio.Server, settings: ServerSettings) -> int:
    """Listen where the settings say, and return the port. Raises `BindError`, also for a
    certificate that cannot be used."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"{host}:{settings.port}"
    try:
        if settings.tls is None:
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, Certificate(settings.tls).credentials())
    except WrongCertificate as error:
        raise BindError(f"cannot speak TLS: {error}") from error
    except RuntimeError as error:
        raise _cannot_bind(address) from error
    if not port:
        raise _cannot_bind(address)
    return port


def _cannot_bind(address: str) -> BindError:
    return BindError(
        f"cannot listen on {address}: another program has the port, or the host is not this "
        "machine's; name another with --port or --host"
    )
