"""What a client is told of an exception in a handler: an id, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import grpc
import grpc.aio
import pytest
from structlog.testing import capture_logs

from kitumaija.server.clock import MonotonicClock
from kitumaija.server.errors import NotFound
from kitumaija.server.limits import ServerLimits
from kitumaija.server.rpc.auth import Caller, Role
from kitumaija.server.rpc.door import Door
from kitumaija.server.rpc.interceptor import Faults, Guard
from kitumaija.server.rpc.lastwords import LastWords
from kitumaija.server.store import BadPageToken
from kitumaija.v1 import arena_pb2
from kitumaija.wire.status import ErrorReason, reason_of
from tests.support.chance import RepeatableBytes
from tests.support.raw_bot import PATIENCE
from tests.support.raw_http2 import DeafClient

SECRET = "alice holds QS 8D 2C"


async def raises(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
    raise RuntimeError(SECRET)


async def generates(
    request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]
) -> AsyncIterator[bytes]:
    yield b"one"
    raise RuntimeError(SECRET)


async def streams(request: Any, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
    await context.read()
    await context.write(b"one")
    raise RuntimeError(SECRET)


async def refuses(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
    raise NotFound(ErrorReason.NOT_FOUND_BOT, "there is no bot 'x'", {"bot_id": "x"})


async def mistakes(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
    raise BadPageToken("got 'x', wanted a page token of this listing")


async def aborts(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
    await context.abort(grpc.StatusCode.DATA_LOSS, "by itself")
    return b""


async def answers(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
    return request


HANDLERS: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
    "Raises": grpc.unary_unary_rpc_method_handler(raises),
    "Generates": grpc.unary_stream_rpc_method_handler(generates),
    "Streams": grpc.stream_stream_rpc_method_handler(streams),
    "Refuses": grpc.unary_unary_rpc_method_handler(refuses),
    "Mistakes": grpc.unary_unary_rpc_method_handler(mistakes),
    "Aborts": grpc.unary_unary_rpc_method_handler(aborts),
    "Answers": grpc.unary_unary_rpc_method_handler(answers),
}


def guard(limits: ServerLimits) -> Guard:
    """A guard to whom every caller is anybody."""
    door = Door(lambda _: Caller(Role.ANYBODY), MonotonicClock(), limits, connections=100)
    return Guard(Faults(RepeatableBytes()), limits, door, LastWords(limits))


@pytest.fixture
async def channel() -> AsyncIterator[Any]:
    """A channel to a server whose handlers are guarded."""
    server = grpc.aio.server(interceptors=(guard(ServerLimits()),))
    handlers = grpc.method_handlers_generic_handler("test.Service", HANDLERS)
    server.add_generic_rpc_handlers((handlers,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as opened:
        yield opened
    await server.stop(None)


async def test_a_caller_who_does_not_read_is_not_waited_for() -> None:
    """Whatever makes the messages, as a spectator's, is let go with all that it keeps."""
    made: list[int] = []
    let_go = asyncio.Event()

    async def endless(
        request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]
    ) -> AsyncIterator[bytes]:
        try:
            while True:
                made.append(1)
                yield bytes(1_000)
        finally:
            let_go.set()

    soon = timedelta(milliseconds=50)
    limits = ServerLimits(call_read_within=soon, last_words_within=soon)
    server = grpc.aio.server(interceptors=(guard(limits),))
    handler: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        "Endless": grpc.unary_stream_rpc_method_handler(endless)
    }
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("test.Service", handler),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with DeafClient(f"127.0.0.1:{port}", window=2_500) as deaf:
        await deaf.call("/test.Service/Endless", arena_pb2.Hello())
        async with asyncio.timeout(PATIENCE):
            await let_go.wait()
    await server.stop(None)

    assert len(made) < 100


async def error_of(call: Any) -> grpc.aio.AioRpcError:
    """Return the error that a call ends with."""
    try:
        if hasattr(call, "read"):
            while await call.read() is not grpc.aio.EOF:
                pass
        else:
            await call
    except grpc.aio.AioRpcError as error:
        return error
    raise AssertionError("the call ended well")


@pytest.mark.parametrize("method", ["Raises", "Generates", "Streams"])
async def test_an_exception_is_told_as_an_opaque_id_and_its_text_is_in_the_log_alone(
    channel: Any, method: str
) -> None:
    name = f"/test.Service/{method}"
    with capture_logs() as logs:
        if method == "Raises":
            error = await error_of(channel.unary_unary(name)(b""))
        elif method == "Generates":
            error = await error_of(channel.unary_stream(name)(b""))
        else:
            call = channel.stream_stream(name)()
            await call.write(b"")
            error = await error_of(call)

    assert error.code() is grpc.StatusCode.INTERNAL
    found = reason_of(error)
    assert found is not None
    reason, metadata = found
    assert reason is ErrorReason.INTERNAL
    assert SECRET not in repr((error.details(), error.trailing_metadata()))
    (line,) = [line for line in logs if line.get("error_id") == metadata["error_id"]]
    assert line["where"] == name
    assert str(line["exc_info"]) == SECRET


async def test_a_refusal_is_told_with_its_reason_and_is_no_fault(
    channel: Any,
) -> None:
    with capture_logs() as logs:
        error = await error_of(channel.unary_unary("/test.Service/Refuses")(b""))

    assert error.code() is grpc.StatusCode.NOT_FOUND
    assert error.details() == "there is no bot 'x'"
    assert reason_of(error) == (ErrorReason.NOT_FOUND_BOT, {"bot_id": "x"})
    assert logs == []


async def test_an_error_of_the_store_that_is_the_callers_is_a_refusal(
    channel: Any,
) -> None:
    error = await error_of(channel.unary_unary("/test.Service/Mistakes")(b""))

    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert reason_of(error) == (ErrorReason.INVALID_ARGUMENT_PAGE_TOKEN, {})


async def test_a_handler_may_end_its_call_itself(channel: Any) -> None:
    error = await error_of(channel.unary_unary("/test.Service/Aborts")(b""))

    assert (error.code(), error.details()) == (grpc.StatusCode.DATA_LOSS, "by itself")


async def test_what_raises_nothing_is_let_through(channel: Any) -> None:
    assert await channel.unary_unary("/test.Service/Answers")(b"hello") == b"hello"


async def test_a_method_that_there_is_not_is_unimplemented(channel: Any) -> None:
    error = await error_of(channel.unary_unary("/test.Service/Nothing")(b""))

    assert error.code() is grpc.StatusCode.UNIMPLEMENTED


def test_beside_running_matches_the_log_has_no_text_either() -> None:
    faults = Faults(RepeatableBytes())
    with capture_logs() as logs:
        try:
            raise RuntimeError(SECRET)
        except RuntimeError as error:
            told = faults.hidden(error, "stream: answer")

    assert told.reason is ErrorReason.INTERNAL
    assert SECRET not in repr(logs)
    assert logs[0]["error"] == "RuntimeError"
    assert "test_interceptor.py" in logs[0]["raised_at"]
