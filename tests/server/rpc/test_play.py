"""The course of a bot's stream: from Hello over its matches to its end."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from kitumaija.server.lobby.hall import EntropyStep
from kitumaija.v1 import arena_pb2
from kitumaija.wire.status import ErrorReason
from tests.server.rpc.scripted import get_ready, play_out
from tests.support.arena import Arena
from tests.support.clock import ms


async def test_hello_is_answered_with_welcome(arena: Arena) -> None:
    bot = arena.dial("alice")

    welcome = await bot.hello(sdk="raw/1", language="python", bot_version="7", capacity=3)

    assert welcome.bot_id == "alice"
    assert welcome.display_name == "The alice"
    assert welcome.server.startswith("kitumaija/")
    assert welcome.capacity == 3
    assert list(welcome.match_ids) == []
    info = arena.app.presence.info("alice")
    assert info is not None
    assert (info.version, info.sdk, info.language) == ("7", "raw/1", "python")


@pytest.mark.parametrize(("said", "given"), [(0, 8), (1, 1), (64, 64), (65, 64)])
async def test_a_bot_gets_the_capacity_that_it_says_up_to_what_the_server_allows(
    arena: Arena, said: int, given: int
) -> None:
    welcome = await arena.dial("alice").hello(capacity=said)

    assert welcome.capacity == given
    assert arena.app.presence.free("alice") == given


async def test_anything_before_hello_is_a_violation(arena: Arena) -> None:
    bot = arena.dial("alice")
    await bot.ready("m1")

    code, reason, metadata, _ = await bot.end()

    assert (code, reason) == (grpc.StatusCode.INVALID_ARGUMENT, ErrorReason.PROTOCOL_VIOLATION)
    assert metadata == {"violation": "hello_not_first"}


async def test_a_second_hello_is_a_violation(arena: Arena) -> None:
    bot = await arena.connect("alice")
    await bot.say(arena_pb2.BotMessage(hello=arena_pb2.Hello()))

    _, reason, metadata, _ = await bot.end()

    assert reason is ErrorReason.PROTOCOL_VIOLATION
    assert metadata == {"violation": "second_hello"}


async def test_a_message_of_a_newer_peer_is_passed_over(arena: Arena) -> None:
    bot = await arena.connect("alice")
    await bot.say(arena_pb2.BotMessage())
    await bot.say(arena_pb2.BotMessage.FromString(b"\xfa\x3e\x02hi"))

    arena.open_match("alice", "bob")

    await bot.expect("match_start")


async def test_a_stream_without_hello_is_closed_after_ten_seconds(arena: Arena) -> None:
    other = await arena.connect("bob")
    ending = asyncio.create_task(arena.dial("alice").end())
    while not ending.done():
        await other.heard()
        arena.advance(5_001)

    code, reason, metadata, _ = await ending
    assert (code, reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, ErrorReason.HELLO_LATE)
    assert metadata == {"limit_seconds": "10"}


async def test_a_stream_on_which_nothing_is_heard_is_given_up(arena: Arena) -> None:
    bot = arena.dial("alice", answer_pings=False)
    await bot.hello()

    for _ in range(13):
        arena.advance(1_000)

    code, reason, _, _ = await bot.end()
    assert (code, reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, ErrorReason.SILENT)
    assert await arena.left() == ("alice", False)


async def test_what_the_server_did_not_hear_because_it_stood_still_is_no_silence(
    arena: Arena,
) -> None:
    bot = arena.dial("alice", answer_pings=False)
    await bot.hello()
    arena.advance(8_000)
    since = arena.clock.now()
    arena.clock.advance(ms(60_000))
    arena.app.stalled(since, arena.clock.now())

    arena.advance(4_000)
    await arena.connect("bob")
    assert arena.app.presence.connected("alice")
    arena.advance(1_000)

    _, reason, _, _ = await bot.end()
    assert reason is ErrorReason.SILENT


async def test_a_bot_that_answers_pings_may_be_idle_for_ever(arena: Arena) -> None:
    bot = await arena.connect("alice")
    for _ in range(12):
        arena.advance(5_000)
        await bot.heard()

    arena.open_match("alice", "bob")
    await bot.expect("match_start")


async def test_a_decision_tells_the_round_trip_of_the_stream(arena: Arena) -> None:
    alice = arena.dial("alice", answer_pings=False)
    await alice.hello()
    bob = await arena.connect("bob")
    arena.advance(1_000)
    ping = (await alice.frame()).messages[0].ping
    await alice.heard()
    arena.clock.advance(30_000_000)
    await alice.say(arena_pb2.BotMessage(pong=arena_pb2.Pong(nonce=ping.nonce)))
    await alice.heard()

    setup = arena.open_match("alice", "bob")
    await get_ready(setup.match_id, alice, bob)

    assert (await alice.decision()).round_trip_us == 30_000


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
    assert ends[0].deal_seed == setup.deal.seed
    over = await arena.over()
    assert over.setup == setup
    assert list(ends[0].places) == list(over.result.game.result.placing)  # type: ignore[union-attr]


async def test_an_offer_says_nothing_of_who_plays_and_of_the_cards(arena: Arena) -> None:
    bot = await arena.connect("alice")
    setup = arena.open_match("bob", "alice", "carol")

    start = (await bot.expect("match_start")).match_start

    assert {field.name for field, _ in start.ListFields()} == {"match_id", "seats", "limits"}
    assert (start.match_id, start.seats) == (setup.match_id, 3)


async def test_a_bot_that_asks_for_it_gets_all_of_its_events_again(arena: Arena) -> None:
    alice, bob = await arena.connect("alice"), await arena.connect("bob")
    setup = arena.open_match("alice", "bob")
    await get_ready(setup.match_id, alice, bob)
    decision = await alice.decision()

    await alice.say(arena_pb2.BotMessage(resync=arena_pb2.Resync(match_id=setup.match_id)))

    sync = (await alice.expect("match_sync")).match_sync
    again = await alice.decision()
    assert list(sync.events) == list(decision.events)
    assert sync.seating.seat == 0
    assert again.decision_id == decision.decision_id
    assert list(again.events) == []
    assert again.first_event == len(sync.events)


async def test_entropy_is_asked_for_and_brought_to_the_planner(arena: Arena) -> None:
    bot = await arena.connect("alice")
    assert arena.hall.ask_entropy("alice", "t", EntropyStep.COMMIT, bytes(32))
    request = (await bot.expect("entropy_request")).entropy_request
    assert (request.tournament_id, request.step) == ("t", arena_pb2.ENTROPY_STEP_COMMIT)

    entropy = arena_pb2.Entropy(tournament_id="t", value=bytes(range(32)), step=request.step)
    await bot.say(arena_pb2.BotMessage(entropy=entropy))

    given = await arena.plan.entropies.get()
    assert given == ("alice", "t", EntropyStep.COMMIT, bytes(range(32)))


async def test_a_bot_that_is_away_cannot_be_asked_for_entropy(arena: Arena) -> None:
    arena.register("alice")

    assert not arena.hall.ask_entropy("alice", "t", EntropyStep.COMMIT, bytes(32))
