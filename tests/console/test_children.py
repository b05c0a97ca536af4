"""Child processes: none outlives who started it, however that ended, and what they say is kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kitumaija.console.children import Allowance, Children
from kitumaija.console.supervisor import KEPT_BYTES
from tests.support.processes import PATIENCE_SECONDS, nothing_is_left, processes_that_name

# A bot that does not listen to SIGTERM, with a child in a session of its own, and one in that one's
# background: three processes that nobody but their ancestors knows of.
STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
orphan = [sys.executable, "-c", "import time; time.sleep(600)"]
subprocess.Popen(
    [sys.executable, "-c", f"import subprocess as s; s.Popen({orphan}, start_new_session=True)"],
    start_new_session=True,
).wait()
print("ready", flush=True)
time.sleep(600)
"""

RUNNER = """
import sys, time
from pathlib import Path
from kitumaija.console.children import Children

with Children(Path(sys.argv[1])) as children:
    child = children.start("stubborn", [sys.executable, "-c", sys.argv[2]], read_output=True)
    print(child.read_line(), end="", flush=True)
    how = sys.stdin.readline().strip()
    if how == "raise":
        raise RuntimeError("the runner failed")
    if how == "wait":
        time.sleep(600)
"""


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process whose child is ready, and which does next what is written to it."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUNNER, str(tmp_path / "logs"), STUBBORN],
        env={"MARK": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    # The runner, the supervisor, the bot, and the bot's grandchild.
    assert len(processes_that_name(str(tmp_path))) == 4
    yield process
    process.kill()
    process.communicate()


@pytest.mark.parametrize("how", ["return", "raise"])
def test_nothing_is_left_when_the_runner_has_ended_by_itself(
    runner: subprocess.Popen[str], how: str, tmp_path: Path
) -> None:
    runner.communicate(f"{how}\n", timeout=PATIENCE_SECONDS)

    # The runner waits for its children: no look is too early.
    assert processes_that_name(str(tmp_path)) == []
    assert (runner.returncode == 0) == (how == "return")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_when_a_signal_ended_the_runner(
    runner: subprocess.Popen[str], number: signal.Signals, tmp_path: Path
) -> None:
    runner.send_signal(number)
    runner.wait(PATIENCE_SECONDS)

    assert nothing_is_left(tmp_path)


def test_a_child_that_listens_is_asked_before_it_is_killed(tmp_path: Path) -> None:
    polite = (
        "import signal, sys, time\n"
        "def leave(*_): print('goodbye'); sys.exit(7)\n"
        "signal.signal(signal.SIGTERM, leave)\n"
        "print('ready', file=sys.stderr, flush=True)\n"
        "time.sleep(600)"
    )
    with Children(tmp_path) as children:
        child = children.start("polite", [sys.executable, "-c", polite])
        while "ready" not in child.tail():
            assert child.code is None

        assert child.stop() == 7

    assert child.tail() == "ready\ngoodbye\n"


def test_what_a_child_leaves_behind_is_ended_when_it_ends_by_itself(tmp_path: Path) -> None:
    leaves = "sleep 600 & setsid sleep 600 & exit 3"
    environment = {"MARK": str(tmp_path)}
    with Children(tmp_path / "logs") as children:
        child = children.start("leaves", ["sh", "-c", leaves], environment=environment)
        assert child.wait(PATIENCE_SECONDS) == 3

        assert processes_that_name(str(tmp_path)) == []
        assert children.ended() == [child]


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (["sh", "-c", "kill -9 $$"], 128 + 9, ""),
        (["sh", "-c", "echo no model; exit 1"], 1, "no model\n"),
        (["/no/such/program"], 127, "cannot start '/no/such/program': No such file or directory\n"),
    ],
)
def test_how_a_child_ended_and_what_it_said_last_is_known(
    command: list[str], code: int, said: str, tmp_path: Path
) -> None:
    with Children(tmp_path) as children:
        child = children.start("one", command)

        assert child.wait(PATIENCE_SECONDS) == code
        assert child.tail() == said


