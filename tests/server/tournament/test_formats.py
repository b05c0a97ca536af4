"""Tournaments of every format, played by the server: to their end, and whatever comes between."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from kitumaija.server.checking import Verdict, archive_findings, findings
from kitumaija.server.store import matches, rounds
from kitumaija.server.store.failpoints import Stage
from kitumaija.server.store.rows import RoundRow
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.status import ErrorReason
from tests.server.tournament.test_leaving import withdraw
from tests.server.tournament.test_resuming import reached
from tests.server.tournament.test_voiding import pause, void
from tests.support.exports import exported
from tests.support.organizer import Organizer, Refused, organized
from tests.support.snapshots import Snapshots, copy_store

BOTS = ("ann", "bob", "cid", "dot", "eve")

GAUNTLET: dict[str, Any] = {
    "format": v1.TOURNAMENT_FORMAT_GAUNTLET,
    "challengers": ["bob", "dot"],
}
SWISS: dict[str, Any] = {"format": v1.TOURNAMENT_FORMAT_SWISS, "rounds": 3}
KNOCKOUT: dict[str, Any] = {"format": v1.TOURNAMENT_FORMAT_KNOCKOUT, "table_sizes": [3]}
LADDER: dict[str, Any] = {"format": v1.TOURNAMENT_FORMAT_LADDER, "rounds": 3}
FORMATS = {"gauntlet": GAUNTLET, "swiss": SWISS, "knockout": KNOCKOUT, "ladder": LADDER}
MATCHES = {"gauntlet": 12, "swiss": 12, "knockout": 7, "ladder": 12}

every_format = pytest.mark.parametrize("name", FORMATS)


async def begin(organizer: Organizer, bots: tuple[str, ...] = BOTS, **settings: Any) -> None:
    """Begin a tournament in which everybody is of an owner of his own, as is the rule."""
    await organizer.register(*[bot for bot in bots if bot not in organizer.tokens])
    await organizer.begin(*bots, unsafe_seed="the same cards", **settings)


def drawn(organizer: Organizer, size: int = 2) -> tuple[RoundRow, ...]:
    with organizer.app.store.read() as tx:
        return rounds.of(tx, "cup", size)


def checked(organizer: Organizer) -> list[str]:
    with organizer.app.store.read() as tx:
        return [finding.sentence for finding in findings(tx)]


async def verified(organizer: Organizer, path: Path) -> list[str]:
    data = await exported(organizer)
    await asyncio.to_thread(path.write_bytes, data)
    return [finding.sentence for finding in archive_findings(path, Verdict())]


def places_of(standings: v1.GetStandingsResponse) -> list[Any]:
    """What of the standings must not depend on when the server died."""
    return [
        (row.rank, row.bot_id, row.mu, row.sigma, list(row.places), row.points, row.rung)
        for table in standings.tables
        for row in table.rows
    ]


def row_of(standings: v1.GetStandingsResponse, bot_id: str) -> v1.Standing:
    return next(row for row in standings.tables[0].rows if row.bot_id == bot_id)


@every_format
async def test_a_tournament_is_played_to_its_end_and_all_of_it_is_proved(
    organizer: Organizer, tmp_path: Path, name: str
) -> None:
    await begin(organizer, **FORMATS[name])
    assert (await organizer.get()).matches.planned == MATCHES[name]
    last = await organizer.finished()
    assert last.matches.finished == last.matches.planned == MATCHES[name]

    played = await organizer.matches()
    assert [match.number for match in played] == list(range(MATCHES[name]))
    last_round = len(drawn(organizer, played[0].table_size))
    assert (played[0].round, played[-1].round) == ((1, last_round) if last_round else (0, 0))
    # Nobody ever plays one deal twice: each match has its own.
    with organizer.app.store.read() as tx:
        deals = [seated.match.deal_id for seated in matches.page(tx, "cup", size=100).rows]
    assert len(set(deals)) == len(deals) == MATCHES[name]
    # A table is played as a set: each of its bots is first once.
    firsts = Counter(
        (frozenset(seat.bot_id for seat in match.seats), match.seats[0].bot_id) for match in played
    )
    by_table = Counter(bots for bots, _ in firsts)
    assert all(by_table[bots] == len(bots) for bots in by_table)
    assert checked(organizer) == []
    assert await verified(organizer, tmp_path / "cup.zip") == []


async def test_the_challengers_of_a_gauntlet_meet_all_of_the_field_and_never_each_other(
    organizer: Organizer,
) -> None:
    await begin(organizer, **GAUNTLET)
    await organizer.finished()
    met = Counter(
        frozenset(seat.bot_id for seat in match.seats) for match in await organizer.matches()
    )
    assert met == {
        frozenset((challenger, other)): 2
        for challenger in ("bob", "dot")
        for other in ("ann", "cid", "eve")
    }
    standings = await organizer.standings()
    assert {row.bot_id: row.games for row in standings.tables[0].rows} == {
        "ann": 4,
        "bob": 6,
        "cid": 4,
        "dot": 6,
        "eve": 4,
    }
    assert list(standings.remarks)[1:] == []


async def test_a_swiss_is_decided_by_points_and_a_bye_counts_like_the_middle_of_a_table(
    organizer: Organizer,
) -> None:
    await begin(organizer, **SWISS)
    await organizer.finished()
    [table] = (await organizer.standings()).tables
    assert table.rounds == 3
    # Two points for a win and one for a draw, over both matches of three rounds.
    assert sum(row.points for row in table.rows) == 3 * 5 * 2
    assert [row.points for row in table.rows] == sorted(
        (row.points for row in table.rows), reverse=True
    )
    assert Counter(row.byes for row in table.rows) == {1: 3, 0: 2}
    for row in table.rows:
        assert row.games == 2 * (3 - row.byes)
        same = [other.rank for other in table.rows if other.points == row.points]
        assert set(same) == {row.rank}
    met = Counter(
        frozenset(seat.bot_id for seat in match.seats) for match in await organizer.matches()
    )
    assert set(met.values()) == {2}, "nobody met anybody again"


async def test_a_knockout_is_decided_by_who_went_out_when(organizer: Organizer) -> None:
    await begin(organizer, **KNOCKOUT)
    await organizer.finished()
    [table] = (await organizer.standings()).tables
    # Five at tables of three and two: one goes on from each; then the two of them.
    assert [(row.rank, row.out_in_round) for row in table.rows] == [
        (1, 0),
        (2, 2),
        (3, 1),
        (3, 1),
        (3, 1),
    ]
    final = drawn(organizer, 3)[-1]
    assert final.points is not None
    winner, second, *_ = [row.bot_id for row in table.rows]
    assert set(final.tables[0]) == {winner, second}
    assert final.points[winner] >= final.points[second]


async def test_a_ladder_is_decided_by_rungs_and_takes_bots_that_come_late_at_its_foot(
    organizer: Organizer, tmp_path: Path
) -> None:
    await organizer.register("fay", "gus")
    await organizer.connect("fay")
    await organizer.connect("gus")
    await begin(organizer, BOTS[:4], max_running_matches=1, **LADDER)
    await reached(organizer, 1)
    request = v1.EnterTournamentRequest(tournament_id="cup", bot_id="gus", more_bot_ids=["fay"])
    await organizer.call(organizer.tournaments.EnterTournament, request)
    before = await organizer.standings()
    # In the order of their entering, as whoever has it from the store has them.
    assert [(row_of(before, bot).rung, row_of(before, bot).games) for bot in ("gus", "fay")] == [
        (5, 0),
        (6, 0),
    ]
    running = organizer.director.running("cup")
    assert running is not None
    assert list(running.board.players)[-2:] == ["gus", "fay"]
    await organizer.finished()

    first, *later = drawn(organizer)
    assert {bot for seats in first.tables for bot in seats} == set(BOTS[:4])
    for row in later:
        assert {bot for seats in row.tables for bot in seats} == {*BOTS[:4], "fay", "gus"}
    [table] = (await organizer.standings()).tables
    assert [row.rung for row in table.rows] == [1, 2, 3, 4, 5, 6]
    assert {row.bot_id: row.games for row in table.rows} == {
        **dict.fromkeys(BOTS[:4], 6),
        "fay": 4,
        "gus": 4,
    }
    assert checked(organizer) == []
    assert await verified(organizer, tmp_path / "cup.zip") == []


async def test_all_but_a_ladder_refuse_who_comes_late_and_say_what_would_take_him(
    organizer: Organizer,
) -> None:
    await begin(organizer, **SWISS, max_running_matches=1)
    await organizer.register("fay")
    with pytest.raises(Refused, match="a swiss takes no more entrants") as refused:
        await organizer.enter("fay")
    assert refused.value.reason is ErrorReason.TOURNAMENT_STATE
    await organizer.finished()
    with pytest.raises(Refused, match="it is finished and cannot have a bot entered"):
        await organizer.enter("fay")


@every_format
async def test_wherever_the_server_dies_the_same_rounds_are_drawn_and_the_same_table_comes_out(
    tmp_path: Path, name: str
) -> None:
    # In the midst of a round; and of the Swiss also while a round is closed, however far that got.
    left = Snapshots(tmp_path / "whole", tmp_path / "left", seed=1, only=("rounds.close",))
    async with organized(tmp_path / "whole", watch=left.watch) as organizer:
        await begin(organizer, max_running_matches=2, **FORMATS[name])
        await reached(organizer, MATCHES[name] // 2 + 1)
        copy_store(organizer.app, tmp_path / "copy")
        await organizer.finished()
        whole = places_of(await organizer.standings())
        size = 3 if name == "knockout" else 2
        as_drawn = drawn(organizer, size)
        tokens = dict(organizer.tokens)
    drawing = list(left.distinct()) if name == "swiss" else []
    if drawing:
        assert set(left.taken) == {("rounds.close", stage) for stage in Stage}
    for path in (tmp_path / "copy", *drawing):
        async with organized(path, seed=path.name) as organizer:
            organizer.tokens = tokens
            for bot in BOTS:
                await organizer.connect(bot)
            last = await organizer.finished()
            assert last.matches.finished == last.matches.planned == MATCHES[name]
            assert places_of(await organizer.standings()) == whole
            assert drawn(organizer, size) == as_drawn
            assert checked(organizer) == []


async def test_who_leaves_is_drawn_no_more_and_those_who_stayed_lose_nothing_by_it(
    organizer: Organizer, tmp_path: Path
) -> None:
    await begin(organizer, BOTS[:4], max_running_matches=1, **SWISS)
    await reached(organizer, 1)
    first = drawn(organizer)[0]
    leaver = first.tables[-1][0]
    other = first.tables[-1][1]
    await pause(organizer)
    await withdraw(organizer, leaver)
    await organizer.resume()
    await organizer.finished()

    now, *later = drawn(organizer)
    assert now.points is not None
    cancelled = [m for m in await organizer.matches() if m.state == v1.MATCH_STATE_CANCELLED]
    assert cancelled
    # What was cancelled counts like a win for who stayed.
    assert now.points[other] >= 2 * len(cancelled)
    for row in later:
        assert leaver not in {*row.byes, *(bot for seats in row.tables for bot in seats)}
        assert len(row.byes) == 1
    standings = await organizer.standings()
    assert any("games are unequal" in remark for remark in standings.remarks)
    assert row_of(standings, leaver).state == v1.ENTRANT_STATE_WITHDRAWN
    assert checked(organizer) == []
    assert await verified(organizer, tmp_path / "cup.zip") == []


async def test_with_too_few_left_for_a_table_no_round_is_drawn_and_the_tournament_ends(
    organizer: Organizer, tmp_path: Path
) -> None:
    await begin(organizer, BOTS[:3], max_running_matches=1, table_sizes=[3], **LADDER)
    await reached(organizer, 1)
    await withdraw(organizer, "cid")
    await organizer.finished()
    assert len(drawn(organizer, 3)) == 1
    remarks = (await organizer.standings()).remarks
    assert any("of 3 rounds 1 was drawn" in remark for remark in remarks)
    assert await verified(organizer, tmp_path / "cup.zip") == []


async def test_who_does_not_show_up_goes_out_of_a_knockout_and_the_other_goes_on(
    organizer: Organizer, tmp_path: Path
) -> None:
    settings = {**KNOCKOUT, "table_sizes": [2]}
    await organizer.register(*BOTS[:4])
    await organizer.begin(*BOTS[:3], absent=("dot",), unsafe_seed="the same cards", **settings)
    # Both of its matches are offered twice, and it is withdrawn by neither.
    await organizer.miss(4, "dot")
    await organizer.finished()
    first, second = drawn(organizer)
    [table] = [seats for seats in first.tables if "dot" in seats]
    [mate] = [bot for bot in table if bot != "dot"]
    assert first.points is not None
    assert (first.points[mate], first.points["dot"]) == (4, 0)
    assert mate in second.tables[0]
    assert row_of(await organizer.standings(), "dot").out_in_round == 1
    assert await verified(organizer, tmp_path / "cup.zip") == []


async def test_a_match_is_void_as_long_as_its_round_is_played_and_never_afterwards(
    organizer: Organizer, tmp_path: Path
) -> None:
    await begin(organizer, BOTS[:4], max_running_matches=1, **SWISS)
    await reached(organizer, 5)
    await pause(organizer)
    assert [row.points is not None for row in drawn(organizer)] == [True, False]
    first, *_, last = await organizer.matches()

    with pytest.raises(Refused, match="is of round 1, which is over") as refused:
        await void(organizer, first.match_id)
    assert refused.value.reason is ErrorReason.ROUND_OVER
    assert refused.value.metadata["round"] == "1"

    await void(organizer, last.match_id)
    assert checked(organizer) == []
    await organizer.resume()
    await organizer.finished()
    attempts = [one.attempt for one in await organizer.matches() if one.number == last.number]
    assert attempts == [1, 2]
    assert checked(organizer) == []
    assert await verified(organizer, tmp_path / "cup.zip") == []


async def test_in_a_pause_no_round_is_drawn(organizer: Organizer) -> None:
    await organizer.register(*BOTS[:2])
    await organizer.create(max_running_matches=2, **{**SWISS, "rounds": 2})
    slow = [await organizer.connect(bot, answers=0) for bot in BOTS[:2]]
    await organizer.enter(*BOTS[:2])
    await organizer.close()
    await organizer.start()
    # The whole first round runs, and is over in the pause.
    await organizer.until(lambda now: now.matches.running == 2)
    await organizer.pause()
    for bot in slow:
        await bot.go_on()
    await organizer.until(lambda now: now.matches.finished == 2)
    [only] = drawn(organizer)
    assert only.points is None
    await organizer.resume()
    last = await organizer.finished()
    assert last.matches.finished == 4
    assert len(drawn(organizer)) == 2


async def test_bots_of_one_owner_are_kept_apart_while_others_are_there(
    organizer: Organizer,
) -> None:
    owners = {"ann": "x", "bob": "x", "cid": "y", "dot": "y"}
    for bot, owner in owners.items():
        await organizer.register(bot, owner=owner)
    await organizer.begin(*owners, entries_per_owner=2, **{**SWISS, "rounds": 2})
    await organizer.finished()
    for match in await organizer.matches():
        assert len({owners[seat.bot_id] for seat in match.seats}) == 2


async def test_a_blind_swiss_is_played_like_all_others(
    organizer: Organizer, tmp_path: Path
) -> None:
    await organizer.begin(*BOTS, blind=True, **SWISS)
    await organizer.finished()
    assert await verified(organizer, tmp_path / "cup.zip") == []


async def test_a_gauntlet_starts_with_its_challengers_and_enough_for_them_to_meet(
    organizer: Organizer,
) -> None:
    await organizer.register(*BOTS)
    await organizer.create(**GAUNTLET, table_sizes=[3])
    await organizer.enter("ann", "bob", "cid")
    await organizer.close()
    with pytest.raises(Refused, match="not entered: dot") as refused:
        await organizer.start(allow_absent=True)
    assert refused.value.reason is ErrorReason.TOO_FEW_ENTRANTS

    await organizer.create("other", **GAUNTLET, table_sizes=[3])
    await organizer.enter("bob", "dot", "cid", tournament_id="other")
    await organizer.close("other")
    with pytest.raises(Refused, match="its field is cid") as refused:
        await organizer.start("other", allow_absent=True)
    assert refused.value.metadata["wanted"] == "2"


async def test_a_swiss_that_its_budget_has_no_room_for_is_not_started(
    organizer: Organizer,
) -> None:
    await organizer.register(*BOTS)
    await organizer.create(match_budget=11, **SWISS)
    await organizer.enter(*BOTS)
    await organizer.close()
    with pytest.raises(Refused, match="12") as refused:
        await organizer.start(allow_absent=True)
    assert refused.value.reason is ErrorReason.MATCH_BUDGET
