"""Ends that a bot missed: it names the matches that it still plays, and hears how they ended."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from kitumaija.sdk import Action, Result, Turn
from kitumaija.sdk.client import Address, Client, Settings
from kitumaija.sdk.clocks import real_clock
from kitumaija.server.match.values import Fault
from kitumaija.v1 import arena_pb2, replay_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.record import fault_to_message, record_from_message
from tests.support.bots import First
from tests.support.client import SECRET, Never
from tests.support.organizer import Organizer, organized
from tests.support.proxy import FaultyProxy
from tests.support.raw_bot import PATIENCE, RawBot

ONE_FAULT = v1.FaultPolicy(faults_to_forfeit=1)
DECISION_LOST = timedelta(seconds=12)


async def lost_match(organizer: Organizer) -> str:
    """Have a bot lose its stream at its first decision in a match, which then ends by that."""
    await organizer.register("vic", "ann")
    await organizer.create(faults=ONE_FAULT, max_running_matches=1)
    await organizer.connect("ann")
    bot = RawBot(organizer.app.address, organizer.tokens["vic"])
    await bot.hello(capacity=1, bot_version="1")
    await organizer.enter("vic", "ann")
    await organizer.close()
    await organizer.start()
    match_id = (await bot.until("match_start")).match_start.match_id
    await bot.ready(match_id)
    await bot.decision()
    bell = organizer.director.bell("cup")
    await bot.close()
    while organizer.app.hall.presence.connected("vic"):
        await bell.next().wait()
    organizer.advance(DECISION_LOST)
    await organizer.until(lambda now: now.matches.finished == 1)
    return match_id


async def back(organizer: Organizer, *match_ids: str) -> tuple[RawBot, arena_pb2.Welcome]:
    """Come back as a bot that still plays these matches, as far as it knows."""
    bot = RawBot(organizer.app.address, organizer.tokens["vic"])
    welcome = await bot.hello(capacity=1, bot_version="1", match_ids=match_ids)
    return bot, welcome


async def test_a_bot_that_was_away_at_the_end_hears_it_when_it_is_back(
    organizer: Organizer,
) -> None:
    match_id = await lost_match(organizer)
    bot, welcome = await back(organizer, match_id)
    assert match_id in welcome.match_ids
    end = (await bot.until("match_end")).match_end
    assert end.match_id == match_id
    assert end.ending == arena_pb2.MATCH_ENDING_FORFEITS
    disconnected = fault_to_message(Fault.DISCONNECTED)
    # After all the decisions that there were: its own first was never made.
    record = await organizer.call(
        organizer.replays.GetRecord, replay_pb2.GetRecordRequest(match_id=match_id)
    )
    made = len(record_from_message(record.record).game.decisions)
    assert [(each.fault, each.at) for each in end.forfeits] == [(disconnected, made)]
    assert [list(each.faults) for each in end.faults] == [[disconnected]]
    assert sorted(end.places) == [1, 2]
    assert len(end.hands) == 2
    assert end.first_event == 0
    assert end.events
    assert end.deal_seed
    await bot.close()


async def test_it_hears_it_again_on_every_stream_until_it_has_heard_it(
    organizer: Organizer,
) -> None:
    match_id = await lost_match(organizer)
    for _ in range(2):
        bot, _ = await back(organizer, match_id)
        assert (await bot.until("match_end")).match_end.match_id == match_id
        await bot.close()


async def test_it_hears_it_after_a_restart_of_the_server_too(tmp_path: Path) -> None:
    async with organized(tmp_path / "data") as organizer:
        match_id = await lost_match(organizer)
        tokens = organizer.tokens
    async with organized(tmp_path / "data", seed="another start") as organizer:
        organizer.tokens = tokens
        bot, _ = await back(organizer, match_id)
        assert (await bot.until("match_end")).match_end.match_id == match_id
        await bot.close()


async def test_of_a_match_that_was_never_its_own_a_bot_hears_nothing_but_that(
    organizer: Organizer,
) -> None:
    match_id = await lost_match(organizer)
    await organizer.register("spy")
    spy = RawBot(organizer.app.address, organizer.tokens["spy"])
    await spy.hello(match_ids=[match_id, "nowhere"])
    for named in (match_id, "nowhere"):
        end = (await spy.until("match_end")).match_end
        assert end.match_id == named
        assert end.ending == arena_pb2.MATCH_ENDING_VOID
        assert end.void_reason == "This server knows no such match of this bot."
        assert not end.hands
        assert not end.deal_seed
    await spy.close()


@pytest.mark.parametrize("named", [["m"] * 257, ["x" * 65]])
async def test_more_than_may_be_named_breaks_the_protocol(
    organizer: Organizer, named: list[str]
) -> None:
    await organizer.register("vic")
    bot = RawBot(organizer.app.address, organizer.tokens["vic"])
    await bot.say(arena_pb2.BotMessage(hello=arena_pb2.Hello(match_ids=named)))
    assert (await bot.end())[1] == "PROTOCOL_VIOLATION"
    await bot.close()


async def test_a_bot_of_the_sdk_is_told_the_end_of_a_match_that_it_lost_its_line_in(
    organizer: Organizer,
) -> None:
    """A real client, a real cut, the very end that it missed."""
    made: list[First] = []
    asked, go_on, heard = asyncio.Event(), asyncio.Event(), asyncio.Event()

    class Vic(First):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

        async def choose(self, turn: Turn) -> Action:  # type: ignore[override]
            asked.set()
            await go_on.wait()
            return turn.legal[0]

        async def on_end(self, result: Result) -> None:  # type: ignore[override]
            self.results.append(result)
            heard.set()

    await organizer.register("vic", "ann")
    await organizer.create(faults=ONE_FAULT, max_running_matches=1)
    await organizer.connect("ann")
    host, port = organizer.app.address.rsplit(":", 1)
    async with FaultyProxy(host, int(port), chance=Random(0)) as proxy:
        settings = Settings(Address.parse(proxy.address), token=organizer.tokens["vic"])
        client = Client(Vic, settings, clock=real_clock, random=Never(), secret=SECRET)
        running = asyncio.create_task(client.run())
        try:
            bell = organizer.director.bell("cup")
            presence = organizer.app.hall.presence
            while not presence.connected("vic"):
                await bell.next().wait()
            await organizer.enter("vic", "ann")
            await organizer.close()
            await organizer.start()
            async with asyncio.timeout(PATIENCE):
                await asked.wait()
                proxy.refuse()
                proxy.cut()
                while presence.connected("vic"):
                    await bell.next().wait()
                organizer.advance(DECISION_LOST)
                await organizer.until(lambda now: now.matches.finished == 1)
                first = made[0]
                assert not first.results
                proxy.heal()
                await heard.wait()
            (result,) = first.results
            assert result.match.match_id == (await organizer.matches())[0].match_id
        finally:
            go_on.set()
            client.stop()
            await asyncio.gather(running, return_exceptions=True)
