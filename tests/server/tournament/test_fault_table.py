"""The table of faults, cell by cell: a bot over a socket brings each about, and everybody can read
what came of it, in the list of matches, the records, the standings.

Each case plays a schedule of three at one table; the victim is always one of them. The clock is
the test's, and so every verdict is exact.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from kitumaija.engine import DecidedBy, Decision, Pass
from kitumaija.server.match import Nanos
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
from kitumaija.wire.codec import legal_from_message
from kitumaija.wire.record import MatchRecord, record_from_message
from kitumaija.wire.status import ErrorReason
from kitumaija.wire.times import Limits, limits_to_message
from tests.support.organizer import Organizer, Refused, organized
from tests.support.raw_bot import RawBot, StreamEnded

VICTIM = "vic"
OTHERS = ("ann", "bob")
DECISION_LOST = timedelta(seconds=12)
"""Longer than a decision and the bank may take, and within the grace."""
GRACE_LOST = timedelta(seconds=16)
PRIOR = 25.0


class Case:
    """The server with the victim's match, and what the victim does."""

    def __init__(self, organizer: Organizer) -> None:
        self.organizer = organizer
        self.bot = RawBot(organizer.app.address, organizer.tokens[VICTIM])

    async def connect(self) -> None:
        """Open a stream for the victim, after the one that it had."""
        self.bot = RawBot(self.organizer.app.address, self.organizer.tokens[VICTIM])
        await self.bot.hello(capacity=1, bot_version="1")

    async def offer(self) -> str:
        """Wait for the victim's next match and return its id."""
        return (await self.bot.until("match_start")).match_start.match_id

    async def asked(self) -> arena_pb2.Decision:
        """Be ready for the next match, and return the victim's first decision in it.

        Its clock runs then: the next write on the stream comes after that which starts it.
        """
        await self.bot.ready(await self.offer())
        decision = await self.bot.decision()
        await self.bot.heard()
        return decision

    async def answer(self, decision: arena_pb2.Decision) -> None:
        """Answer with the first legal action."""
        await self.bot.answer(decision, legal_from_message(decision.legal)[0])

    async def play_on(self) -> None:
        """Answer everything until the match is over."""
        while True:
            message = await self.bot.next()
            kind = message.WhichOneof("message")
            if kind == "decision":
                await self.answer(message.decision)
            elif kind == "match_end":
                return

    async def lose_stream(self) -> None:
        """Break off, and wait until the server has seen it."""
        await self.bot.close()
        presence = self.organizer.app.hall.presence
        bell = self.organizer.director.bell("cup")
        while presence.connected(VICTIM):
            await bell.next().wait()

    async def break_protocol(self) -> None:
        """Say Hello twice, and hear the end of the stream."""
        await self.bot.say(arena_pb2.BotMessage(hello=arena_pb2.Hello()))
        assert (await self.bot.end())[1] is ErrorReason.PROTOCOL_VIOLATION

    async def flood(self) -> None:
        """Say more than the server takes, and hear the end of the stream."""
        nothing = arena_pb2.BotMessage()
        try:
            await self.bot.say(*[nothing] * 600)
        except StreamEnded:
            return
        assert (await self.bot.end())[1] is ErrorReason.FLOODING

    async def withdraw(self) -> None:
        """The victim withdraws itself, with its own token."""
        tournaments = self.organizer.tournaments
        request = v1.WithdrawEntrantRequest(tournament_id="cup", bot_id=VICTIM)
        token = self.organizer.tokens[VICTIM]
        await self.organizer.call(tournaments.WithdrawEntrant, request, token=token)

    async def disqualify(self) -> None:
        """The organizer takes the victim out."""
        request = v1.DisqualifyEntrantRequest(
            tournament_id="cup", bot_id=VICTIM, reason="sold its cards"
        )
        await self.organizer.call(self.organizer.tournaments.DisqualifyEntrant, request)


Cause = Callable[[Case], Awaitable[None]]


@dataclass(frozen=True)
class Way:
    """How a cell is brought about, under which settings."""

    cause: Cause
    faults: v1.FaultPolicy | None = None
    limits: Limits | None = None


##### Before the start #####


async def stay_away(case: Case) -> None:
    await case.organizer.miss(1, VICTIM)


async def never_ready(case: Case) -> None:
    await case.connect()
    await case.offer()
    await case.organizer.miss(1, VICTIM)


async def flood_before(case: Case) -> None:
    await case.connect()
    await case.offer()
    await case.flood()


async def break_before(case: Case) -> None:
    await case.connect()
    await case.offer()
    await case.break_protocol()


async def withdraw_before(case: Case) -> None:
    await case.connect()
    await case.offer()
    await case.withdraw()


