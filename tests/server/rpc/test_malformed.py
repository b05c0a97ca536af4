"""Bytes that are no message, and messages that no honest bot sends: the others play on."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import grpc.aio
import pytest

from kitumaija.server.match import Fault, MatchPlayed
from kitumaija.v1 import arena_pb2, cards_pb2, game_pb2
from kitumaija.wire.status import ErrorReason, reason_of
from tests.server.rpc.scripted import get_ready, play_out
from tests.support.arena import Arena
from tests.support.organizer import Organizer
from tests.support.raw_bot import PATIENCE

PLAY = "/kitumaija.v1.ArenaService/Play"
HELLO = arena_pb2.PlayRequest(messages=[arena_pb2.BotMessage(hello=arena_pb2.Hello())])

NO_FRAMES = {
    "cut short": b"\x0a\x7f\x0a",
    "a group that ends before it begins": b"\x0c",
    "a varint without an end": b"\xff" * 11,
    "a field number of 0": b"\x00\x01",
    "a text that is no UTF-8": b"\x0a\x06\x0a\x04\x0a\x02\xff\xfe",
    "a surrogate": b"\x0a\x07\x0a\x05\x0a\x03\xed\xa0\x80",
    "groups in groups": b"\x0b" * 20_000,
    "a wrong wire type for a known field": b"\x0d\x01\x02\x03",
}


@pytest.mark.parametrize("data", NO_FRAMES.values(), ids=NO_FRAMES.keys())
async def test_bytes_that_are_no_frame_end_their_stream_alone(arena: Arena, data: bytes) -> None:
    token = arena.register("mallory")
    alice, bob = await arena.connect("alice"), await arena.connect("bob")
    setup = arena.open_match("alice", "bob")
    await get_ready(setup.match_id, alice, bob)

    async with grpc.aio.insecure_channel(arena.app.address) as channel:
        call: Any = channel.stream_stream(PLAY)(metadata=(("authorization", f"Bearer {token}"),))
        await call.write(HELLO.SerializeToString())
        assert b"mallory" in await call.read()
        await call.write(data)
        async with asyncio.timeout(PATIENCE):
            code, details = await call.code(), await call.details()

    assert code is not grpc.StatusCode.UNKNOWN
    assert not {"Traceback", "Error", "File"} & set((details or "").split())
    ends = await play_out(alice, bob)
    assert ends[0].ending == arena_pb2.MATCH_ENDING_PLAYED


@pytest.mark.parametrize("data", NO_FRAMES.values(), ids=NO_FRAMES.keys())
async def test_bytes_that_are_no_request_are_refused_without_an_exceptions_text(
    organizer: Organizer, data: bytes
) -> None:
    async with grpc.aio.insecure_channel(organizer.app.address) as channel:
        call: Any = channel.unary_unary("/kitumaija.v1.TournamentService/CreateTournament")
        metadata = (("authorization", f"Bearer {organizer.token}"),)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call(data, metadata=metadata)

    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    found = reason_of(refused.value)
    assert found is not None
    assert found[1]["field"] == "request"


STRANGE_ACTIONS = {
    "none": game_pb2.Action(),
    "no card": game_pb2.Action(play=cards_pb2.CARD_UNSPECIFIED),
    "a card below the first": game_pb2.Action.FromString(b"\x08" + b"\xff" * 9 + b"\x01"),
    "a card behind the last": game_pb2.Action.FromString(b"\x08\x35"),
    "the largest card": game_pb2.Action.FromString(b"\x08\xff\xff\xff\xff\x07"),
    "no cards": game_pb2.Action(take=0),
    "more cards than there are": game_pb2.Action(take=53),
    "four thousand million cards": game_pb2.Action(take=2**32 - 1),
    "an action of later": game_pb2.Action.FromString(b"\xfa\x3e\x03abc"),
}


@pytest.mark.parametrize("action", STRANGE_ACTIONS.values(), ids=STRANGE_ACTIONS.keys())
async def test_an_action_that_there_is_not_is_refused_without_a_word_too_many(
    arena: Arena, action: game_pb2.Action
) -> None:
    alice, bob = await arena.connect("alice"), await arena.connect("bob")
    setup = arena.open_match("alice", "bob")
    await get_ready(setup.match_id, alice, bob)
    decision = await alice.decision()

    said = arena_pb2.Answer(match_id=setup.match_id, decision_id=1, action=action)
    for retries_left in (2, 1, 0):
        await alice.say(arena_pb2.BotMessage(answer=said))
        refusal = (await alice.expect("refusal")).refusal
        assert refusal.reason == arena_pb2.REFUSAL_REASON_MALFORMED_ACTION
        assert refusal.retries_left == retries_left
        assert refusal.HasField("legal") == (retries_left > 0)
    assert decision.decision_id == 1

    ends = await play_out(alice, bob)
    assert ends[0].ending == arena_pb2.MATCH_ENDING_PLAYED
    result = (await arena.over()).result
    assert isinstance(result, MatchPlayed)
    assert result.faults == ((Fault.ILLEGAL_ACTION,), ())


@pytest.mark.parametrize("decision_id", [0, 2, 3, 2**32 - 1])
async def test_no_decision_can_be_answered_that_was_not_asked(
    arena: Arena, decision_id: int
) -> None:
    alice, bob = await arena.connect("alice"), await arena.connect("bob")
    setup = arena.open_match("alice", "bob")
    await get_ready(setup.match_id, alice, bob)
    legal = (await alice.decision()).legal
    action = game_pb2.Action(play=legal.play[0])

    said = arena_pb2.Answer(match_id=setup.match_id, decision_id=decision_id, action=action)
    await alice.say(arena_pb2.BotMessage(answer=said))
    # Nor one of another seat, or of a bot that does not sit there.
    said.decision_id = 1
    carol = await arena.connect("carol")
    for stranger, reason in (
        (bob, arena_pb2.REFUSAL_REASON_UNKNOWN_DECISION),
        (carol, arena_pb2.REFUSAL_REASON_UNKNOWN_MATCH),
    ):
        await stranger.say(arena_pb2.BotMessage(answer=said))
        refusal = (await stranger.expect("refusal")).refusal
        assert (refusal.reason, refusal.HasField("legal")) == (reason, False)

    refusal = (await alice.expect("refusal")).refusal
    assert refusal.reason == arena_pb2.REFUSAL_REASON_UNKNOWN_DECISION
    assert not refusal.HasField("legal")


async def test_a_capacity_of_any_size_is_cut_to_what_the_server_allows(arena: Arena) -> None:
    welcome = await arena.dial("alice").hello(capacity=2**32 - 1)

    assert welcome.capacity == arena.app.settings.capacity_max


@pytest.mark.parametrize(
    "metadata",
    [
        (("authorization", "Bearer "),),
        (("authorization", "Basic YWxhZGRpbg=="),),
        (("authorization", "x" * 4_000),),
        (("authorization", "Bearer " + "x" * 4_000),),
        (("authorization-bin", b"\xff\xfe"),),
        (("authorization", "Bearer a"), ("authorization", "Bearer b")),
    ],
    ids=["empty", "basic", "no scheme", "long", "bytes", "two"],
)
async def test_no_strange_token_opens_a_stream(
    arena: Arena, metadata: tuple[tuple[str, Any], ...]
) -> None:
    async with grpc.aio.insecure_channel(arena.app.address) as channel:
        call: Any = channel.stream_stream(PLAY)(metadata=metadata)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call.read()

    assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_a_second_stream_that_has_not_said_hello_harms_nothing(arena: Arena) -> None:
    """Who has half of a stream open can break the protocol there; the bot's matches go on."""
    alice, bob = await arena.connect("alice"), await arena.connect("bob")
    setup = arena.open_match("alice", "bob")
    await get_ready(setup.match_id, alice, bob)

    second = arena.dial("alice")
    await second.ready(setup.match_id)
    assert (await second.end())[1] is ErrorReason.PROTOCOL_VIOLATION

    ends = await play_out(alice, bob)
    assert ends[0].ending == arena_pb2.MATCH_ENDING_PLAYED
