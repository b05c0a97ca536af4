"""A bot's frame as it comes off the wire: measured before it is parsed.

gRPC takes larger requests, so that a frame above its own, smaller limit can be told so. A hundred
thousand empty messages fit into one, and to parse them would keep everybody waiting.
"""

from __future__ import annotations

from dataclasses import dataclass

from kitumaija.v1 import arena_pb2
from kitumaija.wire.limits import FRAME_BYTES_MAX


@dataclass(frozen=True, slots=True)
class Incoming:
    """A frame that came, and its size in bytes; `frame` is None for one that is too large."""

    size: int
    frame: arena_pb2.PlayRequest | None


def incoming(data: bytes) -> Incoming:
    """Return the frame of these bytes, parsed unless it is too large.

    Raises `google.protobuf.message.DecodeError` for bytes that are no frame, on which gRPC ends the
    stream.
    """
    size = len(data)
    if size > FRAME_BYTES_MAX:
        return Incoming(size, None)
    return Incoming(size, arena_pb2.PlayRequest.FromString(data))
