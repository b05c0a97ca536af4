"""A frame is measured before it is parsed."""

from __future__ import annotations

import pytest
from google.protobuf.message import DecodeError

from kitumaija.server.rpc.incoming import incoming
from kitumaija.v1 import arena_pb2
from kitumaija.wire.limits import FRAME_BYTES_MAX

NO_FRAME = b"\x0b"


def test_a_frame_comes_with_its_size() -> None:
    frame = arena_pb2.PlayRequest(messages=[arena_pb2.BotMessage()])

    came = incoming(frame.SerializeToString())

    assert (came.size, came.frame) == (2, frame)


def test_what_is_too_large_is_not_even_looked_at() -> None:
    assert incoming(NO_FRAME * (FRAME_BYTES_MAX + 1)).frame is None


def test_bytes_that_are_no_frame_are_an_error() -> None:
    with pytest.raises(DecodeError):
        incoming(NO_FRAME)
