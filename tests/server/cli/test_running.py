"""What an organizer does with a tournament that runs: the bench, and commands that do not fit."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner, Result

from kitumaija.server.__main__ import commands
from kitumaija.wire.exits import ExitCode
from tests.support.processes import ServerProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with a tournament that runs; its bots are away, so that nothing is begun."""
    with ServerProcess(tmp_path_factory.mktemp("server") / "data") as running:
        for bot in ("ann", "bob", "cid"):
            _call(running, "bot", "register", bot)
        for words in (
            ("create", "soon"),
            ("create", "cup"),
            ("enter", "cup", "ann", "bob", "cid"),
            ("start", "cup", "--allow-absent"),
            ("bench", "cup", "bob"),
        ):
            done = _run(running, *words)
            assert done.exit_code == ExitCode.OK, done.output
        yield running


def _call(server: ServerProcess, *words: str) -> Result:
    arguments = [*words, "--address", server.address, "--data", str(server.data)]
    return CliRunner().invoke(commands(), arguments)


def _run(server: ServerProcess, *words: str) -> Result:
    return _call(server, "tournament", *words)


def _entrant(server: ServerProcess, bot: str) -> tuple[str, str]:
    shown = json.loads(_run(server, "show", "cup", "--json").stdout)
    (entrant,) = [one for one in shown["entrants"] if one["bot_id"] == bot]
    return entrant["state"], entrant["reason"]


def test_a_bot_goes_to_the_bench_and_returns_and_both_are_in_the_log(server: ServerProcess) -> None:
    gone = _run(server, "bench", "cup", "ann", "--reason", "its machine is mended")

    assert (gone.exit_code, gone.stdout) == (ExitCode.OK, "ann is on the bench of cup\n")
    assert _entrant(server, "ann") == ("ENTRANT_STATE_BENCHED", "its machine is mended")
    assert "ann (on the bench)" in _run(server, "standings", "cup").stdout

    back = _run(server, "return", "cup", "ann", "--json")

    assert back.exit_code == ExitCode.OK
    assert json.loads(back.stdout)["entrant"]["bot_id"] == "ann"
    assert _entrant(server, "ann") == ("ENTRANT_STATE_ENTERED", "")
    log = json.loads(_run(server, "audit", "cup", "--json").stdout)["entries"]
    assert [(one["action"], one["subject"]) for one in log[:2]] == [
        ("return", "ann"),
        ("bench", "ann"),
    ]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("bench", "cup", "bob"), ExitCode.REFUSED, "'bob' is benched in tournament 'cup'"),
        (("return", "cup", "cid"), ExitCode.REFUSED, "this is for one that is benched"),
        (("bench", "cup", "nobody"), ExitCode.USAGE, "'nobody' is not entered"),
        (("return", "nowhere", "cid"), ExitCode.USAGE, "there is no tournament 'nowhere'"),
        (("bench", "soon", "bob"), ExitCode.REFUSED, "it must be running or paused"),
        (("start", "cup"), ExitCode.REFUSED, "it is running already; watch it, or pause it"),
        (("create", "cup"), ExitCode.REFUSED, "choose another id"),
    ],
)
def test_what_does_not_fit_is_one_line_that_says_why(
    server: ServerProcess, words: tuple[str, ...], code: ExitCode, said: str
) -> None:
    done = _run(server, *words)

    assert (done.exit_code, done.stdout) == (code, "")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
