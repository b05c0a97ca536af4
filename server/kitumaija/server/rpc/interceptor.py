"""The outermost interceptor: no exception's text ever reaches a client.

gRPC sends the text of an exception that a handler lets through; a text of ours may quote a
position with everybody's cards.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

import grpc
import grpc.aio
import structlog
from google.protobuf.message import DecodeError, Message

from kitumaija.server.errors import KitumaijaError, ResourceExhausted
from kitumaija.server.ids import TokenBytes, random_id
from kitumaija.server.limits import ServerLimits
from kitumaija.server.logs import place_of
from kitumaija.server.rpc.door import Door
from kitumaija.server.rpc.fields import check_texts, wrong_field
from kitumaija.server.rpc.handlers import Handler, with_behaviour
from kitumaija.server.rpc.status import end_with, end_within, fault, open_answer, refusal
from kitumaija.wire.status import ErrorReason

_log = structlog.stdlib.get_logger(__name__)


class Faults:
    """Turns what was raised into what is told; what is not a refusal is logged under an id."""

    def __init__(self, token_bytes: TokenBytes) -> None:
        self._token_bytes = token_bytes

    def told(self, error: Exception, where: str) -> KitumaijaError:
        """Return what the caller is told of an error raised in `where`."""
        known = refusal(error)
        if known is not None:
            return known
        error_id = random_id(self._token_bytes)
        _log.error("fault of the server", error_id=error_id, where=where, exc_info=error)
        return fault(error_id)

    def hidden(self, error: BaseException, where: str) -> KitumaijaError:
        """Do the same beside running matches, whose cards belong in no log: without the text."""
        known = refusal(error)
        if known is not None:
            return known
        error_id = random_id(self._token_bytes)
        _log.error("fault of the server", error_id=error_id, where=where, **place_of(error))
        return fault(error_id)


class Guard(grpc.aio.ServerInterceptor):
    """Wraps every handler, ours and gRPC's own. A request with a text that no database keeps goes
    no further: it is the caller's mistake and not the server's. No answer waits for ever for a
    caller who does not read it. `door` lets calls in, and refuses those that are too many."""

    def __init__(self, faults: Faults, limits: ServerLimits, door: Door) -> None:
        self._faults = faults
        self._limits = limits
        self._door = door

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Return the handler, guarded; None, which is UNIMPLEMENTED, where there is none."""
        handler = await continuation(handler_call_details)
        return None if handler is None else self._guarded(handler, handler_call_details.method)

    def _guarded(self, handler: Any, method: str) -> Handler:
        if handler.request_streaming:
            behaviour = handler.stream_stream or handler.stream_unary
        else:
            behaviour = handler.unary_stream or handler.unary_unary
        read = handler.request_deserializer
        if read is not None and not handler.request_streaming:
            read = _tolerant(read)
        guarded = (
            self._guarded_generator(behaviour, method)
            if inspect.isasyncgenfunction(behaviour)
            else self._guarded_coroutine(behaviour, method)
        )
        return with_behaviour(handler, guarded, read=read)

    def _guarded_coroutine(self, behaviour: Any, method: str) -> Any:
        async def call(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
            try:
                with self._door.open(context, method):
                    _check(request)
                    return await behaviour(request, context)
            except (asyncio.CancelledError, grpc.aio.AbortError):
                raise
            except Exception as error:  # noqa: BLE001 - this is what stands between it and the client
                told = self._faults.told(error, method)
            return await end_with(context, told)

        return call

    def _guarded_generator(self, behaviour: Any, method: str) -> Any:
        async def call(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> None:
            try:
                with self._door.open(context, method):
                    _check(request)
                    await self._write_all(context, behaviour(request, context))
            except (asyncio.CancelledError, grpc.aio.AbortError):
                raise
            except Exception as error:  # noqa: BLE001 - as above
                told = self._faults.told(error, method)
            else:
                return
            await end_within(context, told, self._limits.last_words_within)

        return call

    async def _write_all(
        self, context: grpc.aio.ServicerContext[Any, Any], made: AsyncGenerator[Any]
    ) -> None:
        async with aclosing(made) as responses:
            begun = False
            async for response in responses:
                if not begun:
                    begun = True
                    await open_answer(context)
                await self._write(context, response)

    async def _write(self, context: grpc.aio.ServicerContext[Any, Any], response: Any) -> None:
        """Write one message. What a caller does not read stays with the server: so not for long."""
        within = self._limits.call_read_within.total_seconds()
        try:
            async with asyncio.timeout(within):
                await context.write(response)
        except TimeoutError:
            raise ResourceExhausted(
                ErrorReason.NOT_READING,
                f"what was sent on this call was not read for {within:g} s: read all the time, or "
                "call again",
                {"limit_seconds": f"{within:g}"},
            ) from None
        except (grpc.aio.UsageError, grpc.aio.InternalError):
            # The caller hung up while this was written.
            raise asyncio.CancelledError from None


class _Undecodable:
    """Stands for a request whose bytes are none."""


def _tolerant(read: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """Return what reads a request and raises nothing: gRPC would tell the caller the exception."""

    def tolerant(data: bytes) -> Any:
        try:
            return read(data)
        except DecodeError:
            return _Undecodable()

    return tolerant


def _check(request: object) -> None:
    """Look at the texts of a single request; those of a bot's stream are looked at one by one."""
    if isinstance(request, _Undecodable):
        raise wrong_field("request", "bytes that are no message", "a message of this method")
    if isinstance(request, Message):
        check_texts(request)
