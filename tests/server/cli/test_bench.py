"""`kitumaija bench`: real processes, measured for a moment, and what is made of results."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from kitumaija.server.__main__ import commands
from kitumaija.server.bench.scenarios import SCENARIOS
from kitumaija.wire.exits import ExitCode


def _run(*words: str) -> Result:
    return CliRunner().invoke(commands(), ["bench", *words])


def test_a_moment_of_matches_is_measured_compared_and_kept(
    tmp_path: Path,
) -> None:
    file = tmp_path / "result.json"

    done = _run("run", "--smoke", "--only", "latency", "--only", "engine", "--out", str(file))

    assert done.exit_code == ExitCode.OK, done.output
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert list(kept["scenarios"]) == ["latency", "engine"]
    assert kept["machine"]["versions"]["grpcio"]
    for side in ("echo", "server"):
        figures = kept["scenarios"]["latency"]["sides"][side]
        assert figures["per_second"]["median"] > 0
        assert 0 < figures["p50_ms"]["median"] <= figures["p99_ms"]["median"]
        assert figures["cpu_us"]["median"] > 0
    assert kept["scenarios"]["engine"]["sides"]["10 seats"]["per_second"]["median"] > 0
    assert "p50 in ms, added: server − echo" in done.stdout

    compared = json.loads(_run("compare", str(file), str(file), "--json").stdout)
    assert {change["apart"] for change in compared} == {False}
    assert compared[0]["what"] == "p50 in ms, added: server − echo"


def test_the_list_names_every_scenario() -> None:
    listed = json.loads(_run("list", "--json").stdout)

    assert [entry["name"] for entry in listed] == [scenario.name for scenario in SCENARIOS]
    assert len({entry["name"] for entry in listed}) == len(listed)


def test_a_scenario_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    done = _run("run", "--only", "speed")

    assert done.exit_code == ExitCode.USAGE
    assert "got the scenario speed" in " ".join(done.output.split())


def test_a_picture_wants_a_load_curve(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    file.write_text(json.dumps({"format": 1, "scenarios": {}}), encoding="utf-8")

    done = _run("plot", str(file), "--out", str(tmp_path / "picture.svg"))

    assert done.exit_code == ExitCode.USAGE
    assert "load-curve" in done.output
    assert not (tmp_path / "picture.svg").exists()
