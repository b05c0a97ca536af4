"""`ReplayService` over a socket: who may read what, and when."""

from __future__ import annotations

from typing import Any

import pytest

from kitumaija.engine import CardsDrawn, Dealt, Event, event_for, replay
from kitumaija.engine.values import Seat
from kitumaija.v1 import replay_pb2 as v1
from kitumaija.v1 import tournament_pb2
from kitumaija.wire.codec import events_from_message, legal_from_message, view_from_message
from kitumaija.wire.record import MatchRecord, record_from_message
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused


async def a_match(organizer: Organizer, **settings: Any) -> tournament_pb2.Match:
    """Play a tournament until one match is over while others are still to come."""
    await organizer.begin("ann", "bob", "cid", rounds=30, max_running_matches=1, **settings)
    await organizer.until(lambda now: now.matches.finished >= 1)
    await organizer.pause()
    return (await organizer.matches())[0]


async def record_of(
    organizer: Organizer, match_id: str, *, token: str | None = "own"
) -> MatchRecord:
    request = v1.GetRecordRequest(match_id=match_id)
    response = await organizer.call(organizer.replays.GetRecord, request, token=token)
    return record_from_message(response.record)


async def seat_replay(
    organizer: Organizer, match_id: str, seat: int, *, token: str | None = "own"
) -> v1.GetSeatReplayResponse:
    request = v1.GetSeatReplayRequest(match_id=match_id, seat=seat)
    return await organizer.call(organizer.replays.GetSeatReplay, request, token=token)  # type: ignore[no-any-return]


async def public(organizer: Organizer, match_id: str) -> list[Event]:
    """The public events of a match that is over, from the watch."""
    events: list[Event] = []
    request = v1.WatchMatchRequest(match_id=match_id)
    last = None
    async for piece in organizer.stream(organizer.replays.WatchMatch, request, token=None):
        assert piece.first_event == len(events)
        events += events_from_message(piece.events)
        last = piece
    assert last is not None
    assert last.over
    return events


async def test_the_organizer_reads_every_record_and_it_replays(organizer: Organizer) -> None:
    match = await a_match(organizer)
    record = await record_of(organizer, match.match_id)
    assert replay(record.game).final.over
    assert record.game.seats == tuple(seat.bot_id for seat in match.seats)
    assert record.game.result.placing == tuple(seat.place for seat in match.seats)
    assert record.timings.match_id == match.match_id
    assert record.timings.tournament_id == "cup"
    assert len(record.timings.decisions) == len(record.game.decisions)
    assert {bot.bot_version for bot in record.timings.bots} == {"1"}


async def test_others_read_records_when_the_tournament_is_over(organizer: Organizer) -> None:
    match = await a_match(organizer)
    for token in (organizer.tokens["ann"], None):
        with pytest.raises(Refused) as refused:
            await record_of(organizer, match.match_id, token=token)
        assert refused.value.reason is ErrorReason.HANDS_HIDDEN
        assert refused.value.metadata["visible"] == "after_tournament"
    cancel = tournament_pb2.CancelTournamentRequest(tournament_id="cup")
    await organizer.call(organizer.tournaments.CancelTournament, cancel)
    assert await record_of(organizer, match.match_id, token=None)


async def test_others_read_records_after_the_match_where_the_setting_says_so(
    organizer: Organizer,
) -> None:
    match = await a_match(organizer, hands_visible=tournament_pb2.HANDS_VISIBLE_AFTER_MATCH)
    assert await record_of(organizer, match.match_id, token=None)


async def test_a_bot_reads_its_own_seat_at_once_and_no_other(organizer: Organizer) -> None:
    match = await a_match(organizer)
    bots = [seat.bot_id for seat in match.seats]
    own = organizer.tokens[bots[1]]
    assert (await seat_replay(organizer, match.match_id, 1, token=own)).seating.seat == 1
    for seat, token in ((0, own), (1, None)):
        with pytest.raises(Refused) as refused:
            await seat_replay(organizer, match.match_id, seat, token=token)
        assert refused.value.reason is ErrorReason.HANDS_HIDDEN


