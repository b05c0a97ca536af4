"""An arena in other processes: the same games, told in order, and nothing of it is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kitumaija.sdk.arena import arena
from kitumaija.sdk.errors import BotError, SdkError, UsageError
from tests.support.bots import First, Raises
from tests.support.processes import PATIENCE_SECONDS, nothing_is_left, processes_that_name

# Starts a process that nobody else knows of, says that it plays, and thinks for as long as it is
# told to.
STARTER = """
import os, pathlib, subprocess, sys, time
from kitumaija.sdk import Bot

class Starter(Bot):
    def on_start(self, match):
        sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]
        subprocess.Popen(sleeper, start_new_session=True)

    def choose(self, turn):
        print("a bot may print")
        pathlib.Path(__file__).with_name(f"playing-{os.getpid()}").touch()
        time.sleep(float(os.environ["KITUMAIJA_TEST_THINK"]))
        return turn.legal[0]
"""

PROGRAM = """
import sys
from kitumaija.sdk.arena import arena
if __name__ == "__main__":
    result = arena([sys.argv[1]] * 2, seats=2, games=4, seed=1, jobs=2)
    print(result.games, "games")
"""


def runner(kind: str, folder: Path, *, think: float) -> subprocess.Popen[bytes]:
    """Start an arena of two bots that start processes: a program's, or the command."""
    bot = folder / "starter.py"
    bot.write_text(STARTER, encoding="utf-8")
    commands = {
        "program": [sys.executable, "-c", PROGRAM, str(bot)],
        "command": [
            *(sys.executable, "-c", "from kitumaija.sdk.cli import main; main()"),
            *("arena", str(bot), str(bot), "--games", "2"),
        ],
    }
    # To files: a process that is left behind would hold a pipe open.
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        return subprocess.Popen(
            commands[kind],
            env={
                **os.environ,
                "KITUMAIJA_TEST_MARK": str(folder),
                "KITUMAIJA_TEST_THINK": str(think),
            },
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )


@pytest.mark.parametrize("kind", ["program", "command"])
def test_nothing_is_left_of_an_arena_that_is_over(kind: str, tmp_path: Path) -> None:
    process = runner(kind, tmp_path, think=0)

    assert process.wait(PATIENCE_SECONDS) == 0, (tmp_path / "err").read_text()
    # It waits for what it started: no look is too early.
    assert processes_that_name(str(tmp_path)) == []
    assert "games" in (tmp_path / "out").read_text()
    assert "a bot may print" not in (tmp_path / "out").read_text()
    assert "a bot may print" in (tmp_path / "err").read_text()


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        ("program", signal.SIGINT),
        ("program", signal.SIGKILL),
        ("command", signal.SIGINT),
        ("command", signal.SIGKILL),
    ],
)
def test_nothing_is_left_of_an_arena_that_a_signal_ended_while_its_bots_think(
    kind: str, number: signal.Signals, tmp_path: Path
) -> None:
    process = runner(kind, tmp_path, think=600)
    jobs = 2 if kind == "program" else 1
    try:
        while len(list(tmp_path.glob("playing-*"))) < jobs:
            assert process.poll() is None, (tmp_path / "err").read_text()
            time.sleep(0.05)  # between two looks
        # The runner, the supervisor, whoever plays, and what two bots a game started.
        assert len(processes_that_name(str(tmp_path))) >= 2 + jobs + 2 * jobs
        process.send_signal(number)
        process.wait(PATIENCE_SECONDS)
    finally:
        process.kill()
        process.wait()

    assert nothing_is_left(tmp_path)


def test_the_number_of_processes_changes_nothing() -> None:
    names = ["sample:smallest", "sample:observer"]

    here = arena(names, seats=2, games=8, seed=1)

    for jobs in (1, 3):
        heard: list[int] = []
        apart = arena(names, seats=2, games=8, seed=1, jobs=jobs, progress=heard.append)
        assert apart == here
        assert heard == [2, 4, 6, 8]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_s_error_arrives_with_its_turn_and_the_author_s_traceback(jobs: int) -> None:
    with pytest.raises(BotError, match="Raises: choose raised") as caught:
        arena([Raises, First], seats=2, games=4, seed=1, on_error="raise", jobs=jobs)

    assert caught.value.bot == "Raises"
    assert caught.value.turn is not None
    (trace,) = caught.value.__notes__
    assert "in choose" in trace


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_ends_its_process_ends_the_arena_with_a_sentence(
    jobs: int, tmp_path: Path
) -> None:
    bot = tmp_path / "leaver.py"
    bot.write_text(
        "import os\n"
        "from kitumaija.sdk import Bot\n"
        "class Leaver(Bot):\n"
        "    def choose(self, turn):\n"
        "        os._exit(7)\n",
        encoding="utf-8",
    )

    with pytest.raises(SdkError, match="ended, .*a bot ended it, it crashed, or memory ran out"):
        arena([str(bot), "sample:smallest"], seats=2, games=4, seed=1, jobs=jobs)


def test_bots_that_other_processes_cannot_find_are_refused_with_jobs() -> None:
    class Local(First):
        """A class of this function alone."""

    with pytest.raises(UsageError, match=r"name them as path/to/file.py:Class"):
        arena([Local, First], seats=2, games=2, seed=1, jobs=2)
