"""A bot that wants more time than the others have."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

import pytest

from kitumaija.engine import DECK, Action, PlayCard
from kitumaija.server.bench.http2 import FrameType, data_frame, frame
from kitumaija.server.match import Fault, FaultPolicy
from kitumaija.server.match.journal import Decided
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import action_to_message, cards_from_message
from kitumaija.wire.times import Limits
from tests.server.rpc.scripted import first_legal, get_ready
from tests.support.arena import Arena
from tests.support.raw_bot import RawBot, answer
from tests.support.raw_http2 import DeafClient

PER_DECISION, BANK, MARGIN = 1_000, 2_000, 50
LIMITS = Limits(
    per_decision=timedelta(milliseconds=PER_DECISION),
    bank=timedelta(milliseconds=BANK),
    margin=timedelta(milliseconds=MARGIN),
)
IN_ALL = PER_DECISION + BANK + MARGIN


@dataclass
class Table:
    """Eve is asked her first decision; its clock runs."""

    arena: Arena
    match_id: str
    eve: RawBot
    bob: RawBot
    asked: arena_pb2.Decision

    @property
    def unheld(self) -> Action:
        hand = cards_from_message(self.asked.view.hand)
        return next(PlayCard(card) for card in DECK if card not in hand)

    async def come_back(self, *, goodbye: bool = False) -> None:
        if goodbye:
            await self.eve.goodbye()
        await self.eve.close()
        await self.arena.left()
        self.eve = await self.arena.connect("eve")
        await self.eve.heard()


async def seated(arena: Arena, policy: FaultPolicy) -> Table:
    eve, bob = await arena.connect("eve"), await arena.connect("bob")
    setup = arena.open_match("eve", "bob", limits=LIMITS, policy=policy)
    await get_ready(setup.match_id, eve, bob)
    asked = await eve.decision()
    await eve.heard()
    return Table(arena, setup.match_id, eve, bob, asked)


Trick: TypeAlias = Callable[[Table], Awaitable[object]]


async def reconnecting(table: Table) -> None:
    await table.come_back()


async def replacing_its_own_stream(table: Table) -> None:
    older, table.eve = table.eve, await table.arena.connect("eve")
    await older.end()
    await table.eve.heard()


async def asking_for_everything_again(table: Table) -> None:
    again = arena_pb2.Resync(match_id=table.match_id)
    await table.eve.say(arena_pb2.BotMessage(resync=again))
    await table.eve.heard()


async def answering_illegally(table: Table) -> None:
    await table.eve.answer(table.asked, table.unheld)
    await table.eve.heard()


async def answering_something_else(table: Table) -> None:
    for decision_id in (0, 2):
        asked = arena_pb2.Decision(match_id=table.match_id, decision_id=decision_id)
        await table.eve.say(answer(asked, table.unheld))
    await table.eve.heard()


async def saying_ready_again(table: Table) -> None:
    await table.eve.ready(table.match_id)
    await table.eve.heard()


async def pongs_that_nobody_asked_for(table: Table) -> None:
    for nonce in (0, 1, 2, 2**63):
        await table.eve.say(arena_pb2.BotMessage(pong=arena_pb2.Pong(nonce=nonce)))
    await table.eve.heard()


TRICKS: tuple[Trick, ...] = (
    reconnecting,
    replacing_its_own_stream,
    asking_for_everything_again,
    answering_illegally,
    answering_something_else,
    saying_ready_again,
    pongs_that_nobody_asked_for,
)


@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.__name__.replace("_", " "))
async def test_no_trick_stops_the_clock(arena: Arena, trick: Trick) -> None:
    """Five times the trick, and the decision runs out when it would have without."""
    table = await seated(arena, FaultPolicy(illegal_retries=1_000, faults_to_forfeit=0))
    for _ in range(5):
        arena.advance(IN_ALL / 6)
        await trick(table)
    arena.advance(IN_ALL / 6)
    assert decided(table) == [], "the last instant is not over yet"
    arena.advance(22)
    await table.bob.heard()
    [first, *_] = decided(table)
    assert first.fault in {Fault.DECISION_TIMEOUT, Fault.DISCONNECTED}
    assert first.timing.used_us == IN_ALL * 1_000


def decided(table: Table) -> list[Decided]:
    entries = table.arena.entries(table.match_id)
    return [entry for entry in entries if isinstance(entry, Decided)]


async def test_goodbye_and_back_again_is_no_pause(arena: Arena) -> None:
    table = await seated(arena, FaultPolicy())
    await table.come_back(goodbye=True)
    [first, *_] = decided(table)
    assert first.fault is Fault.DISCONNECTED


@pytest.mark.parametrize("says", [0, 1, 10**9, 2**62, -(2**62)])
async def test_what_a_bot_says_of_its_thinking_changes_no_clock(arena: Arena, says: int) -> None:
    table = await seated(arena, FaultPolicy())
    arena.advance(1_500)
    said = answer(table.asked, first_legal(table.asked))
    said.answer.think_time_us = says
    await table.eve.say(said)
    await table.eve.until("accepted")
    [first] = decided(table)
    assert first.timing.used_us == 1_500_000
    assert first.bank_left_us == (BANK - (1_500 - PER_DECISION - MARGIN)) * 1_000


async def test_a_slow_pong_buys_nothing(arena: Arena) -> None:
    """A round trip that is made to look long is told to the bot, and taken off nothing."""
    eve = arena.dial("eve", answer_pings=False)
    await eve.hello()
    bob = await arena.connect("bob")
    arena.advance(1_001)
    ping = None
    while ping is None:
        frame_ = await eve.frame()
        ping = next((m.ping for m in frame_.messages if m.HasField("ping")), None)
    await eve.heard()
    arena.advance(900)
    await eve.say(arena_pb2.BotMessage(pong=arena_pb2.Pong(nonce=ping.nonce)))
    await eve.heard()
    setup = arena.open_match("eve", "bob", limits=LIMITS)
    await get_ready(setup.match_id, eve, bob)
    asked = await eve.decision()
    await eve.heard()
    assert asked.round_trip_us == 900_000
    assert asked.time_left_us == (PER_DECISION + BANK) * 1_000
    arena.advance(IN_ALL + 22)
    await bob.heard()
    [first, *_] = decided(Table(arena, setup.match_id, eve, bob, asked))
    assert first.fault is Fault.DECISION_TIMEOUT


async def test_half_an_answer_in_time_is_no_answer(arena: Arena) -> None:
    """The stamp is that of the whole frame: a foot in the door keeps it open for nobody."""
    token = arena.register("eve")
    bob = await arena.connect("bob")
    async with DeafClient(arena.app.address) as eve:
        hello = arena_pb2.BotMessage(hello=arena_pb2.Hello())
        await eve.call("/kitumaija.v1.ArenaService/Play", _frame_of(hello), token=token, last=False)
        await _until(lambda: arena.app.presence.connected("eve"))
        setup = arena.open_match("eve", "bob", limits=LIMITS)
        await bob.until("match_start")
        await bob.ready(setup.match_id)
        await eve.say(_frame_of(arena_pb2.BotMessage(ready=arena_pb2.Ready(match_id="m1"))))
        await bob.until("seating")
        match = arena.hall.match("eve", setup.match_id)
        assert match is not None
        await _until(lambda: match.state.pending is not None)
        pending = match.state.pending
        assert pending is not None
        said = arena_pb2.Answer(
            match_id="m1", decision_id=1, action=action_to_message(pending.legal[0])
        )
        whole = data_frame(_frame_of(arena_pb2.BotMessage(answer=said)))[9:]
        arena.advance(100)
        await _until(lambda: (now := match.state.pending) is not None and now.started is not None)
        await eve._send(frame(FrameType.DATA, 0, 1, whole[: len(whole) // 2]))
        await bob.heard()
        arena.advance(IN_ALL)
        arena.advance(22)
        await eve._send(frame(FrameType.DATA, 0, 1, whole[len(whole) // 2 :]))
        await bob.heard()

    assert struct.unpack(">BI", whole[:5]) == (0, len(whole) - 5)
    [first, *_] = decided(Table(arena, setup.match_id, bob, bob, arena_pb2.Decision()))
    assert first.fault in {Fault.DECISION_TIMEOUT, Fault.DISCONNECTED}


def _frame_of(message: arena_pb2.BotMessage) -> arena_pb2.PlayRequest:
    return arena_pb2.PlayRequest(messages=[message])


async def _until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not reached():  # noqa: ASYNC110 - what is waited for rings no bell
            await asyncio.sleep(0)
