"""The outbox of a stream: order, frames, bounds, its end."""

from __future__ import annotations

import asyncio

from kitumaija.server.rpc.outbox import Outbox, OutgoingFrame
from kitumaija.v1 import arena_pb2
from kitumaija.wire.limits import FRAME_TO_BOT_BYTES


def message(text: str) -> arena_pb2.ServerMessage:
    return arena_pb2.ServerMessage(welcome=arena_pb2.Welcome(bot_id=text))


def texts(outgoing: OutgoingFrame | None) -> list[str]:
    assert outgoing is not None
    return [said.welcome.bot_id for said in outgoing.frame.messages]


def box(messages_max: int = 100, bytes_max: int = 10_000_000) -> Outbox:
    return Outbox(messages_max=messages_max, bytes_max=bytes_max)


async def test_what_is_ready_travels_in_one_frame_and_in_order() -> None:
    outbox = box()
    for text in ("a", "b", "c"):
        outbox.put(message(text))

    assert texts(await outbox.frame()) == ["a", "b", "c"]


async def test_a_frame_that_is_waited_for_comes_with_the_first_message() -> None:
    outbox = box()
    waiting = asyncio.create_task(outbox.frame())
    await asyncio.sleep(0)
    outbox.put(message("a"))

    assert texts(await waiting) == ["a"]


async def test_frames_are_cut_at_their_bound_and_a_larger_message_has_one_of_its_own() -> None:
    outbox = box()
    half, whole = "x" * (FRAME_TO_BOT_BYTES // 2 - 100), "y" * (FRAME_TO_BOT_BYTES + 1)
    for text in (half, half, "a", whole, "b"):
        outbox.put(message(text))

    frames = [texts(await outbox.frame()) for _ in range(3)]

    assert frames == [[half, half, "a"], [whole], ["b"]]


async def test_one_message_too_many_is_not_taken() -> None:
    outbox = box(messages_max=2)

    assert [outbox.put(message("a")) for _ in range(3)] == [True, True, False]


async def test_one_byte_too_many_is_not_taken() -> None:
    size = message("aaaa").ByteSize()
    outbox = box(bytes_max=2 * size)

    assert outbox.put(message("aaaa"))
    assert not outbox.put(message("aaaaa"))
    assert outbox.put(message("aaaa"))


async def test_an_empty_outbox_takes_a_message_of_any_size() -> None:
    assert box(bytes_max=10).put(message("x" * 1_000))


async def test_messages_count_until_their_frame_is_written() -> None:
    outbox = box(messages_max=1)
    outbox.put(message("a"))
    frame = await outbox.frame()
    assert frame is not None
    assert not outbox.put(message("b"))

    outbox.done(frame)

    assert outbox.put(message("b"))


async def test_a_closed_outbox_gives_out_what_it_holds_and_then_ends() -> None:
    outbox = box()
    outbox.put(message("a"))
    outbox.close()

    assert texts(await outbox.frame()) == ["a"]
    assert await outbox.frame() is None


async def test_closing_wakes_who_waits() -> None:
    outbox = box()
    waiting = asyncio.create_task(outbox.frame())
    await asyncio.sleep(0)
    outbox.close()

    assert await waiting is None


async def test_what_a_closed_outbox_holds_can_be_thrown_away() -> None:
    outbox = box()
    outbox.put(message("a"))
    outbox.close(discard=True)

    assert await outbox.frame() is None


async def test_a_frame_says_who_is_to_be_told_of_its_writing() -> None:
    outbox = box()
    told: list[int] = []
    outbox.put(message("a"), told.append)
    outbox.put(message("b"))

    frame = await outbox.frame()

    assert frame is not None
    assert frame.written == [told.append]
