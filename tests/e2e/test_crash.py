"""`kill -9` of the server in mid-tournament."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import BotProcesses, ServerProcess, whole_tournament

pytestmark = whole_tournament

# Bots whose every decision follows from what they see, so that two runs can be compared.
SCRIPTED = {"a": "sample:smallest", "b": "sample:observer", "c": "sample:rememberer"}
PLANNED = 30


def _begin(server: ServerProcess, bots: BotProcesses) -> None:
    tokens = server.register(*SCRIPTED)
    for name, source in SCRIPTED.items():
        bots.start(name, source, address=server.address, token=tokens[name])
    server.run(
        *("tournament", "create", "t", "--seats", "2", "--seats", "3", "--rounds", "3"),
        *("--unsafe-seed", "the same cards in every run", "--limit", "per_decision=60s"),
        *("--limit", "grace=60s", "--limit", "startup=60s", "--max-running", "4"),
    )
    server.run("tournament", "enter", "t", *SCRIPTED)
    server.run("tournament", "start", "t", "--allow-absent")


def _finished(server: ServerProcess) -> int:
    counts = server.read("tournament", "show", "t")["matches"]
    return int(counts["finished"])


def _table(server: ServerProcess) -> Any:
    """What the tournament came to, without what may differ between two runs: ids and times."""
    standings = server.read("tournament", "standings", "t")
    matches = server.read("tournament", "matches", "t")["matches"]
    for match in matches:
        del match["match_id"]
    return standings, matches


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    where = tmp_path_factory.mktemp("undisturbed")
    with ServerProcess(where / "data") as server, BotProcesses(where) as bots:
        _begin(server, bots)
        server.run("tournament", "watch", "t")
        return _table(server)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_server_killed_again_and_again_ends_with_the_table_of_the_undisturbed_run(
    undisturbed: Any, tmp_path: Path, seed: int
) -> None:
    points = sorted(random.Random(seed).sample(range(1, PLANNED - 2), 3))
    with ServerProcess(tmp_path / "data") as server, BotProcesses(tmp_path) as bots:
        _begin(server, bots)
        for point in points:
            while _finished(server) < point:
                pass
            server.kill()
            server.start()
        server.run("tournament", "watch", "t")

        assert _table(server) == undisturbed
