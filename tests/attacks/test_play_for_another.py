"""A bot that wants to play for somebody else, or to be told what is somebody else's."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import grpc
import pytest

from kitumaija.engine import DECK, PlayCard
from kitumaija.server.match.state import MatchState
from kitumaija.v1 import arena_pb2
from kitumaija.v1 import bot_pb2 as bots_v1
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.codec import legal_from_message
from kitumaija.wire.status import ErrorReason
from tests.server.rpc.scripted import first_legal, get_ready, play_out
from tests.support.arena import Arena
from tests.support.organizer import Organizer, Refused
from tests.support.raw_bot import RawBot, answer


@dataclass
class Others:
    """A match of ann and bob, in which ann is asked; eve sits in none."""

    arena: Arena
    match_id: str
    ann: RawBot
    bob: RawBot
    eve: RawBot
    asked: arena_pb2.Decision

    async def play_on(self) -> None:
        """Have ann answer, and both play to the end."""
        await self.ann.answer(self.asked, first_legal(self.asked))
        await play_out(self.ann, self.bob)

    def state(self) -> MatchState:
        match = self.arena.hall.match("ann", self.match_id)
        assert match is not None
        return match.state


@pytest.fixture
async def others(arena: Arena) -> Others:
    ann, bob, eve = [await arena.connect(name) for name in ("ann", "bob", "eve")]
    setup = arena.open_match("ann", "bob", match_id="a-match-of-others")
    await get_ready(setup.match_id, ann, bob)
    asked = await ann.decision()
    await ann.heard()
    return Others(arena, setup.match_id, ann, bob, eve, asked)


async def test_a_match_of_others_answers_a_stranger_as_one_that_there_is_not(
    others: Others,
) -> None:
    """So whoever guesses ids does not even learn which there are."""
    before = others.state()
    told = []
    for match_id in (others.match_id, "a-match-of-nobody"):
        said = []
        for decision_id in (0, 1, 2, 99):
            asked = arena_pb2.Decision(match_id=match_id, decision_id=decision_id)
            said += [answer(asked, PlayCard(card)) for card in DECK[:5]]
            said.append(answer(asked, None))
        said.append(arena_pb2.BotMessage(resync=arena_pb2.Resync(match_id=match_id)))
        for message in said:
            await others.eve.say(message)
        heard = await others.eve.heard()
        told.append([str(message).replace(match_id, "ID") for message in heard])

    assert told[0] == told[1]
    assert len(told[0]) == 4 * 6
    assert others.state() is before
    await others.play_on()


async def test_ready_for_a_match_of_others_costs_the_stranger_its_stream_and_them_nothing(
    arena: Arena,
) -> None:
    ann, bob, eve = [await arena.connect(name) for name in ("ann", "bob", "eve")]
    setup = arena.open_match("ann", "bob")
    await ann.until("match_start")
    await ann.ready(setup.match_id)
    await bob.until("match_start")
    await eve.ready(setup.match_id)
    code, reason, _, _ = await eve.end()
    assert (code, reason) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        ErrorReason.PROTOCOL_VIOLATION,
    )
    await bob.heard()
    match = arena.hall.match("bob", setup.match_id)
    assert match is not None
    assert [seat.ready for seat in match.state.seats] == [True, False]


async def test_a_hello_with_matches_of_others_is_told_nothing_of_them(others: Others) -> None:
    await others.eve.close()
    await others.arena.left()
    told = []
    for match_id in (others.match_id, "a-match-of-nobody"):
        eve = others.arena.dial("eve")
        await eve.hello(match_ids=[match_id])
        end = await eve.until("match_end")
        told.append(str(end).replace(match_id, "ID"))
        await eve.close()
        await others.arena.left()

    assert told[0] == told[1]
    assert "ann" not in told[0]
    # Afterwards it is over, and still it says no more to her than a match that there is not.
    await others.play_on()
    await others.arena.over()
    eve = await others.arena.connect("eve", match_ids=[others.match_id])
    end = await eve.until("match_end")
    assert str(end).replace(others.match_id, "ID") == told[0]


async def test_an_answer_ahead_of_its_decision_is_refused_and_not_kept(others: Others) -> None:
    """Bob answers what he has not been asked, in the hope that it counts when he is."""
    for card in DECK:
        ahead = arena_pb2.Decision(match_id=others.match_id, decision_id=1)
        await others.bob.say(answer(ahead, PlayCard(card)))
    refusals = await others.bob.heard()
    assert {refusal.refusal.reason for refusal in refusals} == {
        arena_pb2.REFUSAL_REASON_UNKNOWN_DECISION
    }
    while others.state().game.mover == 0:
        await others.ann.answer(others.asked, first_legal(others.asked))
        await others.ann.until("accepted")
        if others.state().game.mover == 0:
            others.asked = await others.ann.decision()
    asked = await others.bob.decision()
    assert asked.decision_id == 1
    assert others.state().pending is not None
    assert len(others.state().seats[1].decided) == 0


async def test_an_answer_on_a_stream_that_was_replaced_does_not_count(others: Others) -> None:
    older = others.ann
    newer = await others.arena.connect("ann")
    asked = await newer.decision()
    with suppress(Exception):  # gRPC has several for a stream that is gone
        await older.answer(asked, first_legal(asked))
    await older.end()
    await newer.heard()
    assert len(others.state().seats[0].decided) == 0

    second = legal_from_message(asked.legal)[-1]
    await newer.answer(asked, second)
    await newer.until("accepted")
    assert others.state().seats[0].decided[0].action == second


async def test_no_text_that_resembles_a_token_opens_a_stream(arena: Arena) -> None:
    token = arena.register("ann")
    guesses = [
        token[:-1],
        token + "A",
        token[:-1] + ("A" if token[-1] != "A" else "B"),
        token.swapcase(),
        token[::-1],
        "ann",
        "' OR 1=1 --",
        token + " " + token,
    ]
    told = set()
    for guess in guesses:
        code, reason, metadata, text = await arena.dial_with(guess).end()
        told.add((code, reason, str(metadata), text))

    assert len(told) == 1, "how near a guess came is not told"
    [(code, reason, _, _)] = told
    assert (code, reason) == (
        grpc.StatusCode.UNAUTHENTICATED,
        ErrorReason.UNAUTHENTICATED_TOKEN,
    )


async def test_a_thief_of_a_token_is_out_the_moment_it_is_replaced(organizer: Organizer) -> None:
    """On a stream that has said Hello, on one that has not yet, and in every call."""
    await organizer.register("ann")
    stolen = organizer.tokens["ann"]
    async with (
        RawBot(organizer.app.address, stolen) as greeted,
        RawBot(organizer.app.address, stolen) as silent,
    ):
        await greeted.hello()
        await silent.call.initial_metadata()
        rotate = bots_v1.RotateTokenRequest(bot_id="ann")
        await organizer.call(organizer.registry.RotateToken, rotate)
        await silent.say(arena_pb2.BotMessage(hello=arena_pb2.Hello()))
        for stream in (greeted, silent):
            code, reason, _, _ = await stream.end()
            assert (code, reason) == (
                grpc.StatusCode.UNAUTHENTICATED,
                ErrorReason.UNAUTHENTICATED_TOKEN,
            )
    for method, request in (
        (organizer.registry.RotateToken, rotate),
        (organizer.tournaments.ListTournaments, v1.ListTournamentsRequest()),
    ):
        with pytest.raises(Refused) as refused:
            await organizer.call(method, request, token=stolen)
        assert refused.value.reason is ErrorReason.UNAUTHENTICATED_TOKEN


async def test_no_bot_changes_what_is_another_s(organizer: Organizer) -> None:
    await organizer.register("eve", "bob")
    await organizer.create()
    await organizer.enter("bob")
    before = (await organizer.get()).SerializeToString(deterministic=True)
    cup = organizer.tournaments
    calls = (
        (organizer.registry.RotateToken, bots_v1.RotateTokenRequest(bot_id="bob")),
        (organizer.registry.DisableBot, bots_v1.DisableBotRequest(bot_id="bob")),
        (organizer.registry.RegisterBot, bots_v1.RegisterBotRequest(bot_id="eve-2")),
        (cup.WithdrawEntrant, v1.WithdrawEntrantRequest(tournament_id="cup", bot_id="bob")),
        (cup.DisqualifyEntrant, v1.DisqualifyEntrantRequest(tournament_id="cup", bot_id="bob")),
        (cup.EnterTournament, v1.EnterTournamentRequest(tournament_id="cup", bot_id="bob")),
        (
            cup.EnterTournament,
            v1.EnterTournamentRequest(tournament_id="cup", bot_id="eve", more_bot_ids=["bob"]),
        ),
        (cup.CloseTournament, v1.CloseTournamentRequest(tournament_id="cup")),
        (cup.StartTournament, v1.StartTournamentRequest(tournament_id="cup")),
        (cup.PauseTournament, v1.PauseTournamentRequest(tournament_id="cup")),
        (cup.CancelTournament, v1.CancelTournamentRequest(tournament_id="cup")),
        (cup.VoidMatch, v1.VoidMatchRequest(tournament_id="cup", match_id="m", reason="I lost")),
        (cup.RebuildRatings, v1.RebuildRatingsRequest(tournament_id="cup")),
        (cup.ListAuditEntries, v1.ListAuditEntriesRequest(tournament_id="cup")),
        (cup.CreateTournament, v1.CreateTournamentRequest(tournament_id="mine")),
    )
    for method, request in calls:
        for token in (organizer.tokens["eve"], None):
            with pytest.raises(Refused) as refused:
                await organizer.call(method, request, token=token)
            assert refused.value.code in {
                grpc.StatusCode.PERMISSION_DENIED,
                grpc.StatusCode.UNAUTHENTICATED,
            }

    assert (await organizer.get()).SerializeToString(deterministic=True) == before
