"""A server that dies, or is stopped and started again, in mid-tournament."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kitumaija.server.store.engines import FILE_NAME
from kitumaija.wire.exits import ExitCode
from tests.support.processes import BotProcesses, ServerProcess, whole_tournament
from tests.support.scripted_tournament import (
    TOURNAMENT,
    ScriptedTournament,
    all_connected,
    finished,
    matches_known,
    seats_played,
    table,
)

pytestmark = whole_tournament

SCRIPTED = ScriptedTournament(turns=12)
POINTS = (1, 9)
"""How many matches are over when the server is killed; the first time it does so itself."""

FAILPOINTS = (
    "journal.append:before-commit:20",
    "matches.add:after-commit:2",
    "matches.finish:before-commit:3",
    "records.put:after-commit:2",
    "transaction:after-commit:40",
    "ratings.save:before-commit",
    "tournaments.set_state:before-commit",
)
"""Where the server dies, one after the other; the last two as the tournament ends."""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    where = tmp_path_factory.mktemp("undisturbed")
    with ServerProcess(where / "data") as server, BotProcesses(where) as bots:
        SCRIPTED.begin(server, bots)
        server.run("tournament", "watch", TOURNAMENT)
        return table(server)


@dataclass(frozen=True)
class Killed:
    """What was seen of a tournament whose server was killed again and again, the last time with a
    disk that kept less than it had said."""

    table: Any
    left: list[tuple[int, int]]
    """At each restart, how many matches were over before it, and how many it says are left."""
    known: list[dict[str, tuple[str, list[str]]]]
    """The matches by id: before each restart, and at the end."""
    cut_off: list[frozenset[str]]
    """The sets that were begun and not complete at the first kill, and at the end."""
    never_complete: list[frozenset[str]]
    log: str


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    where = tmp_path_factory.mktemp("killed")
    left, known = [], []
    server = ServerProcess(where / "data")
    server.start(failpoint="matches.finish:after-commit")
    with server, BotProcesses(where) as bots:
        SCRIPTED.begin(server, bots)
        server.ended()
        cut_off = _incomplete(server)
        for point in POINTS:
            _until(server, point)
            if point > 1:
                server.kill()
            known.append(matches_known(server))
            done = finished(server)
            server.start()
            counts = server.read("tournament", "show", TOURNAMENT)["matches"]
            left.append((done, counts["planned"] - counts["finished"]))
        server.kill()
        # A reader that comes and goes takes the log with it, so that the next one is short.
        assert finished(server)
        server.start(failpoint="journal.append:after-commit:60")
        server.ended()
        log = server.data / f"{FILE_NAME}-wal"
        log.write_bytes(log.read_bytes()[:-1000])
        server.start()
        server.run("tournament", "watch", TOURNAMENT)
        known.append(matches_known(server))
        return Killed(table(server), left, known, cut_off, _incomplete(server), server.log())


def test_a_server_killed_again_and_again_ends_with_the_table_of_the_undisturbed_run(
    undisturbed: Any, killed: Killed
) -> None:
    assert killed.table == undisturbed


def test_after_a_restart_no_id_is_used_again_and_what_is_left_is_what_was_not_done(
    undisturbed: Any, killed: Killed
) -> None:
    planned = len(undisturbed[1])
    assert all(0 < left <= planned - done for done, left in killed.left)
    *before, last = killed.known
    for known in before:
        assert known.items() <= last.items()
    deals = [deal for deal, _ in last.values()]
    assert len(set(deals)) == len(deals) == planned


def test_a_set_that_was_cut_off_after_one_match_is_completed_whole(killed: Killed) -> None:
    """A set: the matches of the same bots, in which each of them sits once in every seat."""
    assert killed.cut_off
    assert killed.never_complete == []


def test_a_log_that_lost_its_end_with_the_machine_is_said(killed: Killed) -> None:
    said = [line for line in killed.log.splitlines() if "the rest was dropped" in line]

    assert len(said) == 1
    assert "dropped_bytes=" in said[0]


def test_a_server_that_dies_at_its_writes_ends_with_the_table_of_the_undisturbed_run(
    undisturbed: Any, tmp_path: Path
) -> None:
    with ServerProcess(tmp_path / "data") as server, BotProcesses(tmp_path) as bots:
        SCRIPTED.begin(server, bots)
        server.kill()
        for failpoint in FAILPOINTS:
            server.start(failpoint=failpoint)
            assert server.ended() == -9, failpoint
        server.start()
        server.run("tournament", "watch", TOURNAMENT)

        assert table(server) == undisturbed


def test_a_server_that_is_stopped_and_started_again_costs_nobody_anything(
    undisturbed: Any, tmp_path: Path
) -> None:
    """Once by SIGTERM, which lets the running matches go on for a while, once by SIGINT, which cuts
    them off. The bots are told, and come back by themselves."""
    with ServerProcess(tmp_path / "data") as server, BotProcesses(tmp_path) as bots:
        SCRIPTED.begin(server, bots)
        planned = int(server.read("tournament", "show", TOURNAMENT)["matches"]["planned"])
        for stop, matches in zip((server.stop, server.interrupt), POINTS, strict=True):
            _until(server, matches)
            # Who is not there is not told.
            while not all_connected(server):
                pass
            assert stop() == ExitCode.OK
            assert finished(server) < planned
            server.start()
        server.run("tournament", "watch", TOURNAMENT)
        came = table(server)
        told = {bots.log(name).count("the server shuts down for a while") for name in SCRIPTED.bots}

    assert came == undisturbed
    assert not any(seat["faults"] for match in came[1] for seat in match["seats"])
    assert told == {2}


def _until(server: ServerProcess, matches: int) -> None:
    while finished(server) < matches:
        pass


def _incomplete(server: ServerProcess) -> list[frozenset[str]]:
    """The sets that are begun and not complete, by their bots: some sat first more than others."""
    firsts: dict[frozenset[str], Counter[str]] = {}
    for seats in seats_played(server):
        firsts.setdefault(frozenset(seats), Counter())[seats[0]] += 1
    return [bots for bots, first in firsts.items() if len({first[bot] for bot in bots}) > 1]
