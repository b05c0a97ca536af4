"""A served tournament whose store is PostgreSQL, over a `kill -9`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.postgres import PostgresMissing, running_postgres
from tests.support.processes import BotProcesses, ServerProcess, whole_tournament

pytestmark = whole_tournament

BOTS = ("a", "b", "c")


def test_a_tournament_kept_in_postgresql_goes_on_after_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        with running_postgres() as postgres:
            monkeypatch.setenv("KITUMAIJA_STORE", postgres.create_database())
            _play_over_a_kill(tmp_path)
    except PostgresMissing as error:
        pytest.skip(f"not run on PostgreSQL: {error}")


def _play_over_a_kill(where: Path) -> None:
    with ServerProcess(where / "data") as server, BotProcesses(where) as bots:
        tokens = server.register(*BOTS)
        for bot in BOTS:
            bots.start(bot, "sample:smallest", address=server.address, token=tokens[bot])
        server.run(
            *("tournament", "create", "t", "--seats", "2", "--seats", "3"),
            *("--limit", "per_decision=60s", "--limit", "grace=60s", "--limit", "startup=60s"),
            *("--option", "turns_per_player=10"),
        )
        server.run("tournament", "enter", "t", *BOTS)
        server.run("tournament", "start", "t", "--allow-absent")
        while not server.read("tournament", "show", "t")["matches"]["finished"]:
            pass
        server.kill()
        server.start()
        server.run("tournament", "watch", "t")

        shown = server.read("tournament", "show", "t")
        assert shown["state"] == "TOURNAMENT_STATE_FINISHED"
        counts = shown["matches"]
        assert counts["finished"] == counts["planned"] == 9
        matches = server.read("tournament", "matches", "t")["matches"]
        assert len({match["match_id"] for match in matches}) == len(matches) == 9
        assert server.read("ratings", "rebuild", "t")["changed"] is False
        assert not list(server.data.glob("*.sqlite3"))
