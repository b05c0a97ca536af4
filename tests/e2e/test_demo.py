"""`kitumaija demo`, as `make demo` runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kitumaija.engine import replay
from kitumaija.wire.record import record_from_bytes
from tests.support.processes import cli, processes_that_name, whole_tournament

pytestmark = whole_tournament


def test_the_demo_plays_a_round_robin_at_two_and_at_four_seats_and_leaves_nothing_running(
    tmp_path: Path,
) -> None:
    data = tmp_path / "demo"

    done = cli("demo", "--data", str(data), "--json")

    assert done.returncode == 0, done.stderr
    standings = json.loads(done.stdout)
    assert standings["state"] == "TOURNAMENT_STATE_FINISHED"
    assert [table["table_size"] for table in standings["tables"]] == [2, 4]
    for table, matches_each in zip(standings["tables"], (10, 40), strict=True):
        assert len(table["rows"]) == 6
        assert not table["provisional"]
        for row in table["rows"]:
            assert row["games"] == matches_each
            assert sum(row["places"]) == row["games"]
            assert row["sigma"] < 25 / 3
    (path,) = data.glob("*.kitu")
    assert str(path) in done.stderr.replace("\n", "")
    game = record_from_bytes(path.read_bytes()).game
    assert replay(game).final.over
    assert processes_that_name(str(data)) == []


def test_the_demo_never_writes_into_a_directory_that_exists(tmp_path: Path) -> None:
    done = cli("demo", "--data", str(tmp_path))

    assert done.returncode == 2
    assert "exists" in done.stderr


@pytest.mark.parametrize(
    ("source", "name"),
    [("broken.py", "broken"), ("cmd:sh -c 'echo no model file >&2; exit 3'", "sh")],
    ids=["class", "command"],
)
def test_a_bot_that_ends_before_it_connects_stops_the_demo_with_its_last_words(
    source: str, name: str, tmp_path: Path
) -> None:
    broken = "raise RuntimeError('no model file')"
    (tmp_path / "broken.py").write_text(broken, encoding="utf-8")
    data = tmp_path / "demo"

    done = cli(
        *("demo", "--data", str(data), "--bot", source, "--bot", "sample:smallest"), cwd=tmp_path
    )

    assert done.returncode == 1
    assert f"{name} ended before it connected" in done.stderr
    assert "no model file" in done.stderr
    assert processes_that_name(str(data)) == []


def test_a_command_that_cannot_be_started_starts_no_demo(tmp_path: Path) -> None:
    data = tmp_path / "demo"

    done = cli("demo", "--data", str(data), "sample:smallest", "cmd:no-such-program --fast")

    assert done.returncode == 2
    assert "no-such-program --fast: there is no program" in " ".join(done.stderr.split())
    assert not data.exists()
