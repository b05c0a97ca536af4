"""The zoo against a real server: the right fault beside the right name, and nobody else harmed."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest

from kitumaija.sdk.testing.hostile import ZOO, Species
from kitumaija.wire.exits import ExitCode
from tests.support.flock import FAIR, Flock, player
from tests.support.processes import PATIENCE_SECONDS, ServerProcess, whole_tournament

pytestmark = whole_tournament

# Tournaments side by side, each with its share of the zoo and two fair bots.
CAGES = tuple(ZOO[start::4] for start in range(4))
CUPS = tuple(f"cage-{number}" for number in range(len(CAGES)))
FAIR_BOTS = ("fair", "even")
# The crash is seen from outside too: this one is a process of its own.
AS_A_PROCESS = "crashing"


@dataclass(frozen=True)
class Seen:
    """What the server said of all the tournaments when they were over, and what it wrote."""

    entrants: dict[str, Any]
    rows: dict[str, Any]
    matches: list[Any]
    log: str
    exit_code_of_the_process: int
    exit_code_of_the_server: int

    def faults(self, bot: str) -> set[str]:
        """The faults of a bot in all its matches, those that did not begin included."""
        return {
            fault["fault"]
            for match in self.matches
            for seat in match["seats"]
            if seat["bot_id"] == bot
            for fault in seat["faults"]
        }

    def finished(self, *bots: str) -> list[Any]:
        """The finished matches in which all of these bots sat."""
        return [
            match
            for match in self.matches
            if match["state"] == "MATCH_STATE_FINISHED"
            and {seat["bot_id"] for seat in match["seats"]} >= set(bots)
        ]


def _fair_bots(cage: int) -> tuple[str, ...]:
    return tuple(f"{name}-{cage}" for name in FAIR_BOTS)


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    with ServerProcess(tmp_path_factory.mktemp("zoo") / "data") as server:
        return asyncio.run(_rehearse(server))


async def _rehearse(server: ServerProcess) -> Seen:
    sources = {species.name: species.source for species in ZOO}
    sources |= {bot: FAIR for cage in range(len(CAGES)) for bot in _fair_bots(cage)}
    tokens = await asyncio.to_thread(server.register, *sources)
    players = {
        name: player(source, server.address, tokens[name])
        for name, source in sources.items()
        if name != AS_A_PROCESS
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "kitumaija.sdk", sources[AS_A_PROCESS]),
        env={
            **os.environ,
            "KITUMAIJA_ADDRESS": server.address,
            "KITUMAIJA_TOKEN": tokens[AS_A_PROCESS],
        },
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with Flock(players):
            await asyncio.to_thread(_play, server)
        async with asyncio.timeout(PATIENCE_SECONDS):
            code = await process.wait()
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    return await asyncio.to_thread(_look, server, code)


def _play(server: ServerProcess) -> None:
    """Play a round robin in every cage, all at once, to the end."""
    for number, cup in enumerate(CUPS):
        server.run(
            # The bank is what a fair bot has to spare on a machine that stands still for a moment.
            *("tournament", "create", cup, "--limit", "per_decision=1s", "--limit", "bank=1s"),
            *("--limit", "startup=5s", "--limit", "grace=7s", "--option", "turns_per_player=6"),
            *("--faults-to-forfeit", "3"),
        )
        names = [species.name for species in CAGES[number]]
        server.run("tournament", "enter", cup, *names, *_fair_bots(number))
    for number, cup in enumerate(CUPS):
        expected = {species.name for species in CAGES[number] if species.dials_in}
        until = time.monotonic() + PATIENCE_SECONDS
        while not _connected(server, cup) >= expected:
            assert time.monotonic() < until, f"{expected - _connected(server, cup)} never came"
        server.run("tournament", "start", cup, "--allow-absent")
    for cup in CUPS:
        server.run("tournament", "watch", cup)


def _connected(server: ServerProcess, cup: str) -> set[str]:
    entrants = server.read("tournament", "show", cup)["entrants"]
    return {entrant["bot_id"] for entrant in entrants if entrant["connected"]}


def _look(server: ServerProcess, exit_code: int) -> Seen:
    entrants: dict[str, Any] = {}
    rows: dict[str, Any] = {}
    matches: list[Any] = []
    for cup in CUPS:
        shown = server.read("tournament", "show", cup)
        entrants |= {entrant["bot_id"]: entrant for entrant in shown["entrants"]}
        (table,) = server.read("tournament", "standings", cup)["tables"]
        rows |= {row["bot_id"]: row for row in table["rows"]}
        matches += server.read("tournament", "matches", cup)["matches"]
    code = server.stop()
    return Seen(entrants, rows, matches, server.log(), exit_code, code)


@pytest.mark.parametrize("species", ZOO, ids=lambda species: species.name)
def test_every_animal_gets_the_fault_that_it_is_said_to_get_and_no_other(
    seen: Seen, species: Species
) -> None:
    faults = seen.faults(species.name)

    if species.fault is None:
        assert faults == set()
    else:
        assert species.fault in faults
        assert faults <= {species.fault} | species.also


@pytest.mark.parametrize("cage", range(len(CAGES)))
def test_the_fair_bots_beside_them_have_no_fault_and_their_results_stand(
    seen: Seen, cage: int
) -> None:
    one, other = _fair_bots(cage)

    assert seen.faults(one) == seen.faults(other) == set()
    between_them = seen.finished(one, other)
    assert len(between_them) == 2
    for match in between_them:
        assert match["ending"] == "MATCH_ENDING_PLAYED"
        assert 1 in [seat["place"] for seat in match["seats"]]
    for bot in (one, other):
        assert seen.entrants[bot]["state"] == "ENTRANT_STATE_ENTERED"
        for match in seen.finished(bot):
            forfeited = {seat["bot_id"] for seat in match["seats"] if seat["forfeited"]}
            (place,) = [seat["place"] for seat in match["seats"] if seat["bot_id"] == bot]
            assert bot not in forfeited
            assert place == 1 or not forfeited, "who forfeits is behind who plays"


def _lost(match: Any, species: Species) -> bool:
    return any(s["forfeited"] for s in match["seats"] if s["bot_id"] == species.name)


def test_what_is_done_to_the_server_forfeits_every_seat_and_what_is_allowed_none(
    seen: Seen,
) -> None:
    for species in ZOO:
        seats = [
            seat
            for match in seen.finished(species.name)
            for seat in match["seats"]
            if seat["bot_id"] == species.name
        ]
        if species.fault in {"flooding", "protocol_violation"}:
            # Where another animal was first to lose its seat, the match was over before.
            won = [match for match in seen.finished(species.name) if not _lost(match, species)]
            assert len(won) < len(seats), species.name
            assert all(any(seat["forfeited"] for seat in match["seats"]) for match in won)
        elif species.fault is None or species.name == "wandering":
            assert seats
            assert not any(seat["forfeited"] for seat in seats), species.name
        elif species.fault in {"no_show", "startup_timeout"}:
            assert seats == [], species.name
        else:
            assert any(seat["forfeited"] for seat in seats), species.name


def test_who_goes_away_for_good_is_withdrawn_and_its_row_alone_pays_for_it(seen: Seen) -> None:
    gone = {
        name
        for name, entrant in seen.entrants.items()
        if entrant["state"] == "ENTRANT_STATE_WITHDRAWN"
    }

    assert gone <= {s.name for s in ZOO if s.also or s.fault in {"no_show", "startup_timeout"}}
    assert {"mute", "never-ready"} <= gone
    assert all(seen.rows[name]["mu"] < 25 for name in gone)


def test_a_crash_is_an_exit_code_of_its_process(seen: Seen) -> None:
    assert seen.exit_code_of_the_process == ExitCode.FAILED


def test_the_server_stays_healthy_and_stops_when_it_is_told_to(seen: Seen) -> None:
    counts = Counter(match["state"] for match in seen.matches)

    assert counts["MATCH_STATE_RUNNING"] == 0
    assert "Traceback" not in seen.log
    assert "[error" not in seen.log
    assert seen.exit_code_of_the_server == ExitCode.OK
