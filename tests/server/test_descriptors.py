"""The limit of open files, as a process of its own finds it."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("resource")

PROGRAM = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
from kitumaija.server.descriptors import raise_limit
print(raise_limit())
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def raised(soft: int, hard: int) -> list[str]:
    program = PROGRAM.format(soft=soft, hard=hard)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.splitlines()


def test_the_limit_is_raised_as_far_as_the_system_lets_it_and_a_low_one_is_said() -> None:
    said, now = raised(128, 300)

    assert said.startswith("this process may open 300 files, and every bot takes one")
    assert now == "300"


def test_a_limit_that_is_high_enough_is_no_news() -> None:
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 8_192:
        pytest.skip("this machine's own limit is low")

    assert raised(128, 8_192) == ["None", "8192"]
