"""Time as real processes see it: a server that is stopped, and a wall clock that is set."""

from __future__ import annotations

import os
import signal
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.support.faketime import WallClock
from tests.support.processes import (
    PATIENCE_SECONDS,
    BotProcesses,
    ServerProcess,
    whole_tournament,
)

pytestmark = whole_tournament

SCRIPTED = {"b": "sample:observer", "c": "sample:rememberer"}

PROBES_MAX = 30
"""How often a server is asked for its clock, each time for about a second."""

HELD_MATCHES = (2, 4)
"""Which of its matches the first bot does not begin before the test lets it."""

# Does what is first of all that is legal; in some matches, not before a file says that it may.
HELD = f"""
import os, pathlib, time
from kitumaija.sdk import Bot

class Held(Bot):
    matches = 0

    def on_start(self, start):
        Held.matches += 1

    def choose(self, turn):
        if Held.matches in {HELD_MATCHES}:
            let_go = pathlib.Path(os.environ["KITUMAIJA_TEST_LET_GO"] + str(Held.matches))
            while not let_go.exists():
                time.sleep(0.01)
        return turn.legal[0]
"""

# Says in a file that it thinks, and thinks until the file is taken away; in the end not any more.
THINKER = """
import os, pathlib, time
from kitumaija.sdk import Bot

class Thinker(Bot):
    def choose(self, turn):
        thinking = pathlib.Path(os.environ["KITUMAIJA_TEST_THINKING"])
        if not thinking.with_name("enough").exists():
            thinking.touch()
            while thinking.exists():
                time.sleep(0.01)
        return turn.legal[0]
"""


def _play(
    directory: Path, server: ServerProcess, bots: BotProcesses, *, wall: WallClock | None = None
) -> Any:
    """Play every match of a tournament, one after the other; return its standings.

    With a wall clock, that is set an hour ahead in the middle of it, and then an hour back.
    """
    source = directory / "held.py"
    source.write_text(HELD)
    let_go = directory / f"{server.data.name}-may-begin-"
    tokens = server.register("a", *SCRIPTED)
    environment = {"KITUMAIJA_TEST_LET_GO": str(let_go)}
    for name, bot in {"a": f"{source}:Held", **SCRIPTED}.items():
        bots.start(name, bot, address=server.address, token=tokens[name], environment=environment)
    server.run(
        *("tournament", "create", "t", "--unsafe-seed", "the same cards", "--max-running", "1"),
        *("--option", "turns_per_player=8"),
        *("--limit", "per_decision=120s", "--limit", "bank=0s", "--limit", "startup=120s"),
    )
    server.run("tournament", "enter", "t", *tokens)
    server.run("tournament", "start", "t", "--allow-absent")
    for match, ahead in zip(HELD_MATCHES, (timedelta(hours=1), timedelta(hours=-1)), strict=True):
        while _show(server)["matches"]["finished"] < match - 1:
            pass
        if wall is not None:
            wall.set(ahead)
            _see(server, ahead)
        Path(f"{let_go}{match}").touch()
    server.run("tournament", "watch", "t")
    return server.read("tournament", "standings", "t")


def _see(server: ServerProcess, ahead: timedelta) -> None:
    """Wait until the server's clock is so far ahead of ours: bots that register tell it."""
    half = abs(ahead) / 2
    for number in range(PROBES_MAX):
        probe = f"probe-{ahead.total_seconds():.0f}-{number}"
        registered = server.read("bot", "register", probe)["bot"]
        told = datetime.fromisoformat(registered["created_at"])
        if abs(told - datetime.now(tz=UTC) - ahead) < half:
            return
    raise AssertionError(f"the server's clock is not {ahead} ahead")


def _show(server: ServerProcess) -> Any:
    return server.read("tournament", "show", "t")