async def disqualified_before(case: Case) -> None:
    await case.connect()
    await case.offer()
    await case.disqualify()


##### At a decision #####


async def think_too_long(case: Case) -> None:
    await case.connect()
    await case.asked()
    case.organizer.advance(DECISION_LOST)
    await case.play_on()


async def answer_illegally(case: Case) -> None:
    await case.connect()
    decision = await case.asked()
    for _ in range(3):
        await case.bot.answer(decision, Pass())
    await case.play_on()


async def miss_a_decision(case: Case) -> None:
    await case.connect()
    await case.asked()
    await case.lose_stream()
    case.organizer.advance(DECISION_LOST)
    await case.connect()
    await case.play_on()


async def wait_for_a_stalled_server(case: Case) -> None:
    await case.connect()
    decision = await case.asked()
    stalled = 60_000_000_000
    now = case.organizer.clock.advance(stalled)
    case.organizer.app.hall.stalled(Nanos(now - stalled), now)
    await case.answer(decision)
    await case.play_on()


##### For the seat #####


async def think_too_long_for_the_seat(case: Case) -> None:
    await case.connect()
    await case.asked()
    case.organizer.advance(DECISION_LOST)
    await case.bot.until("match_end")


async def answer_illegally_for_the_seat(case: Case) -> None:
    await case.connect()
    await case.bot.answer(await case.asked(), Pass())
    await case.bot.until("match_end")


async def stay_away_for_the_seat(case: Case) -> None:
    await case.connect()
    await case.asked()
    await case.lose_stream()
    case.organizer.advance(GRACE_LOST)


async def flood_in_play(case: Case) -> None:
    await case.connect()
    await case.asked()
    await case.flood()


async def break_in_play(case: Case) -> None:
    await case.connect()
    await case.asked()
    await case.break_protocol()


async def withdraw_in_play(case: Case) -> None:
    await case.connect()
    await case.asked()
    await case.withdraw()
    await case.bot.until("match_end")


async def disqualified_in_play(case: Case) -> None:
    await case.connect()
    await case.asked()
    await case.disqualify()
    await case.bot.until("match_end")


##### For the match #####


async def take_longer_than_the_cap(case: Case) -> None:
    await case.connect()
    await case.asked()
    cap = (await case.organizer.get()).settings.limits.match_cap.ToTimedelta()
    case.organizer.advance(cap + timedelta(hours=1))
    assert (await case.bot.until("match_end")).match_end.void_reason


ONE_FAULT = v1.FaultPolicy(faults_to_forfeit=1)
WAYS: dict[tuple[Fault, Stage], Way] = {
    (Fault.NO_SHOW, Stage.START): Way(stay_away),
    (Fault.STARTUP_TIMEOUT, Stage.START): Way(never_ready),
    (Fault.DECISION_TIMEOUT, Stage.DECISION): Way(think_too_long),
    (Fault.DECISION_TIMEOUT, Stage.SEAT): Way(think_too_long_for_the_seat, ONE_FAULT),
    (Fault.ILLEGAL_ACTION, Stage.DECISION): Way(answer_illegally),
    (Fault.ILLEGAL_ACTION, Stage.SEAT): Way(
        answer_illegally_for_the_seat,
        v1.FaultPolicy(illegal_actions=v1.ILLEGAL_ACTIONS_FORFEIT_AT_ONCE),
    ),
    (Fault.DISCONNECTED, Stage.DECISION): Way(miss_a_decision),
    (Fault.DISCONNECTED, Stage.SEAT): Way(
        stay_away_for_the_seat, limits=Limits(per_decision=timedelta(seconds=60))
    ),
    (Fault.FLOODING, Stage.START): Way(flood_before),
    (Fault.FLOODING, Stage.SEAT): Way(flood_in_play),
    (Fault.PROTOCOL_VIOLATION, Stage.START): Way(break_before),
    (Fault.PROTOCOL_VIOLATION, Stage.SEAT): Way(break_in_play),
    (Fault.WITHDRAWN, Stage.START): Way(withdraw_before),
    (Fault.WITHDRAWN, Stage.SEAT): Way(withdraw_in_play),
    (Fault.DISQUALIFIED, Stage.START): Way(disqualified_before),
    (Fault.DISQUALIFIED, Stage.SEAT): Way(disqualified_in_play),
    (Fault.SERVER_FAULT, Stage.DECISION): Way(wait_for_a_stalled_server),
    (Fault.SERVER_FAULT, Stage.MATCH): Way(take_longer_than_the_cap),
}


def test_every_row_of_the_table_is_brought_about_below_and_told_in_a_sentence() -> None:
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
        if not any(row.games for row in rows.values()):
            assert {row.mu for row in rows.values()} == {PRIOR}
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
