"""A disk that is full in mid-tournament: the server stops with one line, and nothing is lost."""

from __future__ import annotations

import resource
from pathlib import Path

import grpc

from kitumaija.server.rating import load_table
from kitumaija.server.store import StoreReader, matches, records
from kitumaija.server.store.engines import FILE_NAME
from kitumaija.wire.exits import ExitCode
from kitumaija.wire.status import ErrorReason
from tests.support.processes import BotProcesses, ServerProcess, whole_tournament
from tests.support.raw_bot import RawBot
from tests.support.scripted_tournament import TOURNAMENT, ScriptedTournament, finished, table

pytestmark = whole_tournament

SMALL = ScriptedTournament(table_sizes=(2,), rounds=2, turns=20)


async def test_a_full_disk_stops_the_server_which_goes_on_when_there_is_room_again(
    tmp_path: Path,
) -> None:
    with ServerProcess(tmp_path / "undisturbed") as server, BotProcesses(tmp_path) as bots:
        SMALL.begin(server, bots)
        server.run("tournament", "watch", TOURNAMENT)
        undisturbed = table(server)

    with ServerProcess(tmp_path / "full") as server, BotProcesses(tmp_path) as bots:
        token = server.register("idle")["idle"]
        SMALL.begin(server, bots)
        while finished(server) < 2:
            pass
        async with RawBot(server.address, token) as idle:
            await idle.hello()
            _let_no_file_grow(server)
            await idle.expect("drain")
            code, reason, _, text = await idle.end()
        assert (code, reason) == (grpc.StatusCode.UNAVAILABLE, ErrorReason.DRAINING)
        assert "disk" not in text
        assert server.ended() == ExitCode.FAILED
        (line,) = [line for line in server.log().splitlines() if line.startswith("kitumaija:")]
        assert "failed under a write" in line
        assert "free the disk" in line
        assert "Traceback" not in server.log()
        _no_more_is_rated_than_was_played(server.data)

        # The room is back: the limit was the process's.
        server.start()
        server.run("tournament", "watch", TOURNAMENT)

        assert table(server) == undisturbed
        for bot in SMALL.bots:
            assert "Traceback" not in bots.log(bot)


def _let_no_file_grow(server: ServerProcess) -> None:
    """Let every write fail that makes the store's files longer than they are."""
    now = (server.data / f"{FILE_NAME}-wal").stat().st_size
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (now, resource.RLIM_INFINITY))


def _no_more_is_rated_than_was_played(data: Path) -> None:
    with StoreReader.open(data) as store, store.read() as tx:
        done = matches.counts(tx, TOURNAMENT).finished
        assert records.count(tx, TOURNAMENT) == done
        assert load_table(tx, TOURNAMENT, 2, ()).rated <= done
