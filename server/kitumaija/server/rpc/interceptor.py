"""The outermost interceptor: no exception's text ever reaches a client.

gRPC sends the text of an exception that a handler lets through; a text of ours may quote a
position with everybody's cards.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeAlias

import grpc
import grpc.aio
import structlog
from google.protobuf.message import DecodeError, Message

from kitumaija.server.errors import InvalidArgument, KitumaijaError, ResourceExhausted
from kitumaija.server.ids import TokenBytes, random_id
from kitumaija.server.limits import ServerLimits
from kitumaija.server.logs import place_of
from kitumaija.server.rpc.door import Door, Visit
from kitumaija.server.rpc.fields import check_texts, wrong_field
from kitumaija.server.rpc.handlers import Handler, behaviour_of, read_by_hand
from kitumaija.server.rpc.lastwords import LastWords
from kitumaija.server.rpc.status import fault, open_answer, refusal
from kitumaija.wire.status import ErrorReason

_Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
_Serve: TypeAlias = "Callable[[AsyncIterator[Any], _Context, Visit], Awaitable[None]]"

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
    """Wraps every handler, ours and gRPC's own.

    Nothing of a call is read before `door` has let it in: so whoever calls too often, or does not
    say what he wants, holds no more than the limits say. A request is not parsed before it is paid
    for by its size, and one with a text that no database keeps goes no further: it is the caller's
    mistake and not the server's. No answer waits for ever for a caller who does not read it.
    """

    def __init__(
        self, faults: Faults, limits: ServerLimits, door: Door, last_words: LastWords
    ) -> None:
        self._faults = faults
        self._limits = limits
        self._door = door
        self._last_words = last_words

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Return the handler, guarded; None, which is UNIMPLEMENTED, where there is none."""
        handler = await continuation(handler_call_details)
        return None if handler is None else self._guarded(handler, handler_call_details.method)

    def _guarded(self, handler: Any, method: str) -> Handler:
        serve = self._stream(handler) if handler.request_streaming else self._single(handler)

        async def call(requests: AsyncIterator[Any], context: _Context) -> None:
            try:
                with self._door.open(context, method) as visit:
                    await serve(requests, context, visit)
            except (asyncio.CancelledError, grpc.aio.AbortError):
                raise
            except Exception as error:  # noqa: BLE001 - this is what stands between it and the client
                told = self._faults.told(error, method)
            else:
                return
            await self._last_words.tell(context, told)

        return read_by_hand(handler, call)

    def _single(self, handler: Any) -> _Serve:
        """Serve a method with a single request."""
        behaviour, parse = behaviour_of(handler), handler.request_deserializer

        async def serve(_: AsyncIterator[Any], context: _Context, visit: Visit) -> None:
            data = await self._request(context)
            visit.spend(len(data) // self._limits.request_bytes_per_call)
            request = data if parse is None else _parsed(parse, data)
            _check(request)
            await self._answer(context, visit, behaviour(request, context))

        return serve

    def _stream(self, handler: Any) -> _Serve:
        """Serve a method whose requests are a stream; each of them counts as a call, where the
        method does not read and count them itself."""
        behaviour = behaviour_of(handler)

        async def serve(requests: AsyncIterator[Any], context: _Context, visit: Visit) -> None:
            await self._answer(context, visit, behaviour(_metered(requests, visit), context))

        return serve

    async def _request(self, context: _Context) -> bytes:
        """Return the bytes of a call's only request. Who begins a call and does not say what he
        wants, or only half of it, is not waited for: gRPC would keep that half for ever."""
        within = self._limits.request_within.total_seconds()
        try:
            async with asyncio.timeout(within):
                came: object = await context.read()
        except TimeoutError:
            raise KitumaijaError(
                ErrorReason.HELLO_LATE,
                f"the call was begun, and its request did not come within {within:g} s",
                {"limit_seconds": f"{within:g}"},
            ) from None
        except (grpc.aio.UsageError, grpc.aio.InternalError):
            # The caller hung up meanwhile.
            raise asyncio.CancelledError from None
        if not isinstance(came, bytes):
            raise wrong_field("request", "nothing", "a message of this method")
        return came

    async def _answer(self, context: _Context, visit: Visit, made: Any) -> None:
        """Write what a behaviour gives: one message, many, or none where it writes itself."""
        if not inspect.isasyncgen(made):
            response = await made
            if response is not None:
                size = response.ByteSize() if isinstance(response, Message) else len(response)
                visit.owe(size // self._limits.answer_bytes_per_call)
                await self._write(context, response)
            return
        async with aclosing(made) as responses:
            begun = False
            async for response in responses:
                if not begun:
                    begun = True
                    await open_answer(context)
                await self._write(context, response)

    async def _write(self, context: _Context, response: Any) -> None:
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


async def _metered(requests: AsyncIterator[Any], visit: Visit) -> AsyncIterator[Any]:
    """Yield the requests of a stream as they are paid for."""
    try:
        async for request in requests:
            visit.spend(1)
            _check(request)
            yield request
    except DecodeError:
        raise _undecodable() from None


def _parsed(parse: Callable[[bytes], Any], data: bytes) -> Any:
    """Return the request; gRPC would tell the caller the exception."""
    try:
        return parse(data)
    except DecodeError:
        raise _undecodable() from None


def _undecodable() -> InvalidArgument:
    return wrong_field("request", "bytes that are no message", "a message of this method")


def _check(request: object) -> None:
    """Look at the texts of a request; those of a bot's stream are looked at one by one."""
    if isinstance(request, Message):
        check_texts(request)
