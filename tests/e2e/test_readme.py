"""What README.md tells a newcomer to type is typed here, in its order, in an empty directory."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import (
    TOURNAMENT_SECONDS,
    ServerProcess,
    processes_that_name,
    whole_tournament,
)

README = Path(__file__).parents[2] / "README.md"
# The two commands that set up everything are what runs this test; the environment is theirs.
ADDRESS = "127.0.0.1:4800"
SET_UP = ("make demo", ". .venv/bin/activate", "kitumaija serve")


def _blocks(language: str) -> list[str]:
    text = README.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def _shell(script: str, where: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=where,
        env={k: v for k, v in os.environ.items() if not k.startswith("KITUMAIJA_")}
        | {"PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TOURNAMENT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_first_bot_has_fewer_than_fifteen_lines() -> None:
    (bot,) = _blocks("python")

    assert len([line for line in bot.splitlines() if line.strip()]) < 15


@whole_tournament
def test_everything_that_the_readme_says_to_type_works(tmp_path: Path) -> None:
    (bot,) = _blocks("python")
    (tmp_path / "my_bot.py").write_text(bot, encoding="utf-8")
    scripts = [block for block in _blocks("sh") if not block.startswith(SET_UP)]
    local = [script for script in scripts if "arena" in script]
    network = [script for script in scripts if "arena" not in script]
    assert len(local) == 2
    assert len(network) == 3

    for script in local:
        assert "beats it" in _shell(script, tmp_path)

    with ServerProcess(tmp_path / "kitumaija-data") as server:
        # One shell for all of it: the bots that it starts in the background end with it.
        everything = "trap 'kill $(jobs -p)' EXIT\n" + "\n".join(network)
        # Nothing but the port is another one than a newcomer's.
        assert everything.count(ADDRESS) == 1
        printed = _shell(everything.replace(ADDRESS, server.address), tmp_path)
    assert "mine" in printed
    assert re.search(r"(\d+) of \1 matches rated", printed)
    assert (tmp_path / "spring.zip").stat().st_size > 1000
    assert processes_that_name(str(tmp_path)) == []


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\]\(([^)#:]+)\)", README.read_text()))))
def test_every_link_of_the_readme_leads_somewhere(path: str) -> None:
    assert (README.parent / path).exists()