def test_of_a_child_that_never_stops_talking_the_last_64_kib_are_kept_and_no_more(
    tmp_path: Path,
) -> None:
    talks = "for number in range(100_000): print('line', number)"
    with Children(tmp_path) as children:
        child = children.start("talks", [sys.executable, "-c", talks])
        child.wait(PATIENCE_SECONDS)

    tail = child.tail()
    assert len(tail) == KEPT_BYTES
    assert tail.endswith("line 99998\nline 99999\n")
    assert [path.name for path in tmp_path.iterdir()] == ["talks.log"]
    assert (tmp_path / "talks.log").stat().st_size <= 2 * KEPT_BYTES


def test_without_a_place_for_logs_children_write_to_where_the_runner_does(tmp_path: Path) -> None:
    runner = (
        "import sys\n"
        "from kitumaija.console.children import Children\n"
        "with Children(None) as children:\n"
        "    children.start('one', ['sh', '-c', 'echo said; echo warned >&2']).wait(60)\n"
        "    child = children.start('two', ['sh', '-c', 'echo read; echo failed >&2'], "
        "read_output=True)\n"
        "    print('got', child.read_line(), end='')\n"
        "    child.wait(60)\n"
        "    children.start('three', ['/no/such/program']).wait(60)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", runner],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=True,
    )

    assert done.stdout == "said\ngot read\n"
    assert done.stderr.splitlines() == [
        "warned",
        "failed",
        "cannot start '/no/such/program': No such file or directory",
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_child_whose_supervisor_is_killed_dies_with_it(tmp_path: Path) -> None:
    environment = {"MARK": str(tmp_path)}
    waits = "import time; print('ready', flush=True); time.sleep(600)"
    with Children(tmp_path / "logs") as children:
        child = children.start("one", [sys.executable, "-c", waits], environment=environment)
        while "ready" not in child.tail():
            assert child.code is None
        os.kill(child.pid, signal.SIGKILL)

        assert nothing_is_left(tmp_path)


MIB = 1024 * 1024
# All that it uses, the child of a child uses: the one that was started only waits for it.
BELOW = ["sh", "-c", f'{sys.executable} -c "$0" & wait']


@pytest.mark.parametrize(
    ("allowance", "program", "why"),
    [
        (
            Allowance(memory_bytes=64 * MIB),
            "import time; kept = b'x' * (96 << 20); time.sleep(600)",
            "kitumaija: ended for its memory: ",
        ),
        (
            Allowance(cpu_seconds=0.2, memory_bytes=1024 * MIB),
            "while True: pass",
            "kitumaija: ended for its CPU time: ",
        ),
    ],
    ids=["memory", "cpu"],
)
def test_what_uses_more_than_its_allowance_is_ended_with_all_that_it_started(
    allowance: Allowance, program: str, why: str, tmp_path: Path
) -> None:
    environment = {"MARK": str(tmp_path)}
    with Children(tmp_path / "logs") as children:
        child = children.start(
            "one", [*BELOW, program], environment=environment, allowance=allowance
        )

        assert child.wait(PATIENCE_SECONDS) == 128 + signal.SIGKILL
        assert child.tail().splitlines()[-1].startswith(why)
        assert nothing_is_left(tmp_path)


def test_cpu_time_of_children_that_ended_counts_too(tmp_path: Path) -> None:
    spins = "import time\nwhile time.process_time() < 0.1: pass"
    many = 'while true; do "$0" -c "$1"; done'
    with Children(tmp_path) as children:
        child = children.start(
            "one", ["sh", "-c", many, sys.executable, spins], allowance=Allowance(cpu_seconds=0.5)
        )

        assert child.wait(PATIENCE_SECONDS) == 128 + signal.SIGKILL
        assert "the limit is 0.5 s" in child.tail()


def test_what_stays_within_its_allowance_ends_by_itself(tmp_path: Path) -> None:
    allowance = Allowance(cpu_seconds=30, memory_bytes=512 * MIB)
    with Children(tmp_path) as children:
        child = children.start("one", ["sh", "-c", "sleep 0.3; exit 7"], allowance=allowance)

        assert child.wait(PATIENCE_SECONDS) == 7
        assert child.tail() == ""
