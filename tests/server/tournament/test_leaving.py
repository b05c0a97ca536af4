"""Withdrawal, disqualification, pause and cancellation in the middle of a tournament."""

from __future__ import annotations

import pytest

from kitumaija.server.match import Fault
from kitumaija.server.rating import rebuild, results_of
from kitumaija.server.store import audit
from kitumaija.v1 import tournament_pb2 as v1
from tests.support.organizer import Organizer

BOTS = ["ann", "bob", "cid", "dot"]
PLANNED = 60


async def withdraw(organizer: Organizer, bot_id: str) -> v1.Entrant:
    request = v1.WithdrawEntrantRequest(tournament_id="cup", bot_id=bot_id, reason="had enough")
    return (await organizer.call(organizer.tournaments.WithdrawEntrant, request)).entrant  # type: ignore[no-any-return]


@pytest.mark.parametrize("percent", [10, 49, 51, 90])
async def test_a_withdrawal_unrates_nothing_that_was_played(
    organizer: Organizer, percent: int
) -> None:
    await organizer.begin(*BOTS, rounds=5, max_running_matches=4)
    await organizer.until(lambda now: now.matches.finished >= PLANNED * percent // 100)
    left = await withdraw(organizer, "dot")
    assert left.state == v1.ENTRANT_STATE_WITHDRAWN
    assert left.reason == "had enough"
    last = await organizer.finished()

    counts = last.matches
    assert counts.finished + counts.cancelled + counts.void == counts.planned == PLANNED
    played = [m for m in await organizer.matches() if m.state == v1.MATCH_STATE_FINISHED]
    assert len(played) == counts.finished >= PLANNED * percent // 100
    [table] = (await organizer.standings()).tables
    assert not table.provisional
    assert table.rated == table.planned
    for row in table.rows:
        games = [m for m in played if any(seat.bot_id == row.bot_id for seat in m.seats)]
        assert row.games == len(games)
        assert sum(row.places) == row.games
    # Among themselves the others have played everything.
    assert sum(all(s.bot_id != "dot" for s in m.seats) for m in played) == 30
    with organizer.app.store.read() as tx:
        anew = rebuild(BOTS, results_of(tx, "cup", 2))
    assert [(row.bot_id, row.mu, row.sigma) for row in table.rows] == [
        (row.bot_id, row.entry.rating.mu, row.entry.rating.sigma) for row in anew.ranking()
    ]


async def test_the_running_matches_of_one_that_leaves_are_forfeited(organizer: Organizer) -> None:
    await organizer.register("ann", "bob", "cid")
    # Its games are long enough that the withdrawal comes into them.
    await organizer.create(rounds=2, options=None)
    bots = [await organizer.connect(bot) for bot in ("ann", "bob")]
    await organizer.connect("cid", ready=False)
    await organizer.enter("ann", "bob", "cid")
    await organizer.close()
    await organizer.start()
    await organizer.until(lambda now: now.matches.running >= 4)
    await withdraw(organizer, "ann")
    await organizer.until(lambda now: now.matches.cancelled > 0)
    for match in await organizer.matches():
        forfeited = [seat.bot_id for seat in match.seats if seat.forfeited]
        if match.state == v1.MATCH_STATE_FINISHED and forfeited:
            assert forfeited == ["ann"]
            faults = {f.fault for seat in match.seats for f in seat.faults}
            assert faults == {Fault.WITHDRAWN.value}
    assert bots


async def test_a_disqualification_needs_a_reason_and_is_kept_with_it(organizer: Organizer) -> None:
    await organizer.begin(*BOTS, rounds=3)
    request = v1.DisqualifyEntrantRequest(
        tournament_id="cup", bot_id="bob", reason="played two copies"
    )
    response = await organizer.call(organizer.tournaments.DisqualifyEntrant, request)
    assert response.entrant.state == v1.ENTRANT_STATE_DISQUALIFIED
    await organizer.finished()
    remarks = (await organizer.standings()).remarks
    assert "bob was disqualified: played two copies" in remarks
    with organizer.app.store.read() as tx:
        log = audit.page(tx, size=100, tournament_id="cup").rows
    assert [(row.actor, row.action, row.subject) for row in reversed(log)] == [
        ("organizer", "create", "cup"),
        ("organizer", "open", "cup"),
        *(("organizer", "enter", bot) for bot in BOTS),
        ("organizer", "close", "cup"),
        ("organizer", "start", "cup"),
        ("organizer", "disqualify", "bob"),
    ]
    assert log[0].reason == "played two copies"


async def test_a_pause_begins_nothing_and_loses_nothing(organizer: Organizer) -> None:
    await organizer.begin(*BOTS, rounds=5, max_running_matches=2)
    await organizer.until(lambda now: now.matches.finished >= 5)
    paused = await organizer.pause()
    assert paused.state == v1.TOURNAMENT_STATE_PAUSED
    still = await organizer.until(lambda now: now.matches.running == 0)
    assert still.state == v1.TOURNAMENT_STATE_PAUSED
    assert still.matches.finished < PLANNED
    await organizer.resume()
    last = await organizer.finished()
    assert last.matches.finished == PLANNED


async def test_what_was_played_before_a_cancellation_stays_and_is_rated(
    organizer: Organizer,
) -> None:
    await organizer.begin(*BOTS, rounds=5, max_running_matches=4)
    await organizer.until(lambda now: now.matches.finished >= 20)
    request = v1.CancelTournamentRequest(tournament_id="cup", reason="the hall burns")
    tournament = (await organizer.call(organizer.tournaments.CancelTournament, request)).tournament
    counts = tournament.matches
    assert tournament.state == v1.TOURNAMENT_STATE_CANCELLED
    assert len(tournament.master_seed) == 32
    assert counts.finished >= 20
    assert counts.running == 0
    assert counts.finished + counts.void + counts.cancelled == counts.planned == PLANNED

    found = await organizer.standings()
    [table] = found.tables
    assert sum(row.games for row in table.rows) == 2 * counts.finished
    assert not table.provisional
    assert any("cancelled" in remark for remark in found.remarks)
    cancelled = [m for m in await organizer.matches() if m.state == v1.MATCH_STATE_CANCELLED]
    assert cancelled
    assert all("the hall burns" in match.reason for match in cancelled)


async def test_with_too_few_left_for_any_table_the_tournament_is_finished_with_nobody_there(
    organizer: Organizer,
) -> None:
    await organizer.begin(absent=("ann", "bob", "cid"), table_sizes=[3])
    await withdraw(organizer, "ann")
    last = await organizer.finished()
    assert last.connected == 0
    assert last.matches.cancelled == last.matches.planned == 3


async def test_with_one_entrant_left_the_tournament_is_finished(organizer: Organizer) -> None:
    await organizer.begin("ann", "bob", "cid", rounds=20, max_running_matches=1)
    await withdraw(organizer, "bob")
    await withdraw(organizer, "cid")
    last = await organizer.finished()
    assert last.entrants == 1
    assert last.matches.finished + last.matches.cancelled == 120