async def test_a_seats_replay_is_what_the_seat_saw_and_no_card_more(organizer: Organizer) -> None:
    match = await a_match(organizer)
    record = await record_of(organizer, match.match_id)
    steps = replay(record.game).steps
    for number, seated in enumerate(match.seats):
        seat = Seat(number)
        found = await seat_replay(organizer, match.match_id, number)
        assert [player.bot_id for player in found.seating.players] == [
            seat.bot_id for seat in match.seats
        ]
        told = events_from_message(found.events)
        assert told == tuple(event_for(event, seat) for step in steps for event in step.events)
        for event in told:
            if isinstance(event, Dealt | CardsDrawn):
                assert (event.cards is not None) == (event.seat == seat)
        decisions = [one for one in record.game.decisions if one.seat == seat]
        assert len(found.decisions) == len(decisions)
        for shown, made in zip(found.decisions, decisions, strict=True):
            assert made.action in legal_from_message(shown.legal)
            view = view_from_message(shown.view)
            assert (view.seat, view.mover) == (seat, seat)
            assert 0 < shown.events_before <= len(told)
        assert seated.bot_id == record.game.seats[number]


async def test_the_public_course_of_a_match_shows_no_private_card(organizer: Organizer) -> None:
    match = await a_match(organizer)
    record = await record_of(organizer, match.match_id)
    steps = replay(record.game).steps
    everything = [event_for(event, None) for step in steps for event in step.events]
    assert await public(organizer, match.match_id) == everything


async def test_a_match_is_watched_while_it_is_played(organizer: Organizer) -> None:
    await organizer.register("ann", "bob")
    await organizer.create()
    ann = await organizer.connect("ann", capacity=1, answers=3)
    await organizer.connect("bob")
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start()
    await ann.stuck.wait()
    [match] = await organizer.matches()
    request = v1.WatchMatchRequest(match_id=match.match_id)
    watch = organizer.stream(organizer.replays.WatchMatch, request, token=None)
    first = await anext(watch)
    events = list(events_from_message(first.events))
    assert not first.over
    assert sum(isinstance(event, Dealt) for event in events) == 2
    await ann.go_on()
    async for piece in watch:
        assert piece.first_event == len(events)
        events += events_from_message(piece.events)
    await organizer.finished()
    assert events == await public(organizer, match.match_id)


async def test_a_seat_that_is_not_there_is_refused(organizer: Organizer) -> None:
    match = await a_match(organizer)
    with pytest.raises(Refused) as refused:
        await seat_replay(organizer, match.match_id, 2)
    assert refused.value.metadata["field"] == "seat"
    assert "0 to 1" in refused.value.message


async def test_a_match_that_runs_has_no_record_yet(organizer: Organizer) -> None:
    await organizer.register("ann", "bob")
    await organizer.create()
    await organizer.connect("ann")
    await organizer.connect("bob", ready=False)
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start()
    await organizer.until(lambda now: now.matches.running == 2)
    match = (await organizer.matches())[0]
    with pytest.raises(Refused) as refused:
        await record_of(organizer, match.match_id)
    assert refused.value.reason is ErrorReason.MATCH_NOT_OVER


async def test_no_refusal_tells_a_bot_its_seat_before_the_match_begins(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob")
    await organizer.create(rounds=1)
    await organizer.connect("ann")
    bob = await organizer.connect("bob", ready=False)
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start()
    await organizer.until(lambda now: now.matches.running == 2)
    told = set()
    for match in await organizer.matches():
        for seat in range(3):
            for token in (organizer.tokens["bob"], None):
                with pytest.raises(Refused) as refused:
                    await seat_replay(organizer, match.match_id, seat, token=token)
                told.add((refused.value.reason, refused.value.message, match.match_id))
    assert len(told) == 2
    assert {reason for reason, _, _ in told} == {ErrorReason.MATCH_NOT_OVER}
    assert len(bob.offered) == 2


async def test_a_match_that_was_not_played_has_no_record(organizer: Organizer) -> None:
    await organizer.begin("ann", absent=("bob",))
    await organizer.miss(4, "bob")
    await organizer.finished()
    match = (await organizer.matches())[0]
    for call in (record_of(organizer, match.match_id), seat_replay(organizer, match.match_id, 0)):
        with pytest.raises(Refused) as refused:
            await call
        assert refused.value.reason is ErrorReason.NOT_FOUND_RECORD
    assert await public(organizer, match.match_id) == []


async def test_a_match_that_is_not_there_is_not_found(organizer: Organizer) -> None:
    with pytest.raises(Refused) as refused:
        await record_of(organizer, "nothing")
    assert refused.value.reason is ErrorReason.NOT_FOUND_MATCH
    with pytest.raises(Refused) as refused:
        await public(organizer, "nothing")
    assert refused.value.reason is ErrorReason.NOT_FOUND_MATCH
