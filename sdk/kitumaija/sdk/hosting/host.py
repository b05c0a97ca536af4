"""The server that bots which are started here dial, on this machine only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread
from types import TracebackType
from typing import Self

import grpc

from kitumaija.sdk.clocks import Clock
from kitumaija.sdk.hosting.stream import CODES, Stream
from kitumaija.v1 import arena_pb2, arena_pb2_grpc
from kitumaija.wire.limits import FRAME_BYTES_MAX, PING_INTERVAL
from kitumaija.wire.status import ErrorReason, code_of, error_details

_STREAMS_MAX = 1024
"""How many bots may be there at once; each has a thread, that is made when it comes."""


class Host:
    """A server on a free port of this machine; each stream goes to whoever waits for its token."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._waiting: dict[str, Callable[[Stream], None]] = {}
        self._streams: dict[str, Stream] = {}
        self._closed = Event()
        self._server = grpc.server(
            ThreadPoolExecutor(_STREAMS_MAX, thread_name_prefix="hosted-bot"),
            options=(
                ("grpc.so_reuseport", 0),
                ("grpc.max_receive_message_length", FRAME_BYTES_MAX),
            ),
        )
        self.address = ""
        """Where it listens, as host:port."""

    def __enter__(self) -> Self:
        """Begin to listen."""
        service = _Service(self._serve)
        arena_pb2_grpc.add_ArenaServiceServicer_to_server(service, self._server)
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()
        Thread(target=self._ping, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End every stream and stop listening."""
        self._closed.set()
        for stream in list(self._streams.values()):
            stream.end()
        self._server.stop(grace=None).wait()

    def expect(self, token: str, came: Callable[[Stream], None]) -> None:
        """Hand the next stream that shows `token` to `came`, and let no second one in."""
        self._waiting[token] = came

    def _serve(
        self, requests: Iterator[arena_pb2.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[arena_pb2.PlayResponse]:
        token = _token(context)
        came = self._waiting.pop(token, None)
        if came is None:
            # A bot that was given up, or one that dials again: here a game is played on one stream.
            reason, text = ErrorReason.UNAUTHENTICATED_TOKEN, "nobody waits for this bot (any more)"
            context.set_trailing_metadata(error_details(reason, message=text))
            context.abort(CODES[code_of(reason)], text)
        stream = self._streams[token] = Stream(self.clock)
        came(stream)
        try:
            yield from stream.serve(requests, context)
        finally:
            self._streams.pop(token, None)

    def _ping(self) -> None:
        """Say something to every bot in time, so that none takes its stream for dead."""
        nonce = 0
        while not self._closed.wait(PING_INTERVAL.total_seconds()):
            nonce += 1
            for stream in list(self._streams.values()):
                stream.ping(nonce)


def _token(context: grpc.ServicerContext) -> str:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization" and isinstance(value, str):
            return value.removeprefix("Bearer ")
    return ""


class _Service(arena_pb2_grpc.ArenaServiceServicer):
    def __init__(
        self,
        serve: Callable[
            [Iterator[arena_pb2.PlayRequest], grpc.ServicerContext],
            Iterator[arena_pb2.PlayResponse],
        ],
    ) -> None:
        self._serve = serve

    def Play(  # noqa: N802 - gRPC's name
        self, request_iterator: Iterator[arena_pb2.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[arena_pb2.PlayResponse]:
        return self._serve(request_iterator, context)
