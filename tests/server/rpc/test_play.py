"""The course of a bot's stream, over real sockets."""

from __future__ import annotations

from kitumaija.v1 import arena_pb2
from tests.server.rpc.scripted import play_out
from tests.support.arena import Arena


async def test_hello_is_answered_with_welcome(arena: Arena) -> None:
    bot = arena.dial("alice")

    welcome = await bot.hello(sdk="raw/1", language="python", bot_version="7", capacity=3)

    assert welcome.bot_id == "alice"
    assert welcome.display_name == "The alice"
    assert welcome.capacity == 3
    assert list(welcome.match_ids) == []
    info = arena.app.presence.info("alice")
    assert info is not None
    assert info.version == "7"


async def test_a_match_is_played_to_its_end(arena: Arena) -> None:
    alice, bob = await arena.connect("alice"), await arena.connect("bob")
    setup = arena.open_match("alice", "bob")
    for bot in (alice, bob):
        start = (await bot.expect("match_start")).match_start
        assert (start.match_id, start.seats) == (setup.match_id, 2)
        await bot.ready(setup.match_id)
    for seat, bot in enumerate((alice, bob)):
        seating = (await bot.expect("seating")).seating
        assert seating.seat == seat
        assert [player.display_name for player in seating.players] == ["The alice", "The bob"]

    ends = await play_out(alice, bob)

    assert [end.ending for end in ends] == [arena_pb2.MATCH_ENDING_PLAYED] * 2
