"""The store of a real server: backed up and checked while it serves, kept by versions to come."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from kitumaija.server.store import migrating
from kitumaija.wire.exits import ExitCode
from tests.support.processes import BotProcesses, ServerProcess, cli, whole_tournament

pytestmark = whole_tournament

SCRIPTED = {"a": "sample:smallest", "b": "sample:observer"}
PLANNED = 10

NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{down}"


def upgrade() -> None:
    with op.batch_alter_table("bots") as bots:
        bots.add_column(sa.Column("motto", sa.Text(), nullable=False, server_default="none"))
"""


def _table(server: ServerProcess) -> Any:
    standings = server.read("tournament", "standings", "t")
    matches = server.read("tournament", "matches", "t")["matches"]
    for match in matches:
        del match["match_id"]
    (fitted,) = server.read("ratings", "fit", "t")
    assert (fitted["rated"], fitted["sets"]) == (PLANNED, PLANNED // 2)
    return standings, matches, fitted


def _checked(data: Path) -> Any:
    done = cli("store", "check", "--json", "--data", str(data))
    assert done.returncode == ExitCode.OK, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_a_backup_made_while_matches_run_goes_on_to_the_same_table(tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    with ServerProcess(tmp_path / "data") as server, BotProcesses(tmp_path) as bots:
        tokens = server.register(*SCRIPTED)
        server.run(
            *("tournament", "create", "t", "--seats", "2", "--rounds", str(PLANNED // 2)),
            *("--unsafe-seed", "the same cards in every run", "--limit", "per_decision=60s"),
            *("--limit", "grace=60s", "--limit", "startup=60s", "--max-running", "2"),
            *("--option", "turns_per_player=20"),
        )
        server.run("tournament", "enter", "t", *SCRIPTED)
        for name, source in SCRIPTED.items():
            bots.start(name, source, address=server.address, token=tokens[name])
        server.run("tournament", "start", "t", "--allow-absent")
        while server.read("tournament", "show", "t")["matches"]["finished"] < 3:
            pass

        made = cli("store", "backup", str(backup), "--json", "--data", str(server.data))
        while_it_serves = _checked(server.data)
        server.run("tournament", "watch", "t")
        undisturbed = _table(server)

    assert made.returncode == ExitCode.OK, made.stderr
    assert json.loads(made.stdout)["data"] == str(backup)
    assert while_it_serves["clean"]
    assert while_it_serves["checked"]["matches"] > 2
    with ServerProcess(backup) as server, BotProcesses(tmp_path) as bots:
        for name, source in SCRIPTED.items():
            bots.start(name, source, address=server.address, token=tokens[name])
        server.run("tournament", "watch", "t")

        assert _table(server) == undisturbed
    assert _checked(backup)["checked"] == {
        "tournaments": 1,
        "matches": PLANNED,
        "records": PLANNED,
    }


def test_a_newer_version_migrates_after_a_backup_and_an_older_one_refuses_what_it_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    with ServerProcess(data) as server:
        server.register("a")

    with monkeypatch.context() as newer:
        newer.setenv("PYTHONPATH", str(_newer_version(tmp_path)))
        with ServerProcess(data) as server:
            (line,) = [line for line in server.log().splitlines() if "migrated" in line]
            assert _bots(server) == ["a"]
            server.register("b")

    backup = data / f"kitumaija.sqlite3.schema-{_today()}.1.backup"
    assert f"the store was migrated from schema {_today()} to 9999; as it was before" in line
    assert str(backup) in line
    refused = cli("serve", "--port", "0", "--data", str(data))
    assert refused.returncode == ExitCode.FAILED
    (said,) = refused.stderr.splitlines()
    assert said.startswith("kitumaija: the store sqlite:///")
    assert f"has schema 9999 and this kitumaija knows those up to {_today()}" in said
    assert refused.stdout == ""

    before = tmp_path / "before"
    before.mkdir()
    backup.rename(before / "kitumaija.sqlite3")
    shutil.copy(data / "organizer.token", before)
    with ServerProcess(before) as server:
        assert _bots(server) == ["a"]


def test_where_there_is_no_store_the_check_says_so_and_has_another_code(tmp_path: Path) -> None:
    done = cli("store", "check", "--data", str(tmp_path))

    assert done.returncode == ExitCode.USAGE
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"kitumaija: there is no store at {tmp_path}")


def _today() -> str:
    return max(path.name[1:5] for path in (migrating.SCRIPTS / "versions").glob("v*.py"))


def _bots(server: ServerProcess) -> list[str]:
    return [bot["bot_id"] for bot in server.read("bot", "list")["bots"]]


def _newer_version(where: Path) -> Path:
    """A folder that holds a kitumaija whose store has a column more; the rest is today's."""
    room = where / "newer/kitumaija/server/store"
    shutil.copytree(migrating.SCRIPTS.parent, room, ignore=shutil.ignore_patterns("__pycache__"))
    (room / "migrations/versions/v9999_next.py").write_text(NEXT.format(down=_today()))
    return where / "newer"
