"""gRPC's server without the requests that would end it, or have it stand still.

The name of a method comes from the network as bytes. gRPC's own loop decodes that of a method that
it does not know, outside of any handler: one call whose path is no UTF-8, from anybody, ended the
loop and with it the server (seen with grpcio 1.85.3). So methods are all registered, their names
are compared as bytes, and a call of any other is refused here with its name left alone.

A call may have 16 KiB of headers at most. But those whose end never came are handed on as they are
when the connection breaks off, however many (the same gRPC), and are then made into Python's texts,
one by one: six megabytes kept everybody waiting for two seconds. So they are taken away before.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Sequence
from typing import Any, Final

import grpc
import grpc.aio
from grpc._cython import cygrpc
from grpc.aio._server import Server as GrpcServer

# It is private to gRPC, made in Cython, and has no types.
_core: Any = cygrpc
_NEEDED = ("RPCState", "_MethodResolver", "_handle_rpc", "_schedule_rpc_coro", "get_working_loop")
_NEEDED_OF_LOOP = ("_make_request_call_future", "_request_call")

HEADERS_MAX: Final = 512
"""The most headers of a call: each counts as 32 bytes and more, of 16 KiB at most."""

_CALL_BYTES: Final = 224
_HEADERS_AT: Final = 14 * 8
"""How large gRPC's object for a call is, and where in it the number of its headers stands, followed
by the number that there is room for. Python has no other way to it."""


class _Loop(_core.AioServer):  # type: ignore[misc]  # as above
    """gRPC's loop. `_make_request_call_future` is where it asks for the next call: of a method, or,
    by None, of one that is not registered."""

    def _make_request_call_future(self, method: bytes | None) -> asyncio.Future[Any]:
        if method is not None:
            registered: asyncio.Future[Any] = super()._make_request_call_future(method)
            registered.add_done_callback(_come)
            return registered
        return asyncio.get_running_loop().create_task(self._refuse_unknown())

    async def _refuse_unknown(self) -> None:
        """Refuse all calls of unknown methods; it ends as gRPC's own request does, by an error when
        the server stops."""
        loop = asyncio.get_running_loop()
        nothing = _core._MethodResolver([], {})  # noqa: SLF001
        refusing: set[asyncio.Task[Any]] = set()
        while True:
            call = await self._request_call()
            _take_excess_away(call)
            refusal = _core._handle_rpc("", nothing, (), call, loop, False)  # noqa: SLF001
            task = loop.create_task(
                _core._schedule_rpc_coro(refusal, call, loop, "")  # noqa: SLF001
            )
            refusing.add(task)
            task.add_done_callback(refusing.discard)


def _come(coming: asyncio.Future[Any]) -> None:
    if not coming.cancelled() and coming.exception() is None:
        _take_excess_away(coming.result())


def _take_excess_away(call: Any) -> None:
    """Leave a call that has more headers than any may have none of them: it is broken off anyway.

    gRPC frees them with the call. Of a gRPC that is made otherwise nothing is touched.
    """
    if type(call) is not _core.RPCState or _core.RPCState.__basicsize__ != _CALL_BYTES:
        return
    headers = (ctypes.c_size_t * 2).from_address(id(call) + _HEADERS_AT)
    if HEADERS_MAX < headers[0] <= headers[1]:
        headers[0] = 0


class HardenedServer(GrpcServer):
    """A `grpc.aio.Server` whose methods are all registered, and whose calls have few headers.

    Raises `RuntimeError` for a gRPC that is made in another way than those that were looked at.
    """

    def __init__(
        self, interceptors: Sequence[grpc.aio.ServerInterceptor], options: Sequence[tuple[str, Any]]
    ) -> None:
        wanted = [(_core, name) for name in _NEEDED]
        wanted += [(_core.AioServer, name) for name in _NEEDED_OF_LOOP]
        missing = [name for owner, name in wanted if not hasattr(owner, name)]
        if missing:
            raise RuntimeError(
                f"got grpcio {grpc.__version__}, which has no {missing[0]}; wanted one that this "
                "server can be kept up with: install the one of its requirements"
            )
        # What the base does, with our loop in place of its own.
        self._loop = _core.get_working_loop()
        self._server = _Loop(self._loop, None, (), tuple(interceptors), tuple(options), None)
