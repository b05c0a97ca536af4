"""Who is refused for asking too much waits for it; all others are told at once."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import grpc
import grpc.aio
import pytest

from kitumaija.server.errors import KitumaijaError
from kitumaija.server.limits import ServerLimits
from kitumaija.server.rpc.lastwords import LastWords
from kitumaija.wire.status import ErrorReason, reason_of
from tests.support.raw_bot import PATIENCE

NEVER = ServerLimits(refused_after=timedelta(days=1), refusals_waiting=1)


class Refusing:
    """Refuses every call for the reason that is its request."""

    def __init__(self) -> None:
        self._last_words = LastWords(NEVER)
        self.came = asyncio.Event()
        self.gone = asyncio.Event()

    async def refuse(self, request: bytes, context: grpc.aio.ServicerContext[Any, Any]) -> bytes:
        """Refuse, and note when the call is there and when it is over."""
        self.came.set()
        try:
            await self._last_words.tell(
                context, KitumaijaError(ErrorReason(request.decode()), "no")
            )
        finally:
            self.gone.set()


@pytest.fixture
def refusing() -> Refusing:
    return Refusing()


@pytest.fixture
async def call(refusing: Refusing) -> Any:
    """Call the server that refuses, by a reason."""
    server = grpc.aio.server()
    handler: Any = grpc.unary_unary_rpc_method_handler(refusing.refuse)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("test.Service", {"Call": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        method: Any = channel.unary_unary("/test.Service/Call")
        yield lambda reason: method(reason.value.encode(), timeout=PATIENCE)
    await server.stop(None)


async def _reason(call: Any) -> ErrorReason | None:
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        await call
    told = reason_of(ended.value.trailing_metadata())
    return None if told is None else told[0]


@pytest.mark.parametrize(
    "reason",
    [
        ErrorReason.UNAUTHENTICATED_NO_TOKEN,
        ErrorReason.UNAUTHENTICATED_TOKEN,
        ErrorReason.RESOURCE_EXHAUSTED,
        ErrorReason.FLOODING,
        ErrorReason.TOO_MANY_REPLACEMENTS,
    ],
)
async def test_a_refusal_that_the_next_call_would_get_too_is_waited_for(
    call: Any, refusing: Refusing, reason: ErrorReason
) -> None:
    waiting = call(reason)
    await refusing.came.wait()

    # There is room for one: the next is told at once.
    assert await _reason(call(reason)) is reason
    assert not waiting.done()


async def test_who_hangs_up_makes_room_for_the_next_who_waits(
    call: Any, refusing: Refusing
) -> None:
    first = call(ErrorReason.UNAUTHENTICATED_TOKEN)
    await refusing.came.wait()
    first.cancel()
    await refusing.gone.wait()
    refusing.came.clear()

    second = call(ErrorReason.UNAUTHENTICATED_TOKEN)
    await refusing.came.wait()
    assert await _reason(call(ErrorReason.UNAUTHENTICATED_TOKEN)) is not None
    assert not second.done()


async def test_any_other_refusal_is_told_at_once(call: Any) -> None:
    assert await _reason(call(ErrorReason.NOT_FOUND_BOT)) is ErrorReason.NOT_FOUND_BOT