def test_a_wall_clock_that_is_set_while_a_tournament_runs_changes_nothing(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "still") as server, BotProcesses(tmp_path) as bots:
        undisturbed = _play(tmp_path, server, bots)
        limits = _show(server)["settings"]["limits"]

    wall = WallClock(tmp_path / "wall")
    set_anew = ServerProcess(tmp_path / "set", environment=wall.environment)
    with set_anew as server, BotProcesses(tmp_path) as bots:
        standings = _play(tmp_path, server, bots, wall=wall)
        shown = _show(server)

    assert limits == shown["settings"]["limits"]
    # The clock that was set is the server's: it ended before it began.
    began, ended = (datetime.fromisoformat(shown[name]) for name in ("started_at", "ended_at"))
    assert ended < began
    assert standings == undisturbed
    assert not any(row["faults"] for table in standings["tables"] for row in table["rows"])


def test_a_server_that_is_stopped_in_mid_decision_charges_nobody(tmp_path: Path) -> None:
    source = tmp_path / "thinker.py"
    source.write_text(THINKER)
    thinking = tmp_path / "thinking"
    with ServerProcess(tmp_path / "data") as server, BotProcesses(tmp_path) as bots:
        tokens = server.register("a", "b")
        for name, token in tokens.items():
            bots.start(
                name,
                f"{source}:Thinker",
                address=server.address,
                token=token,
                environment={"KITUMAIJA_TEST_THINKING": str(thinking)},
            )
        server.run(
            *("tournament", "create", "t", "--max-running", "1"),
            *("--limit", "per_decision=4s", "--limit", "bank=0s"),
            *("--option", "turns_per_player=4", "--hands-visible", "after_match"),
        )
        server.run("tournament", "enter", "t", "a", "b")
        server.run("tournament", "start", "t", "--allow-absent")
        for last in (False, True):
            _appears(thinking)
            os.kill(server.pid, signal.SIGSTOP)
            # Longer than all the time of a decision: it would be a fault, were it charged.
            time.sleep(5)
            os.kill(server.pid, signal.SIGCONT)
            if last:
                thinking.with_name("enough").touch()
            thinking.unlink()
        server.run("tournament", "watch", "t")
        clocks = server.read("tournament", "clocks", "t")
        (table,) = server.read("tournament", "standings", "t")["tables"]

    assert [row["faults"] for row in table["rows"]] == [[], []]
    assert [row["default_decisions"] for row in table["rows"]] == [0, 0]
    assert sum(int(bot["retimed"]) for bot in clocks["bots"]) >= 1
    assert [int(bot["timeouts"]) for bot in clocks["bots"]] == [0, 0]
    assert "server stalled" in server.log()


def _appears(file: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not file.exists():
        assert time.monotonic() < deadline, f"{file.name} did not appear"
        time.sleep(0.01)


# Take their time to load, and say what they are at; the one for a moment, the other for ever.
SLOW_STARTERS = """
import sys, time
from kitumaija.sdk import Bot

class Loads(Bot):
    seconds = 0.5

    def __init__(self):
        print("loading the opening book", file=sys.stderr, flush=True)
        time.sleep(self.seconds)

    def choose(self, turn):
        return turn.legal[0]

class LoadsForEver(Loads):
    seconds = 3600
"""


def test_a_slow_start_is_free_within_its_limit_and_a_fault_of_its_own_beyond_it(
    tmp_path: Path,
) -> None:
    source = tmp_path / "slow.py"
    source.write_text(SLOW_STARTERS)
    classes = {"quick": "Loads", "never": "LoadsForEver"}
    with ServerProcess(tmp_path / "data") as server, BotProcesses(tmp_path) as bots:
        tokens = server.register(*classes)
        for name, kind in classes.items():
            bots.start(name, f"{source}:{kind}", address=server.address, token=tokens[name])
        server.run(
            *("tournament", "create", "t", "--limit", "startup=6s"),
            *("--no-shows-to-withdraw", "1"),
        )
        server.run("tournament", "enter", "t", *classes)
        while not all(entrant["connected"] for entrant in _show(server)["entrants"]):
            time.sleep(0.05)
        server.run("tournament", "start", "t")
        server.run("tournament", "watch", "t")
        matches = server.read("tournament", "matches", "t")["matches"]

    faults = {
        (seat["bot_id"], fault["fault"])
        for match in matches
        for seat in match["seats"]
        for fault in seat["faults"]
    }
    assert faults == {("never", "startup_timeout")}
    assert "loading the opening book" in bots.log("never")
