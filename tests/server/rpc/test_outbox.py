"""The outbox of a stream: order, frames, bounds, its end."""

from __future__ import annotations

import asyncio

from kitumaija.server.lobby.connection import Delivery
from kitumaija.server.match.values import Nanos
from kitumaija.server.rpc.outbox import Outbox, OutgoingFrame
from kitumaija.v1 import arena_pb2
from kitumaija.wire.limits import FRAME_TO_BOT_BYTES


def message(text: str) -> arena_pb2.ServerMessage:
    return arena_pb2.ServerMessage(welcome=arena_pb2.Welcome(bot_id=text))


def texts(outgoing: OutgoingFrame) -> list[str]:
    return [said.welcome.bot_id for said in outgoing.frame.messages]


async def packed(outbox: Outbox) -> OutgoingFrame:
    """Wait for a frame with as many decisions as there are."""
    assert await outbox.ready()
    return outbox.pack(100)


def box(messages_max: int = 100, bytes_max: int = 10_000_000) -> Outbox:
    return Outbox(messages_max=messages_max, bytes_max=bytes_max)


async def test_what_is_ready_travels_in_one_frame_and_in_order() -> None:
    outbox = box()
    for text in ("a", "b", "c"):
        outbox.put(message(text))

    assert texts(await packed(outbox)) == ["a", "b", "c"]


async def test_a_frame_that_is_waited_for_comes_with_the_first_message() -> None:
    outbox = box()
    waiting = asyncio.create_task(packed(outbox))
    await asyncio.sleep(0)
    outbox.put(message("a"))

    assert texts(await waiting) == ["a"]


async def test_frames_are_cut_at_their_bound_and_a_larger_message_has_one_of_its_own() -> None:
    outbox = box()
    half, whole = "x" * (FRAME_TO_BOT_BYTES // 2 - 100), "y" * (FRAME_TO_BOT_BYTES + 1)
    for text in (half, half, "a", whole, "b"):
        outbox.put(message(text))

    frames = [texts(await packed(outbox)) for _ in range(3)]

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
    frame = await packed(outbox)
    assert not outbox.put(message("b"))

    outbox.done(frame)

    assert outbox.put(message("b"))


async def test_a_closed_outbox_gives_out_what_it_holds_and_then_ends() -> None:
    outbox = box()
    outbox.put(message("a"))
    outbox.close()

    assert texts(await packed(outbox)) == ["a"]
    assert not await outbox.ready()


async def test_closing_wakes_who_waits() -> None:
    outbox = box()
    waiting = asyncio.create_task(outbox.ready())
    await asyncio.sleep(0)
    outbox.close()

    assert not await waiting


async def test_what_a_closed_outbox_holds_can_be_thrown_away() -> None:
    outbox = box()
    outbox.put(message("a"))
    outbox.close(discard=True)

    assert not await outbox.ready()


async def test_a_frame_says_who_is_to_be_told_of_its_writing() -> None:
    outbox = box()
    delivery = Delivery(lambda _: None)
    outbox.put(message("a"), delivery)
    outbox.put(message("b"))

    assert (await packed(outbox)).deliveries == [delivery]


async def test_a_frame_holds_no_more_decisions_than_it_may_and_keeps_their_order() -> None:
    outbox = box()
    for text in "abcde":
        outbox.put(message(text), asks=text in "bce")

    frames = []
    while outbox.asks:
        frames.append(outbox.pack(1))

    assert [texts(frame) for frame in frames] == [["a", "b"], ["c", "d"], ["e"]]
    assert [frame.decisions for frame in frames] == [1, 1, 1]


async def test_what_is_kept_back_is_told_so_and_what_comes_meanwhile_too() -> None:
    outbox = box()
    told: list[str] = []

    def delivery(text: str) -> Delivery:
        return Delivery(
            written=lambda _: told.append(f"{text} written"),
            held=lambda: told.append(f"{text} held"),
            released=lambda at: told.append(f"{text} released at {at}"),
        )

    outbox.put(message("a"), delivery("a"), asks=True)
    outbox.hold()
    outbox.put(message("b"), delivery("b"), asks=True)
    outbox.release(Nanos(7))
    outbox.put(message("c"), delivery("c"), asks=True)
    outbox.release(Nanos(8))

    assert told == ["a held", "b held", "a released at 7", "b released at 7"]
