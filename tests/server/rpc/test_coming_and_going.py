"""Bots that are lost, come back, are replaced, say goodbye; servers that shut down."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import grpc
import pytest

from kitumaija.server.match import Fault
from kitumaija.server.match.journal import Decided, Forfeited
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import legal_from_message
from kitumaija.wire.status import ErrorReason
from tests.server.rpc.scripted import first_legal, get_ready, play_out
from tests.support.arena import Arena
from tests.support.raw_bot import RawBot, StreamEnded


async def in_a_match(arena: Arena) -> tuple[str, RawBot, RawBot, arena_pb2.Decision]:
    """Seat alice and bob; return the match, both, and what alice is asked."""
    alice, bob = await arena.connect("alice"), await arena.connect("bob")
    setup = arena.open_match("alice", "bob")
    await get_ready(setup.match_id, alice, bob)
    decision = await alice.decision()
    await alice.heard()
    return setup.match_id, alice, bob, decision


def faults(arena: Arena, match_id: str) -> list[Fault | None]:
    return [entry.fault for entry in arena.entries(match_id) if isinstance(entry, Decided)]


async def test_a_lost_bot_comes_back_and_is_asked_again_with_the_clock_running_on(
    arena: Arena,
) -> None:
    match_id, alice, _, decision = await in_a_match(arena)
    arena.advance(100)
    await alice.close()
    assert await arena.left() == ("alice", False)
    arena.advance(300)

    again = arena.dial("alice")
    welcome = await again.hello()
    sync = (await again.expect("match_sync")).match_sync
    asked = (await again.expect("decision")).decision

    assert list(welcome.match_ids) == [match_id]
    assert list(sync.events) == list(decision.events)
    assert asked.decision_id == decision.decision_id
    assert asked.view == decision.view
    assert asked.legal == decision.legal
    assert asked.time_left_us == decision.time_left_us - 400_000


async def test_reconnecting_never_gains_time(arena: Arena) -> None:
    _, bot, _, decision = await in_a_match(arena)
    left = [decision.time_left_us]
    for _ in range(20):
        await bot.close()
        await arena.left()
        arena.advance(10)
        bot = await arena.connect("alice")
        left.append((await bot.decision()).time_left_us)

    assert left == [decision.time_left_us - 10_000 * times for times in range(21)]


async def test_an_answer_that_was_lost_with_the_stream_can_be_sent_again(arena: Arena) -> None:
    _, alice, _, decision = await in_a_match(arena)
    chosen = legal_from_message(decision.legal)[0]
    await alice.answer(decision, chosen)
    await alice.expect("accepted")
    await alice.close()
    await arena.left()

    again = await arena.connect("alice")
    await again.answer(decision, chosen)

    accepted = (await again.until("accepted")).accepted
    assert accepted.decision_id == decision.decision_id


async def test_a_bot_that_stays_away_plays_by_default_and_then_loses_its_seat(
    arena: Arena,
) -> None:
    match_id, alice, bob, _ = await in_a_match(arena)
    await alice.close()
    await arena.left()

    arena.advance(11_050 + 21)
    await bob.heard()
    assert faults(arena, match_id) == [Fault.DISCONNECTED]

    arena.advance(3_928)
    await bob.heard()
    arena.advance(22)
    end = (await bob.until("match_end")).match_end
    assert [forfeit.seat for forfeit in end.forfeits] == [0]
    assert list(end.places) == [2, 1]


async def test_the_newest_stream_of_a_token_wins_in_the_middle_of_a_decision(
    arena: Arena,
) -> None:
    _, older, bob, decision = await in_a_match(arena)

    newer = await arena.connect("alice")
    asked = await newer.decision()
    code, reason, _, _ = await older.end()

    assert (code, reason) == (grpc.StatusCode.ABORTED, ErrorReason.REPLACED)
    assert asked.decision_id == decision.decision_id
    await newer.answer(asked, first_legal(asked))
    await play_out(newer, bob)
    assert arena.plan.gone.empty(), "a bot that is replaced was never away"


async def test_two_copies_of_a_bot_cannot_throw_each_other_out_for_ever(arena: Arena) -> None:
    last = [await arena.connect("alice") for _ in range(1 + 5)][-1]
    late = arena.dial("alice")
    await late.say(arena_pb2.BotMessage(hello=arena_pb2.Hello()))

    code, reason, metadata, _ = await late.end()

    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert reason is ErrorReason.TOO_MANY_REPLACEMENTS
    assert metadata == {"retry_seconds": "60"}
    await last.heard()


async def test_a_bot_that_says_goodbye_is_not_waited_for(arena: Arena) -> None:
    match_id, alice, bob, _ = await in_a_match(arena)

    await alice.goodbye("enough for today")

    with pytest.raises(StreamEnded):
        await alice.next()
    assert await alice.call.code() is grpc.StatusCode.OK
    assert await arena.left() == ("alice", True)
    await bob.decision()
    assert faults(arena, match_id)[0] is Fault.DISCONNECTED


async def test_a_half_closed_stream_is_a_lost_connection(arena: Arena) -> None:
    _, alice, _, _ = await in_a_match(arena)

    await alice.call.done_writing()

    assert await arena.left() == ("alice", False)


async def test_a_drained_stream_is_served_on_and_then_ended(arena: Arena) -> None:
    _, alice, bob, decision = await in_a_match(arena)

    stopping = asyncio.create_task(arena.app.stop(drain=timedelta(seconds=20)))
    drain = (await alice.until("drain")).drain
    await alice.answer(decision, legal_from_message(decision.legal)[0])
    await alice.expect("accepted")
    late = arena.dial("carol")
    code, reason, _, _ = await late.end()
    assert (code, reason) == (grpc.StatusCode.UNAVAILABLE, ErrorReason.DRAINING)

    for bot in (alice, bob):
        await bot.close()
    await stopping

    assert drain.within.ToTimedelta() == timedelta(seconds=20)


async def test_a_server_that_stops_ends_its_streams_with_the_reason(arena: Arena) -> None:
    alice = await arena.connect("alice")

    stopping = asyncio.create_task(arena.app.stop())
    code, reason, _, _ = await alice.end()
    await stopping

    assert (code, reason) == (grpc.StatusCode.UNAVAILABLE, ErrorReason.DRAINING)


async def test_a_seat_that_is_forfeited_is_asked_nothing_more(arena: Arena) -> None:
    match_id, alice, bob, decision = await in_a_match(arena)
    arena.open_match("alice", "bob", "carol", match_id="three")
    carol = await arena.connect("carol")
    await get_ready("three", alice, bob, carol)
    assert (await alice.decision()).match_id == "three"

    arena.hall.order_forfeit("alice", Fault.WITHDRAWN, match_ids=["three"])
    await alice.heard()
    await alice.answer(decision, legal_from_message(decision.legal)[0])

    accepted = (await alice.expect("accepted")).accepted
    assert accepted.match_id == match_id
    lost = [entry for entry in arena.entries("three") if isinstance(entry, Forfeited)]
    assert [(entry.seat, entry.fault) for entry in lost] == [(0, Fault.WITHDRAWN)]
