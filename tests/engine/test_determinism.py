"""The same seeds and players make the same games: in every run, on every version of Python."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import kitumaija.engine
from tests.support.seeded_games import digest, records, text_of

DIGEST = "a4c397ceb38f660c6aac7da4ae0ad5fa3bb6656305b563ea129edcfeb7c74294"
ROOT = Path(__file__).parents[2]
ENGINE = Path(kitumaija.engine.__file__).parents[2]


def test_the_seeded_games_are_those_of_the_committed_digest() -> None:
    assert digest() == DIGEST


def test_two_runs_in_one_process_write_the_same_records() -> None:
    assert [text_of(record) for record in records()] == [text_of(record) for record in records()]


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_another_version_of_python_plays_the_same_games(version: str) -> None:
    interpreter = _interpreter(version)
    if interpreter is None:
        pytest.skip(f"no Python {version} at hand")

    run = _run(interpreter, "-m", "tests.support.seeded_games")

    assert run.stderr == ""
    assert run.stdout.strip() == DIGEST


def _interpreter(version: str) -> str | None:
    """Return an interpreter of `version` that runs.

    A shim of pyenv is found on the path for every version installed, but runs the chosen one only;
    the interpreters themselves are kept beside the shims.
    """
    name = f"python{version}"
    found = shutil.which(name)
    candidates = [found] if found else []
    if found:
        kept = Path(found).parents[1] / "versions"
        candidates += [str(path) for path in sorted(kept.glob(f"{version}.*/bin/{name}"))]
    tell = "import sys; print('%d.%d' % sys.version_info[:2])"
    for candidate in candidates:
        run = _run(candidate, "-c", tell)
        if run.returncode == 0 and run.stdout.strip() == version:
            return candidate
    return None


def _run(interpreter: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [interpreter, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ENGINE), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
