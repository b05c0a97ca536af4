"""Reading SQLite's log: what of it SQLite itself would drop."""

from __future__ import annotations

import random
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

from kitumaija.server.store.wal import TornTail, torn_tail

FRAME = 24 + 1024


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A database with small pages, whose log grows until a test says otherwise."""
    with closing(sqlite3.connect(tmp_path / "db", isolation_level=None)) as connection:
        connection.execute("PRAGMA page_size = 1024")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("CREATE TABLE t (x)")
        yield connection


@pytest.fixture
def log(tmp_path: Path, database: sqlite3.Connection) -> Callable[[], bytes]:
    """Reads the log as it is now."""
    return (tmp_path / "db-wal").read_bytes


def tail(log: bytes) -> TornTail | None:
    """Read a log from memory."""
    return torn_tail(BytesIO(log))


def write(database: sqlite3.Connection, size: int = 3000) -> None:
    """Commit something of several pages."""
    database.execute("INSERT INTO t VALUES (zeroblob(?))", (size,))


def test_a_log_that_ends_with_a_commit_has_no_torn_tail(
    database: sqlite3.Connection, log: Callable[[], bytes]
) -> None:
    assert tail(b"") is None
    for _ in range(5):
        write(database)
        assert tail(log()) is None


def test_a_unit_that_is_cut_off_is_the_tail_up_to_the_commit_before(
    database: sqlite3.Connection, log: Callable[[], bytes]
) -> None:
    write(database)
    kept = len(log())
    write(database)
    whole = log()

    assert tail(whole[: kept + 1]) == TornTail(1, 1, (kept - 32) // FRAME)
    assert tail(whole[: kept + FRAME]) == TornTail(FRAME, 1, (kept - 32) // FRAME)
    assert tail(whole[:-1]) == TornTail(
        len(whole) - 1 - kept, (len(whole) - kept) // FRAME, (kept - 32) // FRAME
    )


def test_one_bit_anywhere_in_a_frame_drops_it_and_all_behind_it(
    database: sqlite3.Connection, log: Callable[[], bytes]
) -> None:
    write(database)
    kept = len(log())
    for _ in range(2):
        write(database, 10)
    whole = log()

    for bit in random.Random(1).sample(range(8 * FRAME), 100):
        harmed = bytearray(whole)
        harmed[kept + bit // 8] ^= 1 << bit % 8
        if 64 <= bit < 96:
            # The first salt: then it may seem to be a frame of an earlier log.
            continue
        torn = tail(bytes(harmed))
        assert torn is not None
        assert torn.bytes == len(whole) - kept


def test_frames_of_an_earlier_log_behind_the_new_ones_are_no_tail(
    database: sqlite3.Connection, log: Callable[[], bytes]
) -> None:
    for _ in range(5):
        write(database)
    long = len(log())
    assert database.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()[0] == 0
    write(database, 10)

    assert len(log()) == long
    assert tail(log()) is None


def test_a_unit_cut_off_before_frames_of_an_earlier_log_is_a_tail_without_these(
    database: sqlite3.Connection, log: Callable[[], bytes]
) -> None:
    for _ in range(5):
        write(database)
    earlier = log()
    database.execute("PRAGMA wal_checkpoint(RESTART)")
    write(database)
    one = len(_newer(log(), earlier))
    harmed = log()[: one - FRAME] + earlier[one - FRAME :]

    torn = tail(harmed)

    assert torn == TornTail(one - 32 - FRAME, (one - 32) // FRAME - 1, 0)


@pytest.mark.parametrize("length", [1, 31])
def test_a_log_that_breaks_off_in_its_header_is_all_tail(
    database: sqlite3.Connection, log: Callable[[], bytes], length: int
) -> None:
    write(database)

    assert tail(log()[:length]) == TornTail(length, 0, 0)


def test_a_header_that_is_not_one_makes_all_of_the_log_the_tail(
    database: sqlite3.Connection, log: Callable[[], bytes]
) -> None:
    write(database)
    whole = log()

    for harmed in (0, 20):
        one = bytes([whole[harmed] ^ 1])
        assert tail(whole[:harmed] + one + whole[harmed + 1 :]) == TornTail(len(whole), 0, 0)


def test_checksums_of_the_other_byte_order_are_read_too(
    database: sqlite3.Connection, log: Callable[[], bytes]
) -> None:
    """A log of a machine that counts the other way; SQLite reads those as well."""
    write(database)
    write(database)
    turned = _turned(log())

    assert turned != log()
    assert tail(turned) is None
    assert tail(turned[:-1]) is not None


def _newer(log: bytes, earlier: bytes) -> bytes:
    """The part of a log that was written since it was `earlier`."""
    last = max(place for place in range(len(log)) if log[place] != earlier[place])
    return log[: 32 + -(-(last + 1 - 32) // FRAME) * FRAME]


def _turned(log: bytes) -> bytes:
    """Write a log's checksums anew, over words of the other byte order."""
    magic = struct.unpack(">I", log[:4])[0] ^ 1
    order = "<" if magic == 0x377F0682 else ">"

    def checksum(content: bytes, first: int, second: int) -> tuple[int, int]:
        words = iter(struct.unpack(f"{order}{len(content) // 4}I", content))
        for word in words:
            first = (first + word + second) % 2**32
            second = (second + next(words) + first) % 2**32
        return first, second

    header = struct.pack(">I", magic) + log[4:24]
    so_far = checksum(header, 0, 0)
    turned = header + struct.pack(">2I", *so_far)
    for place in range(32, len(log), FRAME):
        frame = log[place : place + FRAME]
        so_far = checksum(frame[:8] + frame[24:], *so_far)
        turned += frame[:16] + struct.pack(">2I", *so_far) + frame[24:]
    return turned
