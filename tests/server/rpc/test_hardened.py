"""Calls of methods that there are not, by names of any bytes: refused, and the server goes on."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import grpc.aio
import pytest

from kitumaija.server.bench.http2 import (
    FrameType,
    data_frame,
    frame,
    preface,
    request_headers,
)
from kitumaija.v1 import bot_pb2
from tests.support.organizer import Organizer
from tests.support.raw_bot import PATIENCE

LIST = "/kitumaija.v1.BotService/ListBots"


def called(path: bytes) -> bytes:
    """Return what a client says who calls a method whose path is as long as that of `LIST`."""
    assert len(path) == len(LIST)
    said = request_headers(LIST).replace(LIST.encode(), path)
    nothing = data_frame(bot_pb2.ListBotsRequest())
    return preface(65_535) + said + nothing + frame(FrameType.DATA, 1, 1, b"")


@pytest.mark.parametrize(
    "path",
    [
        LIST.encode().replace(b"Bot", b"B\xb0t", 1),
        b"\xff" * len(LIST),
        b"/\xed\xa0\x80".ljust(len(LIST), b"x"),
        b"/" + b"\x80/" * 16,
    ],
    ids=["one byte", "all bytes", "surrogate", "continuations"],
)
async def test_a_path_that_is_no_utf_8_ends_its_own_call_at_most(
    organizer: Organizer, path: bytes
) -> None:
    await organizer.register("ann")
    ann = await organizer.connect("ann")
    for _ in range(3):
        reader, writer = await asyncio.open_connection("127.0.0.1", organizer.app.port)
        writer.write(called(path.ljust(len(LIST), b"x")[: len(LIST)]))
        async with asyncio.timeout(PATIENCE):
            assert await reader.read(1)
        await organizer.call(organizer.registry.ListBots, bot_pb2.ListBotsRequest())
        writer.close()
    assert organizer.app.presence.connected("ann")
    assert not ann.stuck.is_set()


@pytest.mark.parametrize(
    "path", ["/kitumaija.v1.BotService/Nothing", "/Nothing/ListBots", "/nothing", "/" + "x" * 2_000]
)
async def test_a_method_that_there_is_not_is_unimplemented(organizer: Organizer, path: str) -> None:
    channel: Any
    async with grpc.aio.insecure_channel(organizer.app.address) as channel:
        for _ in range(2):
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                async with asyncio.timeout(PATIENCE):
                    await channel.unary_unary(path)(b"")
            assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED
