"""Every method of every service, with messages that nobody sends and bytes that are none.

Each call ends well, or with a status that says why: never with a fault of the server, and never
with the text of an exception.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

import grpc.aio
from google.protobuf import symbol_database
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from structlog.testing import capture_logs

from kitumaija.server.limits import ServerLimits
from kitumaija.v1 import bot_pb2, replay_pb2, tournament_pb2
from kitumaija.wire.status import ErrorReason, reason_of
from tests.fuzz.figures import Figures, GoesOn
from tests.fuzz.mutating import fill, mutated, noise
from tests.support.organizer import Organizer, organized

PATIENCE: Final = 20.0
ROUND: Final = 50
MANY: Final = 10**9

METHODS: Final[Sequence[MethodDescriptor]] = tuple(
    method
    for descriptor in (bot_pb2.DESCRIPTOR, replay_pb2.DESCRIPTOR, tournament_pb2.DESCRIPTOR)
    for service in descriptor.services_by_name.values()
    for method in service.methods
)

LOOSE: Final = ServerLimits(calls_per_second=MANY, calls_burst=MANY, silence_max=timedelta(days=1))


@asynccontextmanager
async def served(**settings: Any) -> AsyncIterator[Organizer]:
    """A server that has something in it, and does not count calls."""
    with tempfile.TemporaryDirectory(prefix="kitumaija-fuzz-") as folder:
        async with organized(Path(folder) / "data", limits=LOOSE, **settings) as organizer:
            await organizer.register("ann", "a")
            await organizer.create("cup")
            await organizer.enter("ann", "a")
            yield organizer


async def unary_calls(chance: Random, goes_on: GoesOn) -> Figures:
    """Call every method as anybody, as a bot and as the organizer."""
    figures = Figures()
    async with served() as organizer:
        channel = grpc.aio.insecure_channel(organizer.app.address)
        tokens = (None, "made up", organizer.tokens["ann"], organizer.token)
        while goes_on(figures.inputs):
            with capture_logs() as logs:
                calls = [_call(figures, channel, *_input(chance, tokens)) for _ in range(ROUND)]
                await asyncio.gather(*calls)
            for line in logs:
                if line.get("event") == "fault of the server":
                    figures.broke(line.get("where"), line["exc_info"])
        await channel.close()
    return figures


def _input(
    chance: Random, tokens: Sequence[str | None]
) -> tuple[MethodDescriptor, bytes, str | None]:
    method = chance.choice(METHODS)
    request: Message = symbol_database.Default().GetSymbol(method.input_type.full_name)()
    fill(chance, request)
    data = request.SerializeToString()
    if chance.random() < 0.2:
        data = mutated(chance, data) if chance.random() < 0.8 else noise(chance)
    return method, data, chance.choice(tokens)


async def _call(
    figures: Figures, channel: Any, method: MethodDescriptor, data: bytes, token: str | None
) -> None:
    path = f"/{method.containing_service.full_name}/{method.name}"
    metadata = () if token is None else (("authorization", f"Bearer {token}"),)
    given = (method.name, data)
    try:
        async with asyncio.timeout(PATIENCE):
            if method.server_streaming:
                call = channel.unary_stream(path)(data, metadata=metadata)
                await call.read()  # the first is enough: some go on for as long as a tournament
                call.cancel()
            else:
                await channel.unary_unary(path)(data, metadata=metadata)
    except grpc.aio.AioRpcError as error:
        _look(figures, given, error)
    except TimeoutError:
        figures.broke(given, "no answer")
    else:
        figures.came_to("OK")


def _look(figures: Figures, given: object, error: grpc.aio.AioRpcError) -> None:
    found = reason_of(error)
    if found is not None and found[0] is not ErrorReason.INTERNAL:
        figures.came_to(found[0].value)
    else:
        figures.broke(given, f"{error.code()} {error.details()}")
