"""Messages into frames."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitumaija.v1 import arena_pb2
from kitumaija.wire.frames import pack_bot_frames, pack_server_frames


def _goodbye(size: int) -> arena_pb2.BotMessage:
    return arena_pb2.BotMessage(goodbye=arena_pb2.Goodbye(reason="x" * size))


def _drained(size: int) -> arena_pb2.ServerMessage:
    welcome = arena_pb2.Welcome(server="x" * size)
    return arena_pb2.ServerMessage(welcome=welcome)


def test_no_messages_make_no_frame() -> None:
    assert pack_bot_frames([]) == []
    assert pack_server_frames([]) == []


@given(st.lists(st.integers(0, 300)), st.integers(310, 700))
def test_frames_keep_every_message_in_order_and_no_frame_is_above_the_limit(
    sizes: list[int], limit: int
) -> None:
    messages = [_goodbye(size) for size in sizes]
    frames = pack_bot_frames(messages, limit)
    assert [message for frame in frames for message in frame.messages] == messages
    assert all(frame.messages and frame.ByteSize() <= limit for frame in frames)


@given(st.lists(st.integers(0, 300), min_size=1), st.integers(1, 700))
def test_a_frame_takes_all_that_still_fits(sizes: list[int], limit: int) -> None:
    frames = pack_server_frames([_drained(size) for size in sizes], limit)
    for frame, following in pairwise(frames):
        larger = arena_pb2.PlayResponse(messages=[*frame.messages, following.messages[0]])
        assert larger.ByteSize() > limit


@pytest.mark.parametrize(
    "size", [1, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 16_380, 16_390]
)
def test_the_limit_is_met_to_the_byte(size: int) -> None:
    pair = [_goodbye(size), _goodbye(size)]
    exact = arena_pb2.PlayRequest(messages=pair).ByteSize()
    assert len(pack_bot_frames(pair, exact)) == 1
    assert len(pack_bot_frames(pair, exact - 1)) == 2


def test_a_bot_message_that_fits_no_frame_is_refused_with_its_size() -> None:
    alone = arena_pb2.PlayRequest(messages=[_goodbye(100)]).ByteSize()
    assert len(pack_bot_frames([_goodbye(100)], alone)) == 1
    with pytest.raises(ValueError, match=f"goodbye: got a message of {alone} bytes in its frame"):
        pack_bot_frames([_goodbye(0), _goodbye(100)], alone - 1)


def test_a_server_message_above_the_limit_has_a_frame_for_itself() -> None:
    frames = pack_server_frames([_drained(0), _drained(100), _drained(0)], 50)
    assert [len(frame.messages) for frame in frames] == [1, 1, 1]
