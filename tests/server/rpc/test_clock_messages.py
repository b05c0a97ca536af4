"""What was measured of a tournament's bots, over a socket: whose it is, and who may read it."""

from __future__ import annotations

import pytest

from kitumaija.server.store import matches, records
from kitumaija.server.store.rows import MatchState
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.record import record_from_bytes
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused


async def clocks(organizer: Organizer, *, token: str | None = "own") -> v1.GetClocksResponse:
    request = v1.GetClocksRequest(tournament_id="cup")
    found: v1.GetClocksResponse = await organizer.call(
        organizer.tournaments.GetClocks, request, token=token
    )
    return found


async def test_every_answer_of_the_finished_matches_is_counted_for_its_bot(
    organizer: Organizer,
) -> None:
    await organizer.begin("ann", "bob", "cid", rounds=2)
    await organizer.finished()

    found = await clocks(organizer)

    answers: dict[str, int] = {}
    with organizer.app.store.read() as tx:
        rows = matches.page(tx, "cup", size=1000).rows
        finished = [row.match.match_id for row in rows if row.match.state is MatchState.FINISHED]
        for match_id in finished:
            data = records.get(tx, match_id)
            assert data is not None
            game = record_from_bytes(data).game
            for decision in game.decisions:
                bot = game.seats[decision.seat]
                answers[bot] = answers.get(bot, 0) + 1
    assert found.matches == len(finished) == 12
    assert {bot.bot_id: bot.used.count for bot in found.bots} == answers
    assert [bot.bot_id for bot in found.bots] == ["ann", "bob", "cid"]
    assert {bot.matches for bot in found.bots} == {8}
    assert {bot.timeouts for bot in found.bots} == {0}
    assert found.limits.per_decision.seconds == 1


async def test_what_is_beyond_a_bot_s_own_thinking_is_told_of_those_that_say_it(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob")
    await organizer.create()
    await organizer.connect("ann", thought_us=7_000)
    await organizer.connect("bob")
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start()
    await organizer.finished()

    ann, bob = (await clocks(organizer)).bots

    assert ann.overhead.count == ann.used.count > 0
    # The server's clock stands still in this test: what the bot claims is all there is.
    assert (ann.overhead.max_us, ann.used.max_us) == (-7_000, 0)
    assert bob.overhead.count == 0
    assert bob.used.count > 0


async def test_a_bot_reads_its_own_times_and_nobody_else_s(organizer: Organizer) -> None:
    await organizer.begin("ann", "bob", "cid")
    await organizer.finished()

    mine = await clocks(organizer, token=organizer.tokens["bob"])

    assert [bot.bot_id for bot in mine.bots] == ["bob"]
    everybody = {bot.bot_id: bot for bot in (await clocks(organizer)).bots}
    assert mine.bots[0] == everybody["bob"]
    with pytest.raises(Refused) as refused:
        await clocks(organizer, token=None)
    assert refused.value.reason is ErrorReason.UNAUTHENTICATED_NO_TOKEN


async def test_of_a_match_that_is_being_played_nothing_is_told(organizer: Organizer) -> None:
    await organizer.register("ann", "bob")
    await organizer.create()
    await organizer.connect("ann")
    bob = await organizer.connect("bob", answers=1)
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start()
    await bob.stuck.wait()

    for token in ("own", organizer.tokens["bob"]):
        assert (await clocks(organizer, token=token)).matches == 0


async def test_a_tournament_that_is_not_there_is_said_so(organizer: Organizer) -> None:
    with pytest.raises(Refused) as refused:
        await clocks(organizer)
    assert refused.value.reason is ErrorReason.NOT_FOUND_TOURNAMENT
