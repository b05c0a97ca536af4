"""A match that ends by a mistake of the server's: what is kept of it, and who may read that."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from kitumaija.engine import replay
from kitumaija.server.match.journal import Decided, entry_from_bytes
from kitumaija.server.store import journal, matches, records
from kitumaija.server.store.rows import MatchState
from kitumaija.v1 import replay_pb2 as replays_v1
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.record import record_from_bytes, record_from_message
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused


async def broken_off(organizer: Organizer, **settings: Any) -> str:
    """Break a match in its middle, by taking its game away from its machine; its id."""
    await organizer.register("ann", "bob")
    await organizer.create(**settings)
    ann = await organizer.connect("ann", capacity=1, answers=2)
    await organizer.connect("bob")
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start()
    await ann.stuck.wait()
    await organizer.pause()
    (match_id,) = organizer.app.hall.match_ids()
    running: Any = organizer.app.hall.match("ann", match_id)
    running.state = running.state._replace(game=None)
    organizer.advance(timedelta(seconds=12))
    await organizer.app.hall.settle()
    return match_id


async def the_record(organizer: Organizer, match_id: str, token: str | None = "own") -> Any:
    request = replays_v1.GetRecordRequest(match_id=match_id)
    answer = await organizer.call(organizer.replays.GetRecord, request, token=token)
    return record_from_message(answer.record)


async def test_a_mistake_of_ours_leaves_a_record_of_all_that_was_played(
    organizer: Organizer,
) -> None:
    match_id = await broken_off(organizer)

    with organizer.app.store.read() as tx:
        row = matches.get(tx, match_id)
        data = records.get(tx, match_id)
        entries = [entry_from_bytes(one.payload) for one in journal.entries(tx, match_id)]
    assert row is not None
    assert row.state is MatchState.VOID
    assert data is not None
    game = record_from_bytes(data).game
    decided = [entry for entry in entries if isinstance(entry, Decided)]
    assert [(one.seat, one.action) for one in game.decisions] == [
        (one.seat, one.action) for one in decided
    ]
    assert len(decided) >= 2
    assert game.result.void
    assert not replay(game).final.over


async def test_the_organizer_reads_it_at_once(organizer: Organizer) -> None:
    match_id = await broken_off(organizer)

    record = await the_record(organizer, match_id)
    assert record.timings.match_id == match_id
    assert len(record.timings.decisions) == len(record.game.decisions)
    request = replays_v1.GetSeatReplayRequest(match_id=match_id, seat=1)
    assert (await organizer.call(organizer.replays.GetSeatReplay, request)).decisions


async def test_bots_read_it_when_the_tournament_is_over_whatever_the_settings_say(
    organizer: Organizer,
) -> None:
    match_id = await broken_off(organizer, hands_visible=v1.HANDS_VISIBLE_AFTER_MATCH)
    seats = {
        seat.bot_id: number for number, seat in enumerate((await organizer.matches())[0].seats)
    }
    own = replays_v1.GetSeatReplayRequest(match_id=match_id, seat=seats["ann"])
    for call in (
        the_record(organizer, match_id, organizer.tokens["ann"]),
        the_record(organizer, match_id, None),
        organizer.call(organizer.replays.GetSeatReplay, own, token=organizer.tokens["ann"]),
    ):
        with pytest.raises(Refused) as refused:
            await call
        assert refused.value.reason is ErrorReason.HANDS_HIDDEN
        assert refused.value.metadata["visible"] == "after_tournament"

    cancel = v1.CancelTournamentRequest(tournament_id="cup")
    await organizer.call(organizer.tournaments.CancelTournament, cancel)
    assert (await the_record(organizer, match_id, None)).game.result.void


async def test_who_watches_a_void_match_is_shown_nothing_of_its_record(
    organizer: Organizer,
) -> None:
    match_id = await broken_off(organizer)
    request = replays_v1.WatchMatchRequest(match_id=match_id)
    answers = organizer.stream(organizer.replays.WatchMatch, request, token=None)
    assert [(piece.first_event, len(piece.events), piece.over) async for piece in answers] == [
        (0, 0, True)
    ]
