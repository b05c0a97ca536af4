"""SQLite's write-ahead log after a crash: what of it does not count any more.

When a file is opened again SQLite takes the log up to its last whole commit and passes over the
rest in silence. What that rest is can be read from the log itself, whose form is described at
https://www.sqlite.org/fileformat2.html#the_write_ahead_log: a header of 32 bytes, then frames, each
a header of 24 bytes and a page. A frame counts if it bears the salts of the log's header and its
checksum goes on from the frame before; the last frame of a commit says how large the file is then.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import BinaryIO

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGIC_LITTLE, _MAGIC_BIG = 0x377F0682, 0x377F0683
_WORD = 0xFFFFFFFF

# Each time that the log begins anew its first salt counts up by one. Frames from before that stay
# behind the new ones until they are written over.
_OLDER = 1 << 16


@dataclass(frozen=True, slots=True)
class TornTail:
    """The end of a log, behind its last commit, that SQLite drops."""

    bytes: int
    """How long it is, whole frames and broken ones."""
    frames: int
    """How many frames it holds, one that is cut off among them."""
    kept: int
    """How many frames stand before it and count."""


def torn_tail(log: BinaryIO) -> TornTail | None:
    """Read a log, from where the stream stands to its end; None if it ends with a commit.

    A log whose header is broken counts for nothing: all of it is the tail.
    """
    header = log.read(_HEADER.size)
    if not header:
        return None
    opened = _opened(header)
    if opened is None:
        return TornTail(bytes=len(header) + len(log.read()), frames=0, kept=0)
    order, page_size, salts, checksum = opened
    size = _FRAME.size + page_size
    frames = kept = 0
    while frame := log.read(size):
        grown = _checked(frame, size, order, salts, checksum)
        if grown is None:
            if _is_older(frame, salts):
                break
            return _tail((frames - kept) * size + len(frame) + len(log.read()), size, kept)
        checksum = grown
        frames += 1
        if _ends_commit(frame):
            kept = frames
    return _tail((frames - kept) * size, size, kept)


def _tail(length: int, size: int, kept: int) -> TornTail | None:
    return TornTail(bytes=length, frames=-(-length // size), kept=kept) if length else None


def _opened(header: bytes) -> tuple[str, int, tuple[int, int], tuple[int, int]] | None:
    """The byte order of checksums, the size of a page, the salts, and the header's checksum."""
    if len(header) < _HEADER.size:
        return None
    magic, _, page_size, _, *salts, first, second = _HEADER.unpack(header)
    order = {_MAGIC_LITTLE: "<", _MAGIC_BIG: ">"}.get(magic)
    if order is None or _checksum(order, header[:24], (0, 0)) != (first, second):
        return None
    return order, page_size, (salts[0], salts[1]), (first, second)


def _checked(
    frame: bytes, size: int, order: str, salts: tuple[int, int], before: tuple[int, int]
) -> tuple[int, int] | None:
    """The checksum so far if the frame goes on from the one before it; None if it does not."""
    if len(frame) < size:
        return None
    page, _, *salt, first, second = _FRAME.unpack_from(frame)
    if page == 0 or (salt[0], salt[1]) != salts:
        return None
    checksum = _checksum(order, frame[:8] + frame[_FRAME.size :], before)
    return checksum if checksum == (first, second) else None


def _checksum(order: str, content: bytes, before: tuple[int, int]) -> tuple[int, int]:
    first, second = before
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for one, other in zip(words[::2], words[1::2], strict=True):
        first = (first + one + second) & _WORD
        second = (second + other + first) & _WORD
    return first, second


def _ends_commit(frame: bytes) -> bool:
    pages_after: int = _FRAME.unpack_from(frame)[1]
    return pages_after != 0


def _is_older(frame: bytes, salts: tuple[int, int]) -> bool:
    """Whether a frame was left by a log that ended in an orderly way before this one began."""
    if len(frame) < _FRAME.size:
        return False
    salt: int = _FRAME.unpack_from(frame)[2]
    return 0 < (salts[0] - salt) & _WORD < _OLDER
