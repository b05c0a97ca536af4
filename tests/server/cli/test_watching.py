"""Watching a tournament whose server is stopped and started."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kitumaija.wire.exits import ExitCode
from tests.support.processes import PATIENCE_SECONDS, ServerProcess


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_a_watch_goes_on_when_its_server_is_started_again(
    tmp_path: Path, ending: signal.Signals
) -> None:
    with ServerProcess(tmp_path / "data") as server:
        server.run("tournament", "create", "t")
        watch = subprocess.Popen(
            [
                *(sys.executable, "-m", "kitumaija.server", "tournament", "watch", "t", "--json"),
                *("--address", server.address, "--data", str(server.data)),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert watch.stdout is not None
            first = json.loads(watch.stdout.readline())
            if ending is signal.SIGKILL:
                server.kill()
            else:
                assert server.stop() == ExitCode.OK
            server.start()
            second = json.loads(watch.stdout.readline())
            server.run("tournament", "cancel", "t")
            rest, errors = watch.communicate(timeout=PATIENCE_SECONDS)
        finally:
            watch.kill()
            watch.wait()

    assert first["state"] == second["state"] == "TOURNAMENT_STATE_OPEN"
    assert json.loads(rest.splitlines()[-1])["state"] == "TOURNAMENT_STATE_CANCELLED"
    assert "asking again" in errors
    assert watch.returncode == ExitCode.FAILED


def test_without_a_terminal_how_it_stands_is_told_at_once_and_at_the_end(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        server.run("tournament", "create", "t", "--title", "The cup")
        watch = subprocess.Popen(
            [
                *(sys.executable, "-m", "kitumaija.server", "tournament", "watch", "t"),
                *("--address", server.address, "--data", str(server.data)),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert watch.stderr is not None
            first = watch.stderr.readline()
            server.run("tournament", "cancel", "t")
            rest, errors = watch.communicate(timeout=PATIENCE_SECONDS)
        finally:
            watch.kill()
            watch.wait()

    assert first == "kitumaija: The cup · open · 0 running\n"
    assert errors == "kitumaija: The cup · cancelled · 0 running\n"
    assert rest == "! the tournament was cancelled before its schedule was played\n"
    assert watch.returncode == ExitCode.FAILED
