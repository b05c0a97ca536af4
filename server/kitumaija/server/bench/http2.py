"""The frames of HTTP/2 that one call of gRPC needs of a client, by hand (RFC 9113)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from enum import IntEnum

from google.protobuf.message import Message

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
INITIAL_WINDOW_SIZE = 0x4
ACK, END_STREAM, END_HEADERS = 0x1, 0x1, 0x4
STREAM = 1

_LITERAL_MAX = 127


class FrameType(IntEnum):
    """The frames that are sent or understood here (RFC 9113, section 6)."""

    DATA = 0x0
    HEADERS = 0x1
    RST_STREAM = 0x3
    SETTINGS = 0x4
    PING = 0x6
    GOAWAY = 0x7
    WINDOW_UPDATE = 0x8
    CONTINUATION = 0x9


def frame(kind: FrameType, flags: int, stream: int, payload: bytes) -> bytes:
    """Return a frame."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def preface(window: int) -> bytes:
    """Return what a client says first; the server may send `window` bytes on each stream."""
    settings = struct.pack(">HI", INITIAL_WINDOW_SIZE, window)
    return PREFACE + frame(FrameType.SETTINGS, 0, 0, settings)


def request_headers(method: str, token: str = "") -> bytes:
    """Return the frame that begins the call of a method, as `/package.Service/Method`."""
    headers = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", method),
        (":authority", "test"),
        ("te", "trailers"),
        ("content-type", "application/grpc"),
    ]
    if token:
        headers.append(("authorization", f"Bearer {token}"))
    block = b"".join(_literal(name, value) for name, value in headers)
    return frame(FrameType.HEADERS, END_HEADERS, STREAM, block)


def data_frame(message: Message) -> bytes:
    """Return the frame with a message of the call, which must be small enough for one."""
    data = message.SerializeToString()
    return frame(FrameType.DATA, 0, STREAM, struct.pack(">BI", 0, len(data)) + data)


def _literal(name: str, value: str) -> bytes:
    """A header that no table knows (RFC 7541, section 6.2.2), short enough for one byte of size."""
    parts: Sequence[bytes] = (name.encode(), value.encode())
    if any(len(part) >= _LITERAL_MAX for part in parts):
        raise ValueError(
            f"got the header {name}, wanted less than {_LITERAL_MAX} bytes of each part"
        )
    return b"\x00" + b"".join(bytes([len(part)]) + part for part in parts)
