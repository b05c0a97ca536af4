"""A call hears the status it was given, whatever is written just before it is heard."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import grpc
import grpc.aio
import pytest

from kitumaija.wire.truthful import truthful

PATIENCE = 20.0
"""How long, in seconds, is waited for an end that comes at once."""

TOO_LATE = (grpc.aio.AioRpcError, asyncio.InvalidStateError)
"""What a message that comes after the end of its call is refused with."""


class Refusing(grpc.GenericRpcHandler):
    """Ends every call after its first message, and tells when it has ended."""

    def __init__(self) -> None:
        self.ended = threading.Event()

    def service(self, handler_call_details: Any) -> Any:
        return grpc.stream_stream_rpc_method_handler(self._refuse)

    def _refuse(self, messages: Iterator[bytes], context: Any) -> Iterator[bytes]:
        context.add_callback(self.ended.set)
        next(messages)
        context.abort(grpc.StatusCode.ABORTED, "another copy connected")
        yield b""


@pytest.fixture
def refusing() -> Iterator[tuple[Refusing, str]]:
    """A server with threads of its own, and the address where it listens."""
    service = Refusing()
    with ThreadPoolExecutor(4) as pool:
        server = grpc.server(pool, handlers=[service])
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        yield service, f"127.0.0.1:{port}"
        server.stop(None).wait()


async def test_a_message_written_when_the_end_is_there_does_not_hide_it(
    refusing: tuple[Refusing, str],
) -> None:
    """The end comes while our own loop stands still, so that nobody has been told of it."""
    service, address = refusing
    heard = set()
    async with grpc.aio.insecure_channel(address) as channel:
        for _ in range(20):
            service.ended.clear()
            call: Any = truthful(channel.stream_stream("/kitumaija.Test/Play")())
            await call.write(b"hello")
            assert service.ended.wait(PATIENCE)
            with suppress(*TOO_LATE):
                await call.write(b"pong")
            heard.add((await call.code(), await call.details()))

    assert heard == {(grpc.StatusCode.ABORTED, "another copy connected")}


def test_a_call_of_another_make_is_left_as_it_is() -> None:
    call = object()

    assert truthful(call) is call
