"""The connection beneath the stream."""

from __future__ import annotations

from pathlib import Path

import grpc
import grpc.aio

from kitumaija.sdk.client.settings import Settings
from kitumaija.wire.limits import FRAME_BYTES_MAX, UNARY_BYTES_MAX

OPTIONS = (
    # A dead peer is noticed, and a middlebox sees traffic while no match is on.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # How long to wait between two dials is the client's to say; gRPC must not add its own waits,
    # nor remember them from one channel to the next. What it calls the least of its waits is also
    # how long a connection may take to be made: several round trips, with TLS, over any distance.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 5_000),
    ("grpc.max_reconnect_backoff_ms", 5_000),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", UNARY_BYTES_MAX),
)


def open_channel(settings: Settings, *, frame_bytes: int = FRAME_BYTES_MAX) -> grpc.aio.Channel:
    """Return a channel to the server; it is dialled when the first call is made on it.

    `frame_bytes` is the largest frame that is sent, by default the largest that a server takes.
    """
    target = settings.address.target
    options = (*OPTIONS, ("grpc.max_send_message_length", frame_bytes))
    if not settings.tls:
        return grpc.aio.insecure_channel(target, options=options)
    credentials = grpc.ssl_channel_credentials(
        root_certificates=_bytes(settings.tls_ca),
        private_key=_bytes(settings.tls_key),
        certificate_chain=_bytes(settings.tls_cert),
    )
    return grpc.aio.secure_channel(target, credentials, options=options)


def _bytes(file: Path | None) -> bytes | None:
    return None if file is None else file.read_bytes()
