"""Bots that do not come to their matches, and what it costs whom."""

from __future__ import annotations

from kitumaija.server.match import Fault
from kitumaija.server.store import audit
from kitumaija.v1 import tournament_pb2 as v1
from tests.support.organizer import Organizer


def row_of(table: v1.StandingsTable, bot_id: str) -> v1.Standing:
    """A bot's row."""
    return next(row for row in table.rows if row.bot_id == bot_id)


async def waits(organizer: Organizer, *, finished: int) -> None:
    """Wait until all that can be played without the absent is played, and a match waits."""
    await organizer.until(lambda now: now.matches.finished == finished and now.matches.running >= 1)


async def test_at_two_seats_the_absentee_alone_takes_a_last_place(organizer: Organizer) -> None:
    await organizer.begin(
        "ann", "bob", absent=("cid",), faults=v1.FaultPolicy(no_shows_to_withdraw=9)
    )
    # Four of six matches are cid's; each is offered twice, one after the other.
    await waits(organizer, finished=2)
    await organizer.miss(8, "cid")
    await organizer.finished()

    [table] = (await organizer.standings()).tables
    assert [row.games for row in table.rows] == [2, 2, 4]
    cid = row_of(table, "cid")
    assert (cid.rank, cid.forfeits, list(cid.places)) == (3, 4, [0, 4])
    assert cid.mu < 25 < row_of(table, "ann").mu + row_of(table, "bob").mu
    played = await organizer.matches()
    voids = [match for match in played if match.state == v1.MATCH_STATE_VOID]
    assert len(voids) == 8
    assert {match.attempt for match in voids} == {1, 2}
    assert all("cid did not come" in match.reason for match in voids)
    faults = {fault.fault for match in voids for seat in match.seats for fault in seat.faults}
    assert faults == {Fault.NO_SHOW.value}


async def test_the_ratings_of_those_who_came_do_not_move(organizer: Organizer) -> None:
    await organizer.begin("ann", absent=("bob",))
    await organizer.miss(4, "bob")
    await organizer.finished()
    [table] = (await organizer.standings()).tables
    ann = row_of(table, "ann")
    assert (ann.mu, ann.games) == (25.0, 0)
    assert row_of(table, "bob").games == 2
    assert any("bob" in remark for remark in (await organizer.standings()).remarks)


async def test_a_bot_that_is_there_and_not_ready_is_told_apart_and_treated_alike(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob")
    await organizer.create()
    await organizer.connect("ann")
    await organizer.connect("bob", ready=False, capacity=1)
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start()
    await organizer.miss(4, "bob")
    await organizer.finished()
    for match in await organizer.matches():
        assert [
            [fault.fault for fault in seat.faults] for seat in match.seats if seat.bot_id == "bob"
        ] == [[Fault.STARTUP_TIMEOUT.value]]


async def test_at_four_seats_the_others_play_a_new_deal_without_the_absentee(
    organizer: Organizer,
) -> None:
    await organizer.begin(
        "ann",
        "bob",
        "cid",
        absent=("dot",),
        table_sizes=[4],
        faults=v1.FaultPolicy(no_shows_to_withdraw=9),
    )
    await organizer.miss(8, "dot")
    await organizer.finished()

    [table] = (await organizer.standings()).tables
    assert [row.games for row in table.rows] == [4, 4, 4, 4]
    dot = row_of(table, "dot")
    assert (dot.rank, dot.forfeits, list(dot.places)) == (4, 4, [0, 0, 0, 4])
    assert dot.mu < min(row.mu for row in table.rows if row.bot_id != "dot")
    played = [m for m in await organizer.matches() if m.state == v1.MATCH_STATE_FINISHED]
    assert [match.attempt for match in played] == [3, 3, 3, 3]
    assert all(len(match.seats) == 3 for match in played)
    # A new deal for each attempt, of which only the last was ever shown to anybody.
    assert len({match.match_id for match in await organizer.matches()}) == 12


async def test_when_nobody_comes_nobody_is_rated(organizer: Organizer) -> None:
    await organizer.begin(
        "ann",
        absent=("bob", "cid"),
        faults=v1.FaultPolicy(no_shows_to_withdraw=20),
    )

    await organizer.miss(12, "bob", "cid")
    await organizer.finished()
    [table] = (await organizer.standings()).tables
    # Of each absentee's four matches the two with ann cost a place, the two with the other none.
    assert {row.bot_id: row.games for row in table.rows} == {"ann": 0, "bob": 2, "cid": 2}
    absentees = [entry for entry in (await organizer.get()).entrants if entry.bot_id != "ann"]
    assert [entry.no_shows for entry in absentees] == [4, 4]


async def test_three_no_shows_withdraw_an_entrant_and_cancel_the_rest(
    organizer: Organizer,
) -> None:
    await organizer.begin("ann", "bob", absent=("cid",), rounds=3)
    await waits(organizer, finished=6)
    await organizer.miss(6, "cid")
    last = await organizer.finished()
    assert (last.matches.finished, last.matches.void, last.matches.cancelled) == (6, 3, 9)
    cid = (await organizer.get()).entrants[2]
    assert cid.state == v1.ENTRANT_STATE_WITHDRAWN
    assert cid.reason == "did not show up for 3 matches"
    assert cid.no_shows == 3
    [table] = (await organizer.standings()).tables
    assert row_of(table, "cid").games == 3
    assert table.rated == table.planned == 18
    remarks = "\n".join((await organizer.standings()).remarks)
    assert "games are unequal at 2 seats" in remarks
    assert "9 cancelled: cid left the tournament" in remarks
    with organizer.app.store.read() as tx:
        [newest] = audit.page(tx, size=1, tournament_id="cup").rows
    assert (newest.actor, newest.action, newest.subject) == ("server", "withdraw", "cid")
    assert newest.reason == cid.reason


async def test_a_bot_that_comes_late_plays_on(organizer: Organizer) -> None:
    await organizer.begin("ann", absent=("bob",))
    await organizer.miss(1, "bob")
    await organizer.connect("bob")
    last = await organizer.finished()
    assert last.matches.finished == 2
    assert (await organizer.get()).entrants[1].no_shows == 0


async def test_while_nobody_at_all_is_connected_nothing_is_begun(organizer: Organizer) -> None:
    await organizer.begin(absent=("ann", "bob"))
    assert (await organizer.get()).matches.running == 0
    await organizer.connect("ann")
    await organizer.until(lambda now: now.matches.running == 1)
    await organizer.connect("bob")
    await organizer.finished()


async def test_two_that_are_left_at_a_larger_table_begin_nothing_while_nobody_is_connected(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob", "cid")
    await organizer.create(table_sizes=[3])
    bots = [await organizer.connect(bot) for bot in ("ann", "bob")]
    await organizer.enter("ann", "bob", "cid")
    await organizer.close()
    await organizer.start(allow_absent=True)
    # The others are ready for the last of three matches, and leave before cid is missed again.
    await organizer.miss(5, "cid")
    await organizer.until(lambda now: now.matches.running == 1 and now.matches.finished == 2)
    await organizer.all_but("cid")
    for bot in bots:
        await bot.close()
    await organizer.until(lambda now: now.connected == 0)
    await organizer.miss(6, "cid")

    # Now cid is withdrawn, and the two are to play the match alone.
    running = organizer.director.running("cup")
    assert running is not None
    assert not await running.start_matches()
    assert (await organizer.get()).matches.running == 0

    for bot_id in ("ann", "bob"):
        await organizer.connect(bot_id)
    assert (await organizer.finished()).matches.finished == 3
