"""The table of faults, cell by cell: a bot over a socket brings each about, and everybody can read
what came of it, in the list of matches, the records, the standings.

Each case plays a schedule of three at one table; the victim is always one of them. The clock is
the test's, and so every verdict is exact.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from kitumaija.engine import DecidedBy, Decision
from kitumaija.server.match.faults import (
    FOUND,
    TABLE,
    Consequence,
    Placement,
    Played,
    RatingEffect,
    Stage,
)
from kitumaija.server.match.values import Fault
from kitumaija.v1 import arena_pb2, replay_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.record import MatchRecord, record_from_message
from kitumaija.wire.status import ErrorReason
from kitumaija.wire.times import limits_to_message
from tests.server.tournament.fault_ways import (
    OTHERS,
    VICTIM,
    WAYS,
    Case,
    Way,
    never_ready,
    stay_away,
)
from tests.support.organizer import Organizer, Refused, organized

PRIOR = 25.0


def test_every_row_of_the_table_is_brought_about_and_told_in_a_sentence() -> None:
    assert set(WAYS) == set(TABLE)
    assert set(FOUND) == set(TABLE)


@pytest.mark.parametrize(
    ("fault", "stage"), TABLE, ids=[f"{fault}-{stage.name.lower()}" for fault, stage in TABLE]
)
async def test_a_fault_leads_to_what_the_table_says(
    tmp_path: Path, fault: Fault, stage: Stage
) -> None:
    follows, way = TABLE[fault, stage], WAYS[fault, stage]
    async with organized(tmp_path / "data") as organizer:
        case = await _a_case(organizer, way)
        before = await _ratings(organizer)
        assert {row.mu for row in before.values()} == {PRIOR}
        await way.cause(case)
        match = await _over(organizer)
        await _check_played(organizer, match, follows, fault)
        _check_place(match, follows, fault)
        await _check_ratings(organizer, match, follows)
        if follows.rating is RatingEffect.ABSENT:
            await _check_second_absence(case, way, fault)
        await case.bot.close()


async def _a_case(organizer: Organizer, way: Way) -> Case:
    await organizer.register(VICTIM, *OTHERS)
    await organizer.create(
        table_sizes=[3],
        max_running_matches=1,
        faults=way.faults,
        limits=None if way.limits is None else limits_to_message(way.limits),
    )
    for bot in OTHERS:
        await organizer.connect(bot)
    await organizer.enter(VICTIM, *OTHERS)
    await organizer.close()
    await organizer.start(allow_absent=True)
    return Case(organizer)


async def _over(organizer: Organizer, attempt: int = 1) -> v1.Match:
    """Wait until that attempt at the first match of the schedule is over, and return it."""
    bell = organizer.director.bell("cup")
    while True:
        heard = bell.next()
        for match in await organizer.matches():
            over = match.state != v1.MATCH_STATE_RUNNING
            if (match.number, match.attempt) == (0, attempt) and over:
                return match
        await heard.wait()


def _seat(match: v1.Match) -> tuple[int, v1.MatchSeat]:
    return next((n, seat) for n, seat in enumerate(match.seats) if seat.bot_id == VICTIM)


async def _ratings(organizer: Organizer) -> dict[str, v1.Standing]:
    (table,) = (await organizer.standings()).tables
    return {row.bot_id: row for row in table.rows}


async def _record(organizer: Organizer, match: v1.Match) -> MatchRecord:
    request = replay_pb2.GetRecordRequest(match_id=match.match_id)
    answer: Any = await organizer.call(organizer.replays.GetRecord, request)
    return record_from_message(answer.record)


async def _check_played(
    organizer: Organizer, match: v1.Match, follows: Consequence, fault: Fault
) -> None:
    seat, _ = _seat(match)
    if follows.played is Played.NO_GAME:
        with pytest.raises(Refused) as refused:
            await _record(organizer, match)
        assert refused.value.reason is ErrorReason.NOT_FOUND_RECORD
        return
    record = await _record(organizer, match)
    mine = [one for one in record.game.decisions if one.seat == seat]
    if follows.played is Played.STOPPED:
        assert record.game.result.outcome is None
        return
    assert mine, "the victim's seat was played"
    if follows.played is Played.DEFAULT_TO_THE_END:
        assert all(_is(one, DecidedBy.FORFEIT, fault) for one in mine)
    elif follows.played is Played.DEFAULT:
        assert _is(mine[0], DecidedBy.DEFAULT, fault)
        assert all(_is(one, DecidedBy.BOT, None) for one in mine[1:])
    else:
        assert all(_is(one, DecidedBy.BOT, None) for one in mine)
        timings = zip(record.game.decisions, record.timings.decisions, strict=True)
        retimed = [timing.retimed_us for one, timing in timings if one.seat == seat]
        assert retimed[0] == 60_000_000
        assert not any(retimed[1:])
    others = [one for one in record.game.decisions if one.seat != seat]
    assert all(_is(one, DecidedBy.BOT, None) for one in others)


def _is(decision: Decision, by: DecidedBy, fault: Fault | None) -> bool:
    return (decision.by, decision.fault) == (by, fault)


def _check_place(match: v1.Match, follows: Consequence, fault: Fault) -> None:
    _, seat = _seat(match)
    charged = {each.fault: each.count for each in seat.faults}
    others = [each for each in match.seats if each.bot_id != VICTIM]
    assert not any(each.faults or each.forfeited for each in others)
    if follows.placement is Placement.NONE:
        left = fault in {Fault.WITHDRAWN, Fault.DISQUALIFIED}
        assert match.state == (v1.MATCH_STATE_CANCELLED if left else v1.MATCH_STATE_VOID)
        assert not any(each.place for each in match.seats)
        # Who left took no fault with it: nothing is to be scheduled again for its sake.
        assert charged == ({} if left or fault is Fault.SERVER_FAULT else {fault: 1})
        return
    assert match.state == v1.MATCH_STATE_FINISHED
    assert match.ending == arena_pb2.MATCH_ENDING_PLAYED
    assert seat.forfeited is (follows.placement is Placement.BEHIND)
    if follows.placement is Placement.BEHIND:
        assert seat.place == 3
        assert charged == {fault: 1}
        assert sorted(each.place for each in others) in ([1, 1], [1, 2])
    else:
        assert charged == ({} if fault is Fault.SERVER_FAULT else {fault: 1})


async def _check_ratings(organizer: Organizer, match: v1.Match, follows: Consequence) -> None:
    rows = await _ratings(organizer)
    if follows.rating in {RatingEffect.NONE, RatingEffect.ABSENT}:
        assert {(row.games, row.mu) for row in rows.values()} == {(0, PRIOR)}
        return
    # Of more matches than the first nothing is rated: the victim is needed for each.
    places = {seat.bot_id: seat.place for seat in match.seats}
    if follows.rating is RatingEffect.AS_PLACED:
        assert {row.games for row in rows.values()} == {1}
        for one in rows.values():
            for other in rows.values():
                better = places[one.bot_id] < places[other.bot_id]
                assert (one.mu > other.mu + 1e-9) is better
        return
    gains = [rows[bot].mu - PRIOR for bot in OTHERS]
    assert sum(gains) == pytest.approx(0, abs=1e-9), "they are rated among themselves"
    assert rows[VICTIM].mu < min(PRIOR + min(gains), PRIOR) - 1
    assert rows[VICTIM].forfeits == 1


async def _check_second_absence(case: Case, way: Way, fault: Fault) -> None:
    """The same again at the same match: a last place, in the victim's row alone."""
    organizer = case.organizer
    await case.bot.close()
    organizer.advance(timedelta(seconds=20))  # to be able to pay for a stream again
    await _bring_about_again(case, way)
    again = await _over(organizer, attempt=2)
    assert {each.fault: each.count for each in _seat(again)[1].faults} == {fault: 1}
    others = await _over(organizer, attempt=3)
    assert {seat.bot_id for seat in others.seats} == set(OTHERS), "they play without it"
    assert others.state == v1.MATCH_STATE_FINISHED
    rows = await _ratings(organizer)
    assert rows[VICTIM].games == 1
    assert list(rows[VICTIM].places) == [0, 0, 1]
    assert rows[VICTIM].mu < PRIOR
    assert sum(rows[bot].mu - PRIOR for bot in OTHERS) == pytest.approx(0, abs=1e-9)
    assert (await organizer.get()).entrants[0].no_shows == 1


async def _bring_about_again(case: Case, way: Way) -> None:
    if way.cause in (stay_away, never_ready):
        await case.organizer.miss(2, VICTIM)
    else:
        await way.cause(case)
