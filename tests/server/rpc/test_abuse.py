"""Bots that send too much, too large, or never read: only their own seats suffer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from kitumaija.server.limits import ServerLimits
from kitumaija.server.match import Fault, MatchPlayed
from kitumaija.v1 import arena_pb2
from kitumaija.wire.limits import FRAME_BYTES_MAX
from kitumaija.wire.status import ErrorReason
from tests.server.rpc.scripted import get_ready, play_out
from tests.support.arena import Arena, running_arena
from tests.support.raw_bot import RawBot, StreamEnded


async def both(arena: Arena) -> tuple[str, RawBot, RawBot]:
    """Seat alice and bob at a match."""
    alice, bob = await arena.connect("alice"), await arena.connect("bob")
    setup = arena.open_match("alice", "bob")
    await get_ready(setup.match_id, alice, bob)
    return setup.match_id, alice, bob


async def faults_of_alice(arena: Arena) -> tuple[Fault, ...]:
    result = (await arena.over()).result
    assert isinstance(result, MatchPlayed)
    assert result.faults[1] == ()
    return result.faults[0]


async def test_a_bot_that_floods_the_server_loses_its_stream_and_its_seats(arena: Arena) -> None:
    _, alice, bob = await both(arena)

    nothing = arena_pb2.BotMessage()
    await alice.say(*[nothing] * 540)

    code, reason, metadata, _ = await alice.end()
    assert (code, reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, ErrorReason.FLOODING)
    assert metadata == {"limit_per_second": "50"}
    end = (await bob.until("match_end")).match_end
    assert list(end.places) == [2, 1]
    assert await faults_of_alice(arena) == (Fault.FLOODING,)


async def test_large_frames_count_as_many_messages(arena: Arena) -> None:
    alice = await arena.connect("alice")
    padded = arena_pb2.BotMessage.FromString(b"\xfa\x3e\xff\xf7\x03" + bytes(64_511))

    for _ in range(9):
        await alice.say(padded)

    _, reason, _, _ = await alice.end()
    assert reason is ErrorReason.FLOODING


async def test_a_bot_that_answers_what_it_is_asked_never_floods(arena: Arena) -> None:
    """Two matches of hundreds of decisions, all in one instant of the server's clock."""
    alice, bob = await arena.connect("alice"), await arena.connect("bob")
    for _ in range(2):
        setup = arena.open_match("alice", "bob")
        await get_ready(setup.match_id, alice, bob)
        ends = await play_out(alice, bob)
        assert ends[0].ending == arena_pb2.MATCH_ENDING_PLAYED


async def test_asking_for_all_events_again_and_again_is_flooding(arena: Arena) -> None:
    match_id, alice, _ = await both(arena)
    resync = arena_pb2.BotMessage(resync=arena_pb2.Resync(match_id=match_id))

    await alice.say(*[resync] * 30)

    _, reason, _, _ = await alice.end()
    assert reason is ErrorReason.FLOODING


async def test_coming_back_again_and_again_is_no_way_to_send_or_ask_more(tmp_path: Path) -> None:
    """Each stream is told everything anew, and none brings a new burst with it."""
    limits = ServerLimits(unasked_burst=20, burst_per_match=0)
    async with running_arena(tmp_path / "data", limits=limits) as arena:
        match_id, alice, bob = await both(arena)
        come = 0
        while True:
            await alice.close()
            assert await arena.left() == ("alice", False)
            alice = arena.dial("alice")
            try:
                await alice.hello()
            except StreamEnded:
                break
            come += 1
            assert (await alice.expect("match_sync")).match_sync.match_id == match_id
        assert come < 10
        _, reason, metadata, _ = await alice.end()
        assert reason is ErrorReason.RESOURCE_EXHAUSTED
        assert metadata["retry_seconds"] == "1"

        arena.advance(1_000)
        alice = await arena.connect("alice")
        end, _ = await play_out(alice, bob)
        assert (end.ending, len(end.forfeits)) == (arena_pb2.MATCH_ENDING_PLAYED, 0)


@pytest.mark.parametrize("extra", [0, 1])
async def test_a_frame_may_be_as_large_as_the_limit_and_no_larger(arena: Arena, extra: int) -> None:
    alice = await arena.connect("alice")
    size = FRAME_BYTES_MAX + extra
    # Around the padding are: the message's tag and length, the unknown field's tag and length.
    padding = bytes(size - 4 - 5)
    message = arena_pb2.BotMessage.FromString(b"\xfa\x3e" + _varint(len(padding)) + padding)
    assert arena_pb2.PlayRequest(messages=[message]).ByteSize() == size

    await alice.say(message)

    if extra:
        code, reason, metadata, _ = await alice.end()
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert reason is ErrorReason.FRAME_TOO_LARGE
        assert metadata == {"limit_bytes": str(FRAME_BYTES_MAX)}
    else:
        await alice.heard()


async def test_a_frame_that_no_server_should_hold_ends_the_stream_alone(arena: Arena) -> None:
    _, alice, bob = await both(arena)
    huge = arena_pb2.BotMessage(goodbye=arena_pb2.Goodbye(reason="x" * 64 * 1024 * 1024))

    await alice.say(huge)

    code, _, _, _ = await alice.end()
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert await arena.left() == ("alice", False)
    await bob.heard()


async def test_a_token_opens_only_so_many_streams_at_once(tmp_path: Path) -> None:
    async with running_arena(tmp_path / "data", limits=ServerLimits(streams_per_bot=3)) as arena:
        arena.register("mallory")
        ends = {asyncio.create_task(arena.dial("mallory").end()) for _ in range(5)}
        refused: list[tuple[grpc.StatusCode, ErrorReason | None, dict[str, str], str]] = []
        while len(refused) < 2:
            done, ends = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            refused += [task.result() for task in done]

        for code, reason, metadata, _ in refused:
            assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert reason is ErrorReason.RESOURCE_EXHAUSTED
            assert metadata == {"resource": "streams", "limit": "3", "retry_seconds": "10"}
        await arena.connect("alice")
        # Those that say no Hello are closed, and make room.
        arena.advance(10_001)
        assert len(await asyncio.gather(*ends)) == 3
        await arena.connect("mallory")


@pytest.fixture
async def tight(tmp_path: Path) -> AsyncIterator[Arena]:
    """A server that keeps little for bots that do not read, and takes much from them."""
    limits = ServerLimits(
        outbox_bytes_min=64 * 1024, outbox_bytes_per_match=0, unasked_burst=100_000_000
    )
    async with running_arena(tmp_path / "data", limits=limits) as running:
        yield running


async def test_a_bot_that_does_not_read_is_closed_and_the_others_play_on(tight: Arena) -> None:
    deaf = tight.dial("alice", channel_options=SMALL_WINDOW)
    await deaf.hello()
    bob, carol = await tight.connect("bob"), await tight.connect("carol")
    setup = tight.open_match("alice", "bob")
    await get_ready(setup.match_id, deaf, bob)

    resync = arena_pb2.BotMessage(resync=arena_pb2.Resync(match_id=setup.match_id))
    while tight.plan.gone.empty():
        await deaf.say(*[resync] * 20)
        await bob.heard()
    assert await tight.left() == ("alice", False)

    other = tight.open_match("bob", "carol")
    await get_ready(other.match_id, bob, carol)
    await play_out(bob, carol)
    code, reason, _, _ = await deaf.end()
    assert (code, reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, ErrorReason.NOT_READING)


# With gRPC's own ways to make it larger switched off.
SMALL_WINDOW = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1024))


def _varint(number: int) -> bytes:
    low = []
    while number > 0x7F:
        low.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*low, number])
