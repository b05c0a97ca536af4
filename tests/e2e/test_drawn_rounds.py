"""A server that dies, as a process, while a format is played whose rounds are drawn one by one."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from kitumaija.server.__main__ import commands
from kitumaija.server.store import StoreReader, rounds
from kitumaija.server.store.rows import RoundRow
from kitumaija.wire.exits import ExitCode
from tests.support.processes import BotProcesses, ServerProcess, whole_tournament
from tests.support.scripted_tournament import TOURNAMENT, ScriptedTournament, matches_known

pytestmark = whole_tournament

SWISS = ScriptedTournament(
    bots={
        "a": "sample:smallest",
        "b": "sample:observer",
        "c": "sample:rememberer",
        "d": "sample:smallest",
    },
    table_sizes=(2,),
    max_running=2,
    turns=4,
    played_as="swiss",
)
ROUNDS = 3
MATCHES = 12

DEATHS = (
    "matches.finish:after-commit:2",
    "rounds.close:before-commit",
    "rounds.add:after-commit",
)
"""Where the server dies, one after the other: in mid-round, and twice between two rounds."""


def drawn(server: ServerProcess) -> tuple[RoundRow, ...]:
    """The rounds so far; the server may be dead."""
    with StoreReader.open(server.data) as store, store.read() as tx:
        return rounds.of(tx, TOURNAMENT, 2)


def said(*words: str) -> Any:
    """What a command that asks no server prints with `--json`."""
    done = CliRunner().invoke(commands(), [*words, "--json"])
    assert done.exit_code == ExitCode.OK, done.output
    return json.loads(done.stdout)


def test_a_swiss_whose_server_is_killed_in_and_between_rounds_is_drawn_as_its_results_say(
    tmp_path: Path,
) -> None:
    seen: list[tuple[RoundRow, ...]] = []
    known: list[dict[str, tuple[str, list[str]]]] = []
    server = ServerProcess(tmp_path / "data")
    server.start(failpoint=DEATHS[0])
    with server, BotProcesses(tmp_path) as bots:
        SWISS.begin(server, bots)
        for following in (*DEATHS[1:], ""):
            assert server.ended() == -signal.SIGKILL
            seen.append(drawn(server))
            known.append(matches_known(server))
            server.start(failpoint=following)
        server.run("tournament", "watch", TOURNAMENT)
        export = str(tmp_path / "t.zip")
        server.run("tournament", "export", TOURNAMENT, "--to", export)
        # Both draw every round again, from the seed, the entrants and the results.
        store = said("store", "check", "--data", str(server.data))
        archive = said("tournament", "verify", export)
        standings = server.read("tournament", "standings", TOURNAMENT)
        seen.append(drawn(server))
        known.append(matches_known(server))

    assert (store["clean"], archive["consistent"]) == (True, True)
    assert [len(found) for found in seen] == [1, 1, 2, ROUNDS]
    *before, last = seen
    for found in before:
        # What was drawn once stands, but for the points of a round that was open.
        assert [one.tables for one in found] == [one.tables for one in last[: len(found)]]
    for one in known:
        assert one.items() <= known[-1].items()
    deals = [deal for deal, _ in known[-1].values()]
    assert len(set(deals)) == len(deals) == MATCHES
    rows = standings["tables"][0]["rows"]
    assert [row["games"] for row in rows] == [6] * 4
    assert sum(row["points"] for row in rows) == 2 * MATCHES
