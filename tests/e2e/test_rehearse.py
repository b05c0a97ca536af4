"""`kitumaija tournament rehearse` and `kitumaija demo` with bots that misbehave, as processes."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.processes import ServerProcess, cli, processes_that_name, whole_tournament

pytestmark = whole_tournament


def test_a_draft_is_rehearsed_with_its_own_settings_and_nothing_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    with ServerProcess(tmp_path / "data") as server:
        server.run(
            *("tournament", "create", "cup", "--draft", "--limit", "per_decision=1s"),
            *("--limit", "bank=0s", "--limit", "startup=4s", "--option", "turns_per_player=4"),
        )
        done = cli(
            *("tournament", "rehearse", "--like", "cup", "--json", "--address", server.address),
            *("--bot", "sample:smallest", "--bot", "hostile:illegal", "--bot", "hostile:mute"),
            environment={"TMPDIR": str(folder)},
        )

    assert done.returncode == 0, done.stderr + done.stdout
    said = json.loads(done.stdout)
    assert said["ok"]
    assert said["state"] == "finished"
    assert said["settings"]["limits"]["startup"] == "4s"
    assert said["real"]["tournament_id"] == "cup"
    assert 0 < said["seconds"] < said["seconds_at_most"]
    bots = {bot["bot_id"]: bot for bot in said["bots"]}
    assert bots["smallest"]["faults"] == {}
    assert set(bots["illegal"]["faults"]) == {bots["illegal"]["must"]} == {"illegal_action"}
    assert set(bots["mute"]["faults"]) == {"no_show"}
    counts = said["matches"]
    assert counts["planned"] == counts["finished"] + counts["void"] + counts["cancelled"]
    assert said["left"] == list(folder.iterdir()) == []
    assert processes_that_name(str(folder)) == []


def test_a_fair_bot_with_a_fault_makes_it_fail(tmp_path: Path) -> None:
    bot = tmp_path / "leaver.py"
    bot.write_text(
        "import os\n"
        "from kitumaija.sdk import Bot\n"
        "class Leaver(Bot):\n"
        "    def choose(self, turn):\n"
        "        os._exit(7)\n",
        encoding="utf-8",
    )

    done = cli(
        *("tournament", "rehearse", "--limit", "per_decision=200ms", "--limit", "bank=0s"),
        *("--limit", "startup=2s", "--limit", "grace=1s"),
        *("--bot", str(bot), "--bot", "sample:smallest"),
    )

    assert done.returncode == 1, done.stdout
    assert "leaver.py" in done.stdout
    assert "disconnected" in done.stdout
    assert "nothing of it is left" in done.stdout


def test_a_knockout_is_rehearsed_with_its_rounds_drawn_and_whoever_misbehaves_in_them(
    tmp_path: Path,
) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        'format = "knockout"\nlimits.per_decision = "1s"\nlimits.startup = "4s"\n'
        "options.turns_per_player = 4\n",
        encoding="utf-8",
    )

    done = cli(
        *("tournament", "rehearse", "--file", str(file), "--json", "--bot", "sample:smallest"),
        *("--bot", "sample:observer", "--bot", "hostile:illegal", "--bot", "hostile:mute"),
    )

    said = json.loads(done.stdout)
    assert done.returncode == 0, said["bots"]
    assert said["state"] == "finished"
    assert said["settings"]["format"] == "TOURNAMENT_FORMAT_KNOCKOUT"
    assert said["matches"]["planned"] == 4 + 2
    bots = {bot["bot_id"]: bot for bot in said["bots"]}
    assert bots["smallest"]["faults"] == bots["observer"]["faults"] == {}
    assert set(bots["mute"]["faults"]) == {"no_show"}
    assert said["left"] == []
