"""A bot that reads, as a spectator or with its token, what is not to be read before its time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from kitumaija.engine import CardsDrawn, Dealt, Event
from kitumaija.server.store import tournaments
from kitumaija.v1 import bot_pb2 as bots_v1
from kitumaija.v1 import replay_pb2 as replays_v1
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.codec import events_from_message
from kitumaija.wire.status import ErrorReason
from tests.support.autobot import AutoBot
from tests.support.organizer import Organizer, Refused


@dataclass
class Game:
    """A match that is being played, and waits for eve; another of the tournament is over."""

    organizer: Organizer
    match_id: str
    over: str
    eve: AutoBot

    @property
    def tokens(self) -> tuple[str | None, ...]:
        """What eve may call with: her own token, or none."""
        return (self.organizer.tokens["eve"], None)


@asynccontextmanager
async def being_played(organizer: Organizer) -> AsyncIterator[Game]:
    await organizer.register("eve", "bob")
    await organizer.create(rounds=2, max_running_matches=1)
    # Three turns of hers are six decisions at most, so one match at least is over by then.
    eve = await organizer.connect("eve", capacity=1, answers=8)
    await organizer.connect("bob")
    await organizer.enter("eve", "bob")
    await organizer.close()
    await organizer.start()
    await eve.stuck.wait()
    listed = await organizer.matches()
    over = next(match.match_id for match in listed if match.state == v1.MATCH_STATE_FINISHED)
    [running] = [match for match in listed if match.state == v1.MATCH_STATE_RUNNING]
    yield Game(organizer, running.match_id, over, eve)
    await eve.go_on()
    await organizer.finished()


async def test_no_call_shows_a_game_that_is_being_played(organizer: Organizer) -> None:
    async with being_played(organizer) as game:
        replays, match_id = organizer.replays, game.match_id
        calls: list[tuple[Any, Any]] = [
            (replays.GetRecord, replays_v1.GetRecordRequest(match_id=match_id))
        ]
        for seat in range(4):
            calls.append(
                (
                    replays.GetSeatReplay,
                    replays_v1.GetSeatReplayRequest(match_id=match_id, seat=seat),
                )
            )
            for decision in range(3):
                request = replays_v1.ExplainSeatRequest(
                    match_id=match_id, seat=seat, decision_id=decision
                )
                calls.append((replays.ExplainSeat, request))
        told = set()
        for method, request in calls:
            for token in game.tokens:
                with pytest.raises(Refused) as refused:
                    await organizer.call(method, request, token=token)
                told.add((refused.value.reason, refused.value.message))
        export = v1.ExportTournamentRequest(tournament_id="cup")
        for token in game.tokens:
            with pytest.raises(Refused) as refused:
                await anext(
                    organizer.stream(organizer.tournaments.ExportTournament, export, token=token)
                )
            assert refused.value.reason is ErrorReason.TOURNAMENT_NOT_OVER

    # One and the same sentence, whoever asks and about whichever seat: it can carry nothing.
    assert len(told) == 1
    assert {reason for reason, _ in told} == {ErrorReason.MATCH_NOT_OVER}


async def test_another_seat_of_a_game_that_is_over_stays_hidden_while_others_run(
    organizer: Organizer,
) -> None:
    async with being_played(organizer) as game:
        request = v1.ListMatchesRequest(tournament_id="cup")
        listed = await organizer.call(organizer.tournaments.ListMatches, request, token=None)
        [over] = [match for match in listed.matches if match.match_id == game.over]
        other = next(n for n, seat in enumerate(over.seats) if seat.bot_id != "eve")
        for method, asked in (
            (organizer.replays.GetRecord, replays_v1.GetRecordRequest(match_id=game.over)),
            (
                organizer.replays.GetSeatReplay,
                replays_v1.GetSeatReplayRequest(match_id=game.over, seat=other),
            ),
            (
                organizer.replays.ExplainSeat,
                replays_v1.ExplainSeatRequest(match_id=game.over, seat=other, decision_id=1),
            ),
        ):
            for token in game.tokens:
                with pytest.raises(Refused) as refused:
                    await organizer.call(method, asked, token=token)
                assert refused.value.reason is ErrorReason.HANDS_HIDDEN


async def test_a_player_who_watches_its_own_game_sees_what_everybody_sees(
    organizer: Organizer,
) -> None:
    async with being_played(organizer) as game:
        request = replays_v1.WatchMatchRequest(match_id=game.match_id)
        seen = []
        for token in (*game.tokens, "own"):
            watch = organizer.stream(organizer.replays.WatchMatch, request, token=token)
            seen.append((await anext(watch)).SerializeToString(deterministic=True))
            await watch.aclose()  # type: ignore[attr-defined]

    assert seen[0] == seen[1] == seen[2]
    events = events_from_message(replays_v1.WatchMatchResponse.FromString(seen[0]).events)
    assert sum(isinstance(event, Dealt) for event in events) == 2
    assert [event for event in events if _shows_a_face(event)] == []


def _shows_a_face(event: Event) -> bool:
    drawn = isinstance(event, Dealt | CardsDrawn)
    return drawn and event.cards is not None  # type: ignore[union-attr]


async def test_nothing_that_is_sent_before_the_end_holds_a_secret_of_the_deal(
    organizer: Organizer,
) -> None:
    """The master seed, the seeds of deals to come, entropies before the start: in no form."""
    async with being_played(organizer) as game:
        with organizer.app.store.read() as tx:
            row = tournaments.get(tx, "cup")
        assert row is not None
        assert len(row.master_seed) == 32
        answers = b"".join([await everything_that_can_be_read(organizer, t) for t in game.tokens])
        heard = b"".join(game.eve._stream.everything)

    for secret in (row.master_seed, row.master_seed.hex().encode()):
        assert secret not in answers
        assert secret not in heard
    # Afterwards it is there, so the search could have found it.
    assert row.master_seed in await everything_that_can_be_read(organizer, None)


async def everything_that_can_be_read(organizer: Organizer, token: str | None) -> bytes:
    """Return all that every reading call answers, joined."""
    reads, registry = organizer.tournaments, organizer.registry
    calls = (
        (reads.GetTournament, v1.GetTournamentRequest(tournament_id="cup")),
        (reads.ListTournaments, v1.ListTournamentsRequest()),
        (reads.ListMatches, v1.ListMatchesRequest(tournament_id="cup")),
        (reads.GetStandings, v1.GetStandingsRequest(tournament_id="cup")),
        (reads.GetClocks, v1.GetClocksRequest(tournament_id="cup")),
        (registry.ListBots, bots_v1.ListBotsRequest()),
        (registry.GetBot, bots_v1.GetBotRequest(bot_id="bob")),
    )
    return b"\0".join(
        [await organizer.told(method, request, token=token) for method, request in calls]
    )


async def test_an_offer_that_came_to_nothing_names_nobody_until_its_number_is_settled(
    organizer: Organizer,
) -> None:
    """Whoever stays away the first time, at no cost, is not to learn whom he would meet."""
    await organizer.register("ann", "bob", "eve")
    await organizer.create(max_running_matches=1)
    await organizer.connect("ann")
    await organizer.connect("bob")
    await organizer.connect("eve", ready=False)
    await organizer.enter("ann", "bob", "eve")
    await organizer.close()
    await organizer.start()
    await organizer.miss(1, "eve")

    voids = [m for m in await organizer.matches() if m.state == v1.MATCH_STATE_VOID]
    assert {seat.bot_id for seat in voids[0].seats} > {"eve"}, "the organizer sees them"
    for token in (organizer.tokens["eve"], None):
        for request in (
            v1.ListMatchesRequest(tournament_id="cup"),
            v1.ListMatchesRequest(tournament_id="cup", bot_id="eve"),
            v1.ListMatchesRequest(tournament_id="cup", table_size=2),
        ):
            answer = await organizer.call(organizer.tournaments.ListMatches, request, token=token)
            listed = {match.match_id for match in answer.matches}
            assert listed.isdisjoint({match.match_id for match in voids})


async def test_the_explanation_of_its_own_seat_names_nobody_else_who_stayed_away(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob", "eve")
    await organizer.create(table_sizes=(3,), max_running_matches=1)
    await organizer.connect("ann")
    await organizer.connect("eve", ready=False)
    await organizer.enter("ann", "bob", "eve")
    await organizer.close()
    await organizer.start(allow_absent=True)
    await organizer.miss(1, "eve", "bob")
    [void] = [m for m in await organizer.matches() if m.state == v1.MATCH_STATE_VOID]
    assert "bob" in void.reason, "the organizer is told"

    told = []
    for seat in range(3):
        request = replays_v1.ExplainSeatRequest(match_id=void.match_id, seat=seat)
        token = organizer.tokens["eve"]
        try:
            answer = await organizer.call(organizer.replays.ExplainSeat, request, token=token)
        except Refused as refused:
            told.append(f"{refused.reason} {refused} {refused.metadata}")
        else:
            told.append(str(answer))

    assert sum(ErrorReason.HANDS_HIDDEN.value in text for text in told) == 2
    assert not any("bob" in text or "ann" in text for text in told)
