"""`ExplainSeat` over a socket: what a bot is told of its faults, and what nobody else is."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from kitumaija.engine import Pass, PlayCard, format_action, format_card
from kitumaija.server.cli.explaining import lines
from kitumaija.server.match.values import Fault
from kitumaija.v1 import arena_pb2, game_pb2, record_pb2, tournament_pb2
from kitumaija.v1 import replay_pb2 as v1
from kitumaija.wire.codec import (
    action_from_message,
    legal_from_message,
    view_from_message,
)
from kitumaija.wire.record import fault_to_message, record_from_message
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused, organized
from tests.support.raw_bot import RawBot

Play = Callable[[RawBot, arena_pb2.Decision], Awaitable[None]]


class Played:
    """A finished match in which `vic` did what the test wants at its first decision."""

    def __init__(self, match: tournament_pb2.Match, asked: arena_pb2.Decision) -> None:
        self.match = match
        self.asked = asked
        self.seat = next(n for n, one in enumerate(match.seats) if one.bot_id == "vic")


async def played(
    organizer: Organizer, first: Play, faults: tournament_pb2.FaultPolicy | None = None
) -> Played:
    """Play a match; further matches of the tournament are still to come."""
    await organizer.register("vic", "ann")
    await organizer.create(
        rounds=30,
        max_running_matches=1,
        faults=faults,
        options=game_pb2.GameOptions(turns_per_player=3),
    )
    await organizer.connect("ann")
    bot = RawBot(organizer.app.address, organizer.tokens["vic"])
    await bot.hello(capacity=1)
    await organizer.enter("vic", "ann")
    await organizer.close()
    await organizer.start()
    match_id = (await bot.until("match_start")).match_start.match_id
    await organizer.pause()
    await bot.ready(match_id)
    asked = await bot.decision()
    # The clock starts when the write has returned; then the server takes the next message.
    await bot.heard()
    await first(bot, asked)
    while (message := await bot.next()).WhichOneof("message") != "match_end":
        if message.HasField("decision"):
            await bot.answer(message.decision, legal_from_message(message.decision.legal)[0])
    await bot.close()
    return Played((await organizer.matches())[0], asked)


async def explain(
    organizer: Organizer, match_id: str, seat: int, *, decision: int = 0, token: str | None = "own"
) -> v1.ExplainSeatResponse:
    request = v1.ExplainSeatRequest(match_id=match_id, seat=seat, decision_id=decision)
    return await organizer.call(organizer.replays.ExplainSeat, request, token=token)  # type: ignore[no-any-return]


async def illegally(bot: RawBot, asked: arena_pb2.Decision) -> None:
    for action in (Pass(), None, Pass()):
        await bot.answer(asked, action)


async def legally(bot: RawBot, asked: arena_pb2.Decision) -> None:
    await bot.answer(asked, legal_from_message(asked.legal)[0])


async def test_illegal_answers_are_kept_with_what_was_wrong_with_each(
    organizer: Organizer,
) -> None:
    game = await played(organizer, illegally)
    found = await explain(organizer, game.match.match_id, game.seat)
    (decision,) = found.decisions
    assert decision.view == game.asked.view
    assert decision.legal == game.asked.legal
    assert decision.time_left_us == game.asked.time_left_us
    assert decision.bank_us == game.asked.bank_us
    assert decision.decision.by == record_pb2.DECIDED_BY_DEFAULT
    assert decision.decision.fault == fault_to_message(Fault.ILLEGAL_ACTION)
    seen = decision.incidents
    assert [one.kind for one in seen] == [record_pb2.INCIDENT_KIND_ILLEGAL_ANSWER] * 3
    assert format_action(action_from_message(seen[0].answer)) == "pass"
    assert "(E5)" in seen[0].detail
    assert not seen[1].HasField("answer")
    assert seen[1].detail
    assert decision.sentence == "The bot answered illegally, and there was no retry left."
    assert "the default action, for this decision" in decision.consequence
    assert found.policy.illegal_retries == 2
    assert not found.fault


async def test_a_decision_of_the_bots_own_is_explained_if_it_is_asked_for(
    organizer: Organizer,
) -> None:
    game = await played(organizer, illegally)
    found = await explain(organizer, game.match.match_id, game.seat, decision=2)
    (decision,) = found.decisions
    assert decision.decision.by == record_pb2.DECIDED_BY_BOT
    assert decision.sentence == decision.consequence == ""
    with pytest.raises(Refused) as refused:
        await explain(organizer, game.match.match_id, game.seat, decision=10_000)
    assert refused.value.reason is ErrorReason.INVALID_ARGUMENT_FIELD
    assert refused.value.metadata["wanted"] == f"0 to {found.decisions_made}"


async def test_a_seat_that_did_nothing_wrong_has_nothing_to_explain(organizer: Organizer) -> None:
    game = await played(organizer, legally)
    found = await explain(organizer, game.match.match_id, game.seat)
    assert not found.decisions
    assert not found.fault
    assert not found.incidents


async def test_the_clock_that_ran_out_is_shown_as_it_was_charged(organizer: Organizer) -> None:
    async def too_late(bot: RawBot, asked: arena_pb2.Decision) -> None:
        organizer.advance(timedelta(seconds=12))

    game = await played(organizer, too_late)
    (decision,) = (await explain(organizer, game.match.match_id, game.seat)).decisions
    assert decision.time_left_us == 11_000_000
    assert decision.timing.used_us == 11_050_000
    assert decision.decision.fault == fault_to_message(Fault.DECISION_TIMEOUT)
    # What the next decision had left: no bank.
    found = await explain(organizer, game.match.match_id, game.seat, decision=2)
    assert found.decisions[0].bank_us == 0
    assert found.decisions[0].time_left_us == 1_000_000


async def test_a_forfeit_that_ended_the_match_is_explained_at_the_decision_that_was_open(
    organizer: Organizer,
) -> None:
    async def once(bot: RawBot, asked: arena_pb2.Decision) -> None:
        organizer.advance(timedelta(milliseconds=40))
        await bot.answer(asked, Pass())

    at_once = tournament_pb2.FaultPolicy(
        illegal_actions=tournament_pb2.ILLEGAL_ACTIONS_FORFEIT_AT_ONCE
    )
    game = await played(organizer, once, at_once)
    assert game.match.ending == arena_pb2.MATCH_ENDING_FORFEITS
    found = await explain(organizer, game.match.match_id, game.seat)
    assert found.fault == fault_to_message(Fault.ILLEGAL_ACTION)
    assert found.place == 2
    (decision,) = found.decisions
    assert decision.view == game.asked.view
    assert decision.legal == game.asked.legal
    assert not decision.HasField("decision")
    assert decision.timing.used_us == 40_000
    assert decision.sentence == found.sentence
    kinds = [one.kind for one in decision.incidents]
    assert kinds == [
        record_pb2.INCIDENT_KIND_ILLEGAL_ANSWER,
        record_pb2.INCIDENT_KIND_FORFEITED,
    ]


async def test_a_broken_protocol_is_told_as_it_was_broken(organizer: Organizer) -> None:
    async def again(bot: RawBot, asked: arena_pb2.Decision) -> None:
        await bot.say(arena_pb2.BotMessage(hello=arena_pb2.Hello()))
        await bot.end()
        await organizer.until(lambda now: now.matches.finished == 1)
        raise Over

    class Over(Exception):
        pass

    with pytest.raises(Over):
        await played(organizer, again)
    match = (await organizer.matches())[0]
    seat = next(n for n, one in enumerate(match.seats) if one.bot_id == "vic")
    found = await explain(organizer, match.match_id, seat)
    assert found.fault == fault_to_message(Fault.PROTOCOL_VIOLATION)
    assert "second hello" in found.sentence


async def test_who_did_not_come_reads_why_the_match_did_not_begin(tmp_path: Path) -> None:
    async with organized(tmp_path / "data") as organizer:
        await organizer.begin("ann", absent=("vic",), max_running_matches=1)
        await organizer.miss(1, "vic")
        match = (await organizer.matches())[0]
        seat = next(n for n, one in enumerate(match.seats) if one.bot_id == "vic")
        token = organizer.tokens["vic"]
        found = await explain(organizer, match.match_id, seat, token=token)
        assert found.state == tournament_pb2.MATCH_STATE_VOID
        assert found.fault == fault_to_message(Fault.NO_SHOW)
        assert found.sentence.startswith("The bot was not connected when the match was offered")
        assert "does not begin" in found.consequence
        assert not found.decisions


async def test_a_bot_reads_its_own_seat_at_once_and_no_other(organizer: Organizer) -> None:
    game = await played(organizer, illegally)
    match_id, other = game.match.match_id, 1 - game.seat
    assert (await explain(organizer, match_id, game.seat, token=organizer.tokens["vic"])).decisions
    for seat, token in ((other, organizer.tokens["vic"]), (game.seat, None)):
        with pytest.raises(Refused) as refused:
            await explain(organizer, match_id, seat, token=token)
        assert refused.value.reason is ErrorReason.HANDS_HIDDEN
    assert (await explain(organizer, match_id, other)).bot_id == "ann"
    cancel = tournament_pb2.CancelTournamentRequest(tournament_id="cup")
    await organizer.call(organizer.tournaments.CancelTournament, cancel)
    assert await explain(organizer, match_id, other, token=None)


async def test_of_a_running_match_nothing_is_explained(organizer: Organizer) -> None:
    seen: list[ErrorReason | None] = []

    async def meanwhile(bot: RawBot, asked: arena_pb2.Decision) -> None:
        with pytest.raises(Refused) as refused:
            await explain(organizer, asked.match_id, 0)
        seen.append(refused.value.reason)
        await legally(bot, asked)

    await played(organizer, meanwhile)
    assert seen == [ErrorReason.MATCH_NOT_OVER]


async def test_an_explanation_is_built_from_what_its_seat_could_see_and_nothing_else(
    organizer: Organizer,
) -> None:
    """Every card named is one that the seat held, or that lay open."""
    game = await played(organizer, illegally)
    match_id = game.match.match_id
    record = record_from_message(
        (
            await organizer.call(
                organizer.replays.GetRecord, v1.GetRecordRequest(match_id=match_id)
            )
        ).record
    )
    for number in range(1, sum(one.seat == game.seat for one in record.game.decisions) + 1):
        found = await explain(organizer, match_id, game.seat, decision=number)
        (decision,) = found.decisions
        view = view_from_message(decision.view)
        assert view.seat == game.seat
        known = {*view.hand, *([view.top] if view.top else [])}
        legal = {
            action.card
            for action in legal_from_message(decision.legal)
            if isinstance(action, PlayCard)
        }
        assert legal <= known
        assert record.game.deal.seed not in found.SerializeToString()
        named = set(re.findall(r"\b[2-9TJQKA][CDHS]\b", "\n".join(lines(found))))
        assert named <= {format_card(card) for card in known}
