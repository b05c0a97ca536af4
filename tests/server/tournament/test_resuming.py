"""A tournament that goes on after its server died, from wherever the store stood."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kitumaija.server.store import matches, records
from kitumaija.server.store.engines import FILE_NAME
from kitumaija.v1 import tournament_pb2 as v1
from tests.support.organizer import Organizer, organized
from tests.support.snapshots import copy_store

BOTS = ["ann", "bob", "cid"]


def table_of(standings: v1.GetStandingsResponse) -> list[tuple[str, float, float, list[int]]]:
    """What of the standings must not depend on when the server died."""
    return [
        (row.bot_id, row.mu, row.sigma, list(row.places))
        for table in standings.tables
        for row in table.rows
    ]


async def reached(organizer: Organizer, finished: int) -> None:
    """Wait until so many matches are finished, and return in the same breath."""
    bell = organizer.director.bell("cup")
    while True:
        heard = bell.next()
        progress = await organizer.director.progress("cup")
        if progress.counts.finished >= finished:
            return
        await heard.wait()


async def test_wherever_the_server_dies_the_standings_come_out_the_same(tmp_path: Path) -> None:
    copies = {after: tmp_path / f"after-{after}" for after in (0, 2, 5, 8)}
    async with organized(tmp_path / "whole") as organizer:
        await organizer.begin(
            *BOTS, table_sizes=[2, 3], unsafe_seed="the same", max_running_matches=3
        )
        for after, path in copies.items():
            await reached(organizer, after)
            copy_store(organizer.app, path)
        await organizer.finished()
        whole = table_of(await organizer.standings())
        tokens = dict(organizer.tokens)

    for path in copies.values():
        async with organized(path, seed=str(path)) as organizer:
            organizer.tokens = tokens
            for bot in BOTS:
                await organizer.connect(bot)
            last = await organizer.finished()
            assert last.matches.finished == last.matches.planned == 9
            assert table_of(await organizer.standings()) == whole
            with organizer.app.store.read() as tx:
                assert records.count(tx, "cup") == 9
                rows = matches.page(tx, "cup", size=100).rows
            assert len({seated.match.deal_id for seated in rows}) == len(rows) == 9


async def test_absences_are_remembered_over_a_restart(tmp_path: Path) -> None:
    async with organized(tmp_path / "first") as organizer:
        await organizer.begin("ann", absent=("bob",))
        await organizer.miss(1, "bob")
        await organizer.until(lambda now: now.matches.running == 1)
        copy_store(organizer.app, tmp_path / "second")
        tokens = dict(organizer.tokens)
    async with organized(tmp_path / "second", seed="second") as organizer:
        organizer.tokens = tokens
        await organizer.connect("ann")
        # The first match had been offered once without bob: it takes one time more.
        await organizer.miss(2, "bob")
        assert (await organizer.get()).entrants[1].no_shows == 1


@pytest.mark.parametrize("state", ["withdrawn", "disqualified"])
async def test_one_that_left_forfeits_its_running_matches_though_the_server_died_on_the_spot(
    tmp_path: Path, state: str
) -> None:
    async with organized(tmp_path / "first") as organizer:
        await organizer.register("ann", "bob", "cid")
        await organizer.create(max_running_matches=2)
        ann = await organizer.connect("ann", answers=0)
        await organizer.connect("bob")
        await organizer.connect("cid", ready=False, capacity=1)
        await organizer.enter("ann", "bob", "cid")
        await organizer.close()
        await organizer.start()
        await ann.stuck.wait()
        copy_store(organizer.app, tmp_path / "second")
        tokens = dict(organizer.tokens)
    # What the command commits, with the server gone before anything else follows from it.
    with closing(sqlite3.connect(tmp_path / "second" / FILE_NAME)) as store:
        store.execute("UPDATE entrants SET state = ?, reason = 'x' WHERE bot_id = 'ann'", (state,))
        store.commit()
    async with organized(tmp_path / "second", seed="second") as organizer:
        organizer.tokens = tokens
        for bot in ("ann", "bob", "cid"):
            await organizer.connect(bot)
        last = await organizer.finished()
        played = await organizer.matches()
    counts = last.matches
    assert counts.finished + counts.cancelled == counts.planned == 6
    of_ann = [seat for match in played for seat in match.seats if seat.bot_id == "ann"]
    finished = [
        seat
        for match in played
        if match.state == v1.MATCH_STATE_FINISHED
        for seat in match.seats
        if seat.bot_id == "ann"
    ]
    assert len(of_ann) == 4
    assert finished
    assert all(seat.forfeited for seat in finished)
    assert {fault.fault for seat in finished for fault in seat.faults} == {state}


async def test_a_journal_that_cannot_be_read_costs_one_match_a_new_deal(tmp_path: Path) -> None:
    async with organized(tmp_path / "first") as organizer:
        await organizer.register("ann", "bob")
        await organizer.create()
        await organizer.connect("ann")
        await organizer.connect("bob", ready=False, capacity=1)
        await organizer.enter("ann", "bob")
        await organizer.close()
        await organizer.start()
        await organizer.until(lambda now: now.matches.running == 1)
        copy_store(organizer.app, tmp_path / "second")
        tokens = dict(organizer.tokens)
    with closing(sqlite3.connect(tmp_path / "second" / FILE_NAME)) as broken:
        broken.execute("UPDATE journal SET payload = ?", (b"nonsense",))
        broken.commit()
    async with organized(tmp_path / "second", seed="second") as organizer:
        organizer.tokens = tokens
        for bot in ("ann", "bob"):
            await organizer.connect(bot)
        await organizer.finished()
        played = await organizer.matches()
    assert [(match.number, match.attempt, match.state) for match in played] == [
        (0, 1, v1.MATCH_STATE_VOID),
        (0, 2, v1.MATCH_STATE_FINISHED),
        (1, 1, v1.MATCH_STATE_FINISHED),
    ]
    assert "journal" in played[0].reason


async def test_ratings_that_a_crash_left_behind_are_caught_up(tmp_path: Path) -> None:
    async with organized(tmp_path / "data") as organizer:
        await organizer.begin(*BOTS, rounds=2)
        await organizer.finished()
        whole = table_of(await organizer.standings())
    with closing(sqlite3.connect(tmp_path / "data" / FILE_NAME)) as store:
        store.execute("UPDATE tournaments SET state = 'running'")
        store.execute(
            "UPDATE rating_states SET rated = 0, state = json_set(state, '$.rated', 0, "
            "'$.games', 0, '$.entries', json(?))",
            (json.dumps(dict.fromkeys(BOTS, FRESH)),),
        )
        store.commit()
    async with organized(tmp_path / "data", seed="again") as organizer:
        await organizer.finished()
        assert table_of(await organizer.standings()) == whole


FRESH = {
    "mu": 25.0,
    "sigma": 25 / 3,
    "games": 0,
    "places": [],
    "forfeits": 0,
    "absences": 0,
    "decisions": 0,
    "default_decisions": 0,
    "faults": {},
}
