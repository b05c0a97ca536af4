"""`kitumaija tournament stop`: a tournament ends when it has shown what it was to show."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from kitumaija.server.__main__ import commands
from kitumaija.wire.exits import ExitCode
from tests.support.processes import BotProcesses, ServerProcess, whole_tournament

pytestmark = whole_tournament

PLANNED = 200
GOAL = "top 1 settled at 80 %"


def test_a_tournament_is_cancelled_once_its_goal_is_reached_and_what_was_played_stays(
    tmp_path: Path,
) -> None:
    with ServerProcess(tmp_path / "data") as server, BotProcesses(tmp_path) as bots:
        tokens = server.register("strong", "weak")
        server.run(
            *("tournament", "create", "t", "--seats", "2", "--rounds", str(PLANNED // 2)),
            *("--unsafe-seed", "a clear case", "--limit", "per_decision=60s"),
            *("--max-running", "4"),
        )
        server.run("tournament", "enter", "t", "strong", "weak")
        for name, source in (("strong", "sample:rememberer"), ("weak", "sample:smallest")):
            bots.start(name, source, address=server.address, token=tokens[name])
        server.run("tournament", "start", "t", "--allow-absent")

        told = server.read("tournament", "stop", "t", "--when", GOAL)

        (reached,) = told["tables"]
        assert reached["best"] == ["strong"]
        (fitted,) = server.read("ratings", "fit", "t", "--until", GOAL, "--luck")
        assert fitted["settled"] == {key: reached[key] for key in ("look", "matches", "best")}
        assert reached["matches"] <= fitted["rated"] < PLANNED
        assert fitted["without_luck"]["sets"] > 0
        shown = server.read("tournament", "show", "t")
        assert shown["state"] == "TOURNAMENT_STATE_CANCELLED"
        reasons = [entry["reason"] for entry in server.read("tournament", "audit", "t")["entries"]]
        assert any(f"after {reached['matches']} matches: strong" in reason for reason in reasons)
        words = ["tournament", "stop", "t", "--when", GOAL, "--json"]
        late = CliRunner().invoke(commands(), [*words, "--address", server.address])
        assert late.exit_code == ExitCode.FAILED
        assert json.loads(late.stdout) == {"tournament_id": "t", "tables": []}
