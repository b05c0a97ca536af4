"""A server killed while it writes: what was acknowledged is there, and nothing is there by half."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
    rows = [JournalRow("cup-2-0-1", sequence, bytes([sequence]) * 300) for sequence in range(12)]
    with Store.open(tmp_path / "data") as store:
        with store.write() as tx:
            add_cup(tx, "ada", "bo")
        begin_match(store, 0)
    # Closed and opened again, so that the log begins with what follows.
    with Store.open(tmp_path / "data") as store:
        for row in rows:
            with store.write() as tx:
                journal.append(tx, [row])
        log = (tmp_path / "data/kitumaija.sqlite3-wal").read_bytes()
        kept = (tmp_path / "data/kitumaija.sqlite3").read_bytes()

    lengths = []
    for cut in range(len(log), 0, -997):
        copy = tmp_path / f"cut-{cut}"
        copy.mkdir()
        (copy / "kitumaija.sqlite3").write_bytes(kept)
        (copy / "kitumaija.sqlite3-wal").write_bytes(log[:cut])
        with Store.open(copy) as store, store.read() as tx:
            found = journal.entries(tx, "cup-2-0-1")
            assert found == tuple(rows[: len(found)])
            assert len(matches.seats(tx, "cup-2-0-1")) == 2
        lengths.append(len(found))

    assert lengths == sorted(lengths, reverse=True)
    assert (lengths[0], lengths[-1]) == (len(rows), 0)


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
