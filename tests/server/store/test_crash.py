"""A server killed while it writes: what was acknowledged is there, and nothing is there by half."""

from __future__ import annotations

import subprocess
import sys

from kitumaija.server.store import MatchState, ReadTx, Store, journal, matches, meta, records
from tests.architecture.checkout import ROOT
from tests.support.hasty_writer import JOURNALED

KILLS = 3
UNITS_A_LIFE = 150


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
