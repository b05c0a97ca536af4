"""The command where only the bots' part is installed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from kitumaija.wire.exits import ExitCode

# The packages of the extra are hidden from the program's imports, as if they were not installed.
HIDDEN = """
import sys
from importlib.machinery import PathFinder

class Hiding(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] in {hidden!r}:
            return None
        return super().find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = Hiding
from kitumaija.sdk.cli import main
main({arguments!r})
"""


# What a server alone needs.
SERVERS = {"alembic", "sqlalchemy", "structlog", "trueskill"}


def _run(hidden: set[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    program = HIDDEN.format(hidden=hidden, arguments=list(arguments))
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("hidden", [{"typer"}, {"rich"}, {"typer", "rich"}])
def test_it_says_in_one_line_what_to_install(hidden: set[str]) -> None:
    done = _run(hidden, "arena", "sample:smallest", "sample:smallest")

    assert done.returncode == ExitCode.USAGE
    assert done.stderr == "the command kitumaija needs more: pip install 'kitumaija[cli]'\n"
    assert done.stdout == ""


def test_the_authors_commands_work_without_the_organizers() -> None:
    done = _run(SERVERS, "arena", "sample:smallest", "sample:smallest", "--games", "2")

    assert (done.returncode, done.stderr) == (ExitCode.OK, "")


def test_the_organizers_commands_say_what_to_install() -> None:
    done = _run(SERVERS, "serve")

    assert done.returncode == ExitCode.USAGE
    assert "pip install 'kitumaija[server]'" in done.stderr
