"""Saying where a server is to die, and dying there."""

from __future__ import annotations

from pathlib import Path

import pytest

from kitumaija.server.store import StoreError
from kitumaija.server.store.crashing import FAILPOINTS, Crash, crash_at
from kitumaija.server.store.failpoints import Stage
from kitumaija.wire.exits import ExitCode
from tests.support.processes import ServerProcess, cli


@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize("name", FAILPOINTS)
def test_every_stage_of_every_failpoint_can_be_said_and_read(name: str, stage: Stage) -> None:
    assert Crash.parse(f"{name}:{stage}") == Crash(name, stage, 1)
    assert Crash.parse(f"{name}:{stage}:12") == Crash(name, stage, 12)
    assert str(Crash.parse(f"{name}:{stage}:12")) == f"{name}:{stage}:12"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "one of the names audit.add, "),
        ("matches", "one of the names audit.add, "),
        ("matches.page:before", "one of the names audit.add, "),
        ("matches.finish", "stage before, before-commit, after-commit"),
        ("matches.finish:during", "stage before, before-commit, after-commit"),
        ("matches.finish:before:0", "a pass from 1 on"),
        ("matches.finish:before:-1", "a pass from 1 on"),
        ("matches.finish:before:many", "a pass from 1 on"),
    ],
)
def test_what_is_no_failpoint_is_refused_with_those_that_there_are(text: str, wanted: str) -> None:
    with pytest.raises(StoreError) as refused:
        Crash.parse(text)

    assert f"got the failpoint {text!r}" in str(refused.value)
    assert wanted in str(refused.value)


def test_it_happens_at_one_pass_of_one_stage_and_once() -> None:
    happened: list[str] = []
    watch = crash_at(
        Crash("matches.finish", Stage.BEFORE_COMMIT, 3), happen=lambda: happened.append("now")
    )
    by_then = []

    for _ in range(5):
        for stage in Stage:
            watch("matches.add", stage)
            watch("matches.finish", stage)
        by_then.append(len(happened))

    assert by_then == [0, 0, 1, 1, 1]


def test_a_server_dies_where_it_is_told_to_and_lives_without_being_told(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data")

    assert not server.start(failpoint="meta.next_epoch:before-commit")
    assert server.ended() == -9
    assert "a failpoint is set" in server.log()
    assert "meta.next_epoch:before-commit:1" in server.log()

    with server:
        assert server.register("ada").keys() == {"ada"}


def test_a_failpoint_that_there_is_not_keeps_a_server_from_starting(tmp_path: Path) -> None:
    process = cli(
        *("serve", "--port", "0", "--data", str(tmp_path / "data")),
        environment={"KITUMAIJA_FAILPOINT": "everything:now"},
    )

    assert process.returncode == ExitCode.FAILED
    lines = [line for line in process.stderr.splitlines() if line.startswith("kitumaija:")]
    assert len(lines) == 1
    assert "got the failpoint 'everything:now'" in lines[0]
