"""`kitumaija server check-leaks`, as a person runs it."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from kitumaija.server.__main__ import commands
from kitumaija.wire.exits import ExitCode


def test_a_server_that_leaks_nothing_is_told_so_with_what_was_compared() -> None:
    words = ["server", "check-leaks", "--games", "1", "--seats", "2", "--seed", "cli", "--json"]
    done = CliRunner().invoke(commands(), words)

    assert done.exit_code == ExitCode.OK, done.output
    told = json.loads(done.stdout)
    assert told["ok"]
    assert told["seed"] == "cli"
    assert sum(told["pairs"].values()) == 1
    assert told["messages"]["stream decision"] > 2
    assert told["bytes"] > 1000
    assert told["findings"] == []


def test_a_table_of_eleven_is_refused() -> None:
    done = CliRunner().invoke(commands(), ["server", "check-leaks", "--seats", "11"])

    assert done.exit_code == ExitCode.USAGE
    assert "--seats" in done.stderr
