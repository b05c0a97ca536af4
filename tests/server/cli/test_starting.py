"""A command loads what it works with, and no more: `--help` is quick."""

from __future__ import annotations

import json
import subprocess
import sys

HEAVY = {
    *("alembic", "cryptography", "numpy", "pydantic", "sqlalchemy", "structlog", "trueskill"),
    *("kitumaija.server.app", "kitumaija.server.match"),
}
ASK = """
import json, sys
from kitumaija.server.__main__ import commands

commands()
print(json.dumps(sorted(sys.modules)))
"""


def test_the_commands_are_there_without_the_server_behind_them() -> None:
    done = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True)

    assert set(json.loads(done.stdout)) & HEAVY == set()
