"""Ctrl-C while a bot thinks for a minute: every command ends, saves its state and leaves nothing.

How a server answers signals when nobody plays is in `tests/server/test_serving.py`, what becomes of
a killed arena in `tests/sdk/arena/test_apart.py`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from kitumaija.wire.exits import ExitCode
from tests.support.processes import (
    BotProcesses,
    ServerProcess,
    nothing_is_left,
    processes_that_name,
    whole_tournament,
)

pytestmark = whole_tournament

# Writes a line for every game and for every question, and thinks about each for a minute.
THINKER = """
import os, pathlib, time
from kitumaija.sdk import Bot

def say(what):
    with pathlib.Path(os.environ["KITUMAIJA_TEST_SAID"]).open("a") as said:
        said.write(f"{what}\\n")

class Thinker(Bot):
    def on_start(self, match):
        say("start")

    def choose(self, turn):
        say("think")
        time.sleep(60)
        return turn.legal[0]
"""

COMMAND = [sys.executable, "-c", "from kitumaija.sdk.cli import main; main()"]
"""The command `kitumaija` of this very Python."""

BOUND_SECONDS = 30.0
"""How long a command may take to end: far less than the bot thinks, and more than it needs."""


class Run:
    """A folder with a thinker in it, and what is started there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said = folder / "said"
        self.bot = str(folder / "thinker.py")
        self.environment = {"KITUMAIJA_TEST_SAID": str(self.said)}
        Path(self.bot).write_text(THINKER, encoding="utf-8")

    def wait_for_thought(self, running: Callable[[], bool] = lambda: True) -> None:
        """Wait until a bot thinks."""
        while not self.said.exists() or "think" not in self.said.read_text(encoding="utf-8"):
            assert running(), self.output()
            time.sleep(0.05)  # between two looks

    def interrupted(self, *words: str) -> int:
        """Run a command until a bot thinks, then interrupt it; its exit code."""
        # To a file: a process that is left behind would hold a pipe open.
        with (self.folder / "output").open("wb") as output:
            process = subprocess.Popen(
                [*COMMAND, *words],
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        try:
            self.wait_for_thought(lambda: process.poll() is None)
            process.send_signal(signal.SIGINT)
            return process.wait(BOUND_SECONDS)
        finally:
            process.kill()
            process.wait()

    def output(self) -> str:
        """What the command printed."""
        output = self.folder / "output"
        return output.read_text(encoding="utf-8") if output.exists() else ""

    def begin(self, server: ServerProcess, bots: BotProcesses) -> None:
        """Start a match of two thinkers, played by `kitumaija bot run`, and wait for a thought."""
        for name, token in server.register("a", "b").items():
            bots.start_command(
                name,
                [*COMMAND, "bot", "run", self.bot],
                address=server.address,
                token=token,
                environment={"KITUMAIJA_TEST_SAID": f"{self.said}-{name}"},
            )
        server.run(
            *("tournament", "create", "t", "--limit", "per_decision=120s", "--max-running", "1")
        )
        server.run("tournament", "enter", "t", "a", "b")
        server.run("tournament", "start", "t", "--allow-absent")

    def thinking(self) -> str:
        """Wait until one of the two thinks; which."""
        while True:
            for name in ("a", "b"):
                said = Path(f"{self.said}-{name}")
                if said.exists() and "think" in said.read_text(encoding="utf-8"):
                    return name
            time.sleep(0.05)  # between two looks


def test_an_interrupted_arena_ends_at_once_and_nothing_of_it_is_left(tmp_path: Path) -> None:
    run = Run(tmp_path)

    code = run.interrupted("arena", run.bot, "sample:smallest", "--jobs", "2", "--games", "8")

    assert code == ExitCode.INTERRUPTED
    assert processes_that_name(str(tmp_path)) == []
    # Two processes, a game each, and no other game was begun.
    assert run.said.read_text(encoding="utf-8").count("start") <= 2
    assert "Traceback" not in run.output()


def test_an_interrupted_demo_ends_at_once_and_a_server_goes_on_with_it(tmp_path: Path) -> None:
    run, data = Run(tmp_path), tmp_path / "data"

    code = run.interrupted(
        *("demo", "--data", str(data), "--bot", run.bot, "--bot", "sample:smallest"),
        *("--seats", "2", "--rounds", "50"),
    )

    assert code == ExitCode.INTERRUPTED
    assert processes_that_name(str(tmp_path)) == []
    assert f"kitumaija serve --data {data}" in run.output().replace("\n", "")
    assert "Traceback" not in run.output()
    with ServerProcess(data) as server:
        shown = server.read("tournament", "show", "demo")
        assert shown["state"] == "TOURNAMENT_STATE_RUNNING"
        assert shown["matches"]["finished"] < shown["matches"]["planned"] == 100


def test_an_interrupted_server_ends_at_once_and_goes_on_with_the_same_match(tmp_path: Path) -> None:
    run = Run(tmp_path)
    with ServerProcess(tmp_path / "data") as server, BotProcesses(tmp_path) as bots:
        run.begin(server, bots)
        run.thinking()
        before = server.read("tournament", "matches", "t")

        server.send_signal(signal.SIGINT)
        assert server.ended(BOUND_SECONDS) == ExitCode.OK

        server.start()
        assert server.read("tournament", "matches", "t") == before
        assert server.read("tournament", "show", "t")["state"] == "TOURNAMENT_STATE_RUNNING"
        assert server.stop() == ExitCode.OK


def test_an_interrupted_bot_ends_at_once_and_its_match_waits_for_it(tmp_path: Path) -> None:
    run = Run(tmp_path)
    with ServerProcess(tmp_path / "data") as server, BotProcesses(tmp_path) as bots:
        run.begin(server, bots)
        name = run.thinking()

        assert bots.interrupt(name) == ExitCode.OK

        assert nothing_is_left(Path(f"{run.said}-{name}"))
        assert "Traceback" not in bots.log(name)
        assert server.read("tournament", "show", "t")["state"] == "TOURNAMENT_STATE_RUNNING"
