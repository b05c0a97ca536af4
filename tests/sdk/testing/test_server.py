"""The scripted server keeps the protocol, and tells what a bot did not."""

from __future__ import annotations

import asyncio

import pytest

from kitumaija.sdk.testing import Line, ScriptedServer
from kitumaija.v1 import arena_pb2
from kitumaija.wire.kinds import Kind
from kitumaija.wire.session import LocalProtocolError
from tests.support.bots import First
from tests.support.client import client_for, playing


async def test_a_script_that_hears_something_else_fails_the_test() -> None:
    async def script(line: Line) -> None:
        await line.greet()
        await line.say(
            arena_pb2.ServerMessage(match_start=arena_pb2.MatchStart(match_id="m", seats=2))
        )
        await line.hear(Kind.ANSWER)

    with pytest.raises(AssertionError, match="got READY, wanted ANSWER"):
        async with playing(First, script):
            pass


async def test_a_script_that_breaks_the_protocol_fails_the_test() -> None:
    async def script(line: Line) -> None:
        await line.greet()
        await line.seat("m")
        await line.seat("m")

    with pytest.raises(LocalProtocolError, match="seated twice"):
        async with playing(First, script):
            pass


async def test_the_last_script_is_played_on_every_further_stream() -> None:
    streams: list[str] = []
    third = asyncio.Event()

    async def first(line: Line) -> None:
        await line.greet()
        streams.append("first")
        await line.cut()

    async def second(line: Line) -> None:
        await line.greet()
        streams.append("second")
        if len(streams) == 3:
            third.set()
        await line.cut()

    async with ScriptedServer(first, second) as server:
        client = client_for(server, First)
        run = asyncio.create_task(client.run())
        await third.wait()
        client.stop()
        await run

    assert streams[:3] == ["first", "second", "second"]


async def test_a_bot_that_leaves_in_the_middle_is_told() -> None:
    async def script(line: Line) -> None:
        await line.greet()
        await line.hear(Kind.READY)

    async with ScriptedServer(script) as server:
        client = client_for(server, First)
        run = asyncio.create_task(client.run())
        await asyncio.sleep(0)
        client.stop()
        with pytest.raises(AssertionError, match="wanted (HELLO|READY)"):
            await server.played()
        await run


def test_a_server_without_a_script_is_refused() -> None:
    with pytest.raises(ValueError, match="got no script"):
        ScriptedServer()


async def test_a_script_may_speak_from_many_tasks_at_once() -> None:
    sent = range(1, 200)
    back: set[int] = set()

    async def script(line: Line) -> None:
        await line.greet()
        pings = [arena_pb2.ServerMessage(ping=arena_pb2.Ping(nonce=nonce)) for nonce in sent]
        await asyncio.gather(*(line.say(ping) for ping in pings))
        while len(back) < len(sent) and (frame := await line.read()) is not None:
            back.update(message.pong.nonce for message in frame.messages)

    async with playing(First, script):
        pass

    assert back == set(sent)
