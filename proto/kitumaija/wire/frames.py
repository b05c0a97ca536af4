"""Messages into frames: in order, greedily, under a bound on the bytes of a frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from kitumaija.v1 import arena_pb2
from kitumaija.wire.limits import FRAME_BYTES_MAX, FRAME_TO_BOT_BYTES

_Message = TypeVar("_Message", arena_pb2.BotMessage, arena_pb2.ServerMessage)


def pack_bot_frames(
    messages: Iterable[arena_pb2.BotMessage], limit: int = FRAME_BYTES_MAX
) -> list[arena_pb2.PlayRequest]:
    """Return the frames that carry a bot's messages; none for no messages.

    `limit` is in bytes and is kept: a larger frame would end the stream. Raises `ValueError` for a
    message that does not fit a frame alone.
    """
    frames: list[arena_pb2.PlayRequest] = []
    for packed, size in _packed(messages, limit):
        if size > limit:
            raise ValueError(
                f"{packed[0].WhichOneof('message')}: got a message of {size} bytes in its frame, "
                f"wanted at most {limit}"
            )
        frames.append(arena_pb2.PlayRequest(messages=packed))
    return frames


def pack_server_frames(
    messages: Iterable[arena_pb2.ServerMessage], limit: int = FRAME_TO_BOT_BYTES
) -> list[arena_pb2.PlayResponse]:
    """Return the frames that carry the server's messages; none for no messages.

    `limit` is in bytes and soft: a message above it has a frame for itself.
    """
    return [arena_pb2.PlayResponse(messages=packed) for packed, _ in _packed(messages, limit)]


def _packed(messages: Iterable[_Message], limit: int) -> Iterator[tuple[list[_Message], int]]:
    """Yield the messages of each frame, and the size of the frame in bytes."""
    packed: list[_Message] = []
    total = 0
    for message in messages:
        size = _size_in_frame(message.ByteSize())
        if packed and total + size > limit:
            yield packed, total
            packed, total = [], 0
        packed.append(message)
        total += size
    if packed:
        yield packed, total


def _size_in_frame(size: int) -> int:
    """Return what a message of `size` bytes adds to its frame: the field's tag and length too."""
    return 1 + max(1, -(-size.bit_length() // 7)) + size
