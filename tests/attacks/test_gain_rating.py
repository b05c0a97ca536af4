"""A side that is losing, and would rather that the match had not been.

Only a match that the server cannot bring to an end is void and dealt again. Nothing that a bot can
do, and nothing that all others at a table can do together, makes it one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeAlias

import pytest

from kitumaija.engine import DECK, PlayCard
from kitumaija.server.match import FaultPolicy, MatchPlayed
from kitumaija.v1 import arena_pb2
from kitumaija.v1 import bot_pb2 as bots_v1
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.codec import cards_from_message
from tests.server.rpc.scripted import first_legal, get_ready
from tests.support.arena import Arena
from tests.support.organizer import Organizer
from tests.support.raw_bot import RawBot, StreamEnded, answer

Way: TypeAlias = Callable[[Arena, RawBot, str], Awaitable[object]]
"""A way out of a match."""


async def vanishing(arena: Arena, eve: RawBot, match_id: str) -> None:
    await eve.close()


async def saying_goodbye(arena: Arena, eve: RawBot, match_id: str) -> None:
    await eve.goodbye()


async def closing_one_half(arena: Arena, eve: RawBot, match_id: str) -> None:
    await eve.call.done_writing()


async def flooding(arena: Arena, eve: RawBot, match_id: str) -> None:
    again = arena_pb2.BotMessage(resync=arena_pb2.Resync(match_id=match_id))
    with suppress(Exception):  # the server may end it before all is said
        await eve.say(*[again] * 1_500)


async def breaking_the_protocol(arena: Arena, eve: RawBot, match_id: str) -> None:
    await eve.say(arena_pb2.BotMessage(hello=arena_pb2.Hello()))


async def an_oversized_frame(arena: Arena, eve: RawBot, match_id: str) -> None:
    asked = arena_pb2.Answer(match_id="m" * 100_000, decision_id=1)
    await eve.say(arena_pb2.BotMessage(answer=asked))


WAYS: tuple[Way, ...] = (
    vanishing,
    saying_goodbye,
    closing_one_half,
    flooding,
    breaking_the_protocol,
    an_oversized_frame,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.replace("_", " "))
@pytest.mark.parametrize("seats", [2, 3, 6, 10])
async def test_whatever_all_but_one_do_at_once_the_match_counts(
    arena: Arena, seats: int, way: Way
) -> None:
    """Ann alone is honest. The clock stands still, so that all others go in the same instant."""
    names = ["ann", *(f"eve-{number}" for number in range(1, seats))]
    bots = [await arena.connect(name) for name in names]
    setup = arena.open_match(*names)
    await get_ready(setup.match_id, *bots)
    honest = asyncio.create_task(_play(bots[0]))
    for eve in bots[1:]:
        await way(arena, eve, setup.match_id)
    while arena.plan.over.empty():
        await asyncio.sleep(0.001)
        arena.advance(1_000)
    honest.cancel()
    await asyncio.gather(honest, return_exceptions=True)

    result = (await arena.over()).result
    assert isinstance(result, MatchPlayed), "a match that was begun counts"
    assert result.game.result.placing[0] == 1
    assert {forfeit.seat for forfeit in result.forfeits} == set(range(1, seats))


async def _play(bot: RawBot) -> None:
    with suppress(StreamEnded):
        while True:
            asked = await bot.decision()
            await bot.answer(asked, first_legal(asked))


STRANGE_ACTIONS = (
    b"",
    b"\x08\x34",
    b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    b"\x10\xff\xff\xff\xff\x0f",
    b"\x12\x00\x1a\x00\x22\x00",
    b"\x1a\x80\x01" + b"x" * 128,
    b"\xa2\x06\x01x",
)


async def test_no_answer_however_strange_is_taken_for_trouble_of_the_server(arena: Arena) -> None:
    """An exception over what a bot said would be its illegal action, and there is not even one."""
    eve, bob = await arena.connect("eve"), await arena.connect("bob")
    policy = FaultPolicy(illegal_retries=1_000, faults_to_forfeit=0)
    setup = arena.open_match("eve", "bob", policy=policy)
    await get_ready(setup.match_id, eve, bob)
    asked = await eve.decision()
    hand = cards_from_message(asked.view.hand)
    said = []
    for action in STRANGE_ACTIONS:
        for decision_id in (1, 0, 2**32 - 1):
            for thought in (None, -1, 2**63 - 1, -(2**63)):
                one = arena_pb2.Answer(match_id=setup.match_id, decision_id=decision_id)
                with suppress(Exception):  # what no parser takes cannot be put into a message
                    one.action.MergeFromString(action)
                if thought is not None:
                    one.think_time_us = thought
                said.append(arena_pb2.BotMessage(answer=one))
    said += [answer(asked, PlayCard(card)) for card in DECK if card not in hand]
    for message in said:
        await eve.say(message)
    refusals = await eve.heard()
    assert len(refusals) == len(said)
    assert {message.WhichOneof("message") for message in refusals} == {"refusal"}
    assert not any("server" in message.refusal.detail for message in refusals)
    assert arena.plan.over.empty()
    await eve.answer(asked, first_legal(asked))
    await eve.until("accepted")


# In a tournament


async def begun(organizer: Organizer, *bots: str, **settings: Any) -> None:
    await organizer.register(*bots)
    await organizer.create(max_running_matches=1, **settings)


async def voids(organizer: Organizer) -> list[v1.Match]:
    return [match for match in await organizer.matches() if match.state == v1.MATCH_STATE_VOID]


async def test_leaving_the_tournament_in_a_losing_match_loses_it(organizer: Organizer) -> None:
    await begun(organizer, "ann", "eve")
    await organizer.connect("ann")
    eve = await organizer.connect("eve", answers=2)
    await organizer.enter("ann", "eve")
    await organizer.close()
    await organizer.start()
    await eve.stuck.wait()
    request = v1.WithdrawEntrantRequest(tournament_id="cup", bot_id="eve")
    await organizer.call(
        organizer.tournaments.WithdrawEntrant, request, token=organizer.tokens["eve"]
    )
    await organizer.finished()

    assert await voids(organizer) == []
    played = [m for m in await organizer.matches() if m.state == v1.MATCH_STATE_FINISHED]
    assert {(s.bot_id, s.place) for m in played for s in m.seats} == {("ann", 1), ("eve", 2)}
    [table] = (await organizer.standings()).tables
    assert {row.bot_id: row.games for row in table.rows} == {"ann": 1, "eve": 1}


@pytest.mark.parametrize("how", ["another version", "another token"])
async def test_coming_back_as_another_leaves_the_match_where_it_was(
    organizer: Organizer, how: str
) -> None:
    """A bot that is sent away, or whose token is replaced, is one that is away: the clock runs."""
    await begun(organizer, "ann", "eve")
    ann = await organizer.connect("ann")
    eve = await organizer.connect("eve", answers=2)
    await organizer.enter("ann", "eve")
    await organizer.close()
    await organizer.start()
    await eve.stuck.wait()
    if how == "another token":
        request = bots_v1.RotateTokenRequest(bot_id="eve")
        own = organizer.tokens["eve"]
        await organizer.call(organizer.registry.RotateToken, request, token=own)
        await eve.gone()
    else:
        await eve.close()
        second = await organizer.connect("eve", version="2", answers=0)
        await second.gone()
    async with asyncio.timeout(20):
        while not ann.ended:
            await asyncio.sleep(0.001)
            for match in organizer.running_matches():
                if match.state.pending is not None:
                    organizer.clock.advance(1_000_000_000)
            organizer.app.pulse.beat()

    [first] = ann.ended
    assert sorted(first.places) == [1, 2]
    assert first.places[first.forfeits[0].seat] == 2
    assert next(match.attempt for match in await organizer.matches()) == 1
    assert all("did not come" in match.reason for match in await voids(organizer))


async def test_a_pact_to_stay_away_costs_those_who_made_it_and_nobody_else(
    organizer: Organizer,
) -> None:
    await begun(
        organizer,
        *("ann", "eve", "mal"),
        table_sizes=(3,),
        faults=v1.FaultPolicy(no_shows_to_withdraw=9),
    )
    await organizer.connect("ann")
    for name in ("eve", "mal"):
        await organizer.connect(name, ready=False)
    await organizer.enter("ann", "eve", "mal")
    await organizer.close()
    await organizer.start()
    await organizer.miss(6, "eve", "mal")
    await organizer.finished()

    [table] = (await organizer.standings()).tables
    rows = {row.bot_id: row for row in table.rows}
    assert (rows["ann"].rank, rows["ann"].mu, rows["ann"].games) == (1, 25.0, 0)
    for name in ("eve", "mal"):
        assert rows[name].games == 3
        assert rows[name].mu < 25
        assert sum(fault.count for fault in rows[name].faults) == 3


async def test_missing_the_first_attempt_is_a_new_deal_that_nobody_saw(
    organizer: Organizer,
) -> None:
    """There is nothing to be chosen: the first deal was shown to nobody, whoever was ready."""
    await begun(organizer, "ann", "eve")
    ann = await organizer.connect("ann")
    await organizer.connect("eve", ready=False)
    await organizer.enter("ann", "eve")
    await organizer.close()
    await organizer.start()
    await organizer.miss(1, "eve")

    [void] = await voids(organizer)
    heard = [arena_pb2.ServerMessage.FromString(data) for data in ann._stream.everything]
    about = [
        message
        for message in heard
        if void.match_id in {message.match_start.match_id, message.match_end.match_id}
    ]
    assert [message.WhichOneof("message") for message in about] == ["match_start", "match_end"]
    end = about[1].match_end
    assert not end.hands
    assert not end.deal_id
    assert not end.deal_seed
    assert not end.stock
    assert not end.forfeits
    assert not end.faults
