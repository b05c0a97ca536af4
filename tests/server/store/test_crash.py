"""A server killed while it writes: what was acknowledged is there, and nothing is there by half."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from kitumaija.server.store import (
    JournalRow,
    MatchState,
    ReadTx,
    Store,
    journal,
    matches,
    meta,
    records,
)
from kitumaija.server.store.engines import FILE_NAME
from tests.architecture.checkout import ROOT
from tests.support.hasty_writer import JOURNALED
from tests.support.stores import add_cup, begin_match

KILLS = 2
UNITS_A_LIFE = 120


def test_what_was_acknowledged_outlives_kill_9_and_nothing_is_there_by_half(
    store_address: str,
) -> None:
    acknowledged: set[int] = set()
    for life in range(1, KILLS + 1):
        acknowledged |= _write_and_die(store_address, first=max(acknowledged, default=0) + 1000)

        with Store.open(store_address) as store, store.read() as tx:
            # The lock died with its holder, and each opening is an epoch of its own.
            assert store.epoch == 2 * life
            found = _whole_units(tx)
        assert acknowledged <= found


def test_a_log_that_breaks_off_anywhere_loses_its_last_units_and_nothing_else(
    tmp_path: Path,
) -> None:
    """A disk that kept less than it said: what is left is still a whole beginning."""
    log, rows, ends = _twelve_units(tmp_path / "data")

    lengths = []
    for cut in range(len(log), 0, -997):
        found = len(_reopened(tmp_path, log[:cut], rows))
        assert found == sum(end <= cut for end in ends)
        lengths.append(found)

    assert (lengths[0], lengths[-1]) == (len(rows), 0)


@pytest.mark.parametrize("harm", ["cut off", "overwritten", "flipped"])
def test_whatever_becomes_of_the_last_4_kib_of_the_log_costs_the_last_unit_and_is_said(
    tmp_path: Path, harm: str
) -> None:
    log, rows, ends = _twelve_units(tmp_path / "data")
    chance = random.Random(harm)

    for place in range(len(log) - 4096, len(log), 251):
        harmed = {
            "cut off": log[:place],
            "overwritten": log[:place] + chance.randbytes(len(log) - place),
            "flipped": log[:place] + bytes([log[place] ^ 0x40]) + log[place + 1 :],
        }[harm]
        with capture_logs() as said:
            found = _reopened(tmp_path, harmed, rows)

        assert found == rows[:-1]
        (line,) = [entry for entry in said if "dropped" in entry["event"]]
        assert line["log_level"] == "warning"
        assert line["dropped_bytes"] == len(harmed) - ends[-2]


def test_nothing_is_said_of_a_log_that_ends_with_a_commit(tmp_path: Path) -> None:
    log, rows, _ = _twelve_units(tmp_path / "data")

    with capture_logs() as said:
        assert _reopened(tmp_path, log, rows) == rows

    assert said == []


def _twelve_units(data: Path) -> tuple[bytes, tuple[JournalRow, ...], list[int]]:
    """Write twelve units and nothing else into a log: it, the units, and where each ends in it."""
    rows = tuple(JournalRow("cup-2-0-1", number, bytes([number]) * 300) for number in range(12))
    with Store.open(data) as store:
        with store.write() as tx:
            add_cup(tx, "ada", "bo")
        begin_match(store, 0)
    # Closed and opened again, so that the log begins with what follows.
    with Store.open(data) as store:
        path = data / f"{FILE_NAME}-wal"
        ends = []
        for row in rows:
            with store.write() as tx:
                journal.append(tx, [row])
            ends.append(path.stat().st_size)
        log = path.read_bytes()
        (data / "kept").write_bytes((data / FILE_NAME).read_bytes())
    return log, rows, ends


def _reopened(tmp_path: Path, log: bytes, rows: Sequence[JournalRow]) -> tuple[JournalRow, ...]:
    """Open the store with this log instead of its own; the units that are found, the first ones."""
    copy = tmp_path / f"copy-{len(list(tmp_path.iterdir()))}"
    copy.mkdir()
    (copy / FILE_NAME).write_bytes((tmp_path / "data" / "kept").read_bytes())
    (copy / f"{FILE_NAME}-wal").write_bytes(log)
    with Store.open(copy) as store, store.read() as tx:
        found = journal.entries(tx, "cup-2-0-1")
        assert len(matches.seats(tx, "cup-2-0-1")) == 2
    assert found == tuple(rows[: len(found)])
    return found


def _write_and_die(address: str, first: int) -> set[int]:
    """Let a process write, kill it in full flight, and give what it was told is committed."""
    command = [sys.executable, "-m", "tests.support.hasty_writer", address, str(first)]
    told: set[int] = set()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                told.add(int(line))
                if len(told) == UNITS_A_LIFE:
                    break
        finally:
            process.kill()
        told |= {int(line) for line in process.stdout if line.endswith(b"\n")}
    assert len(told) >= UNITS_A_LIFE
    return told


def _whole_units(tx: ReadTx) -> set[int]:
    """The units that are in the store; fails if one is there by half."""
    entries = [(row.sequence, int(row.payload)) for row in journal.entries(tx, JOURNALED)]
    journaled = {unit for _, unit in entries}
    assert entries == [(2 * unit + half, unit) for unit in sorted(journaled) for half in (0, 1)]

    played = set()
    for seated in matches.results_in_order(tx, "cup", 2):
        unit = seated.match.number
        played.add(unit)
        assert seated.match.state is MatchState.FINISHED
        assert [seat.place for seat in seated.seats] == [1, 2]
        assert records.get(tx, seated.match.match_id) == b"%d" % unit
        assert meta.get(tx, f"unit {unit}") == b""
    assert [row.match.match_id for row in matches.running(tx, "cup")] == [JOURNALED]
    return journaled | played
