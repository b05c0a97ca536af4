"""gRPC's server without the one request that would end it.

The name of a method comes from the network as bytes. gRPC's own loop decodes that of a method that
it does not know, outside of any handler: one call whose path is no UTF-8, from anybody, ended the
loop and with it the server (seen with grpcio 1.85.3). So methods are all registered, their names
are compared as bytes, and a call of any other is refused here with its name left alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import grpc.aio
from grpc._cython import cygrpc
from grpc.aio._server import Server as GrpcServer


class _Loop(cygrpc.AioServer):  # type: ignore[misc]  # it is made in Cython, and has no types
    """gRPC's loop. `_make_request_call_future` is where it asks for the next call: of a method, or,
    by None, of one that is not registered."""

    def _make_request_call_future(self, method: bytes | None) -> asyncio.Future[Any]:
        if method is not None:
            registered: asyncio.Future[Any] = super()._make_request_call_future(method)
            return registered
        return asyncio.get_running_loop().create_task(self._refuse_unknown())

    async def _refuse_unknown(self) -> None:
        """Refuse all calls of unknown methods; it ends as gRPC's own request does, by an error when
        the server stops."""
        loop = asyncio.get_running_loop()
        nothing = cygrpc._MethodResolver([], {})  # noqa: SLF001 - it is private, as all of the loop
        refusing: set[asyncio.Task[Any]] = set()
        while True:
            call = await self._request_call()
            refusal = cygrpc._handle_rpc("", nothing, (), call, loop, False)  # noqa: SLF001
            task = loop.create_task(
                cygrpc._schedule_rpc_coro(refusal, call, loop, "")  # noqa: SLF001
            )
            refusing.add(task)
            task.add_done_callback(refusing.discard)


class HardenedServer(GrpcServer):
    """A `grpc.aio.Server` whose methods are all registered."""

    def __init__(
        self, interceptors: Sequence[grpc.aio.ServerInterceptor], options: Sequence[tuple[str, Any]]
    ) -> None:
        # What the base does, with our loop in place of its own.
        self._loop = cygrpc.get_working_loop()
        self._server = _Loop(self._loop, None, (), tuple(interceptors), tuple(options), None)
