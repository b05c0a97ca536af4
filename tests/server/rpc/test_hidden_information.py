"""What a seat is sent is the same, byte for byte, in worlds that are the same to it.

Two servers run side by side with the same tokens, ids and clock. They play games that differ in
everything that one seat, the watcher, may not know; every message that its stream carries is
compared.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import pytest

from kitumaija.engine import (
    DECK,
    Action,
    GameOptions,
    HandSizes,
    Phase,
    PickUp,
    PlayCard,
    Seat,
    default_action,
    legal_actions,
)
from kitumaija.server.match import FaultPolicy, MatchPlayed, MatchSetup
from kitumaija.server.match.state import Pending
from kitumaija.server.match.trail import Trail
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import cards_from_message, legal_from_message, view_from_message
from tests.support.arena import Arena, running_arena
from tests.support.raw_bot import RawBot, answer
from tests.support.worlds import Pair, World, an_action, pair, worlds_in

PAIRS_OF_A_PHASE = 4
HAND_SIZES = tuple(HandSizes)


def options(hand_sizes: HandSizes) -> GameOptions:
    """Positions before the present one differ between the worlds, so none may be compared (G4)."""
    return GameOptions(pickup=PickUp.ALWAYS, hand_sizes=hand_sizes, repetition=0)


@dataclass
class Side:
    """One of the two servers, with a bot in every seat."""

    arena: Arena
    bots: list[RawBot]

    def names(self) -> list[str]:
        return [f"bot-{seat}" for seat in range(len(self.bots))]

    async def seat(self, options: GameOptions) -> MatchSetup:
        """Begin a match of all bots; what the first decision asks has been read."""
        setup = self.arena.open_match(*self.names(), options=options)
        for bot in self.bots:
            await bot.until("match_start")
            await bot.ready(setup.match_id)
        for bot in self.bots:
            await bot.until("seating")
        await self.settle()
        return setup

    async def settle(self) -> None:
        """Read everything that is on its way to anybody."""
        for bot in self.bots:
            await bot.heard()

    def put(self, setup: MatchSetup, world: World) -> None:
        """Put another game in the place of the one that is played."""
        match = self.arena.hall.match("bot-0", setup.match_id)
        assert match is not None
        game = world.state
        pending = Pending(game.mover, 1, legal_actions(game), started=self.arena.clock.now())
        match.state = match.state._replace(game=game, events=Trail(world.events), pending=pending)

    async def end(self, setup: MatchSetup) -> None:
        """Make the match void and wait until everybody knows."""
        self.arena.hall.void(setup.match_id, "The lights went out.")
        for bot in self.bots:
            await bot.until("match_end")


Sides: TypeAlias = Callable[[int], Awaitable[tuple[Side, Side]]]


@pytest.fixture
async def sides(tmp_path: Path) -> AsyncIterator[Sides]:
    """Make two servers that cannot be told apart, with bots connected."""
    async with AsyncExitStack() as stack:

        async def make(seats: int) -> tuple[Side, Side]:
            both = []
            for name in ("here", "there"):
                arena = await stack.enter_async_context(running_arena(tmp_path / name))
                bots = [await arena.connect(f"bot-{seat}") for seat in range(seats)]
                both.append(Side(arena, bots))
            return both[0], both[1]

        yield make


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("seats", range(2, 11))
async def test_no_byte_of_the_stream_depends_on_what_a_seat_may_not_know(
    sides: Sides, seats: int, phase: Phase
) -> None:
    here, there = await sides(seats)
    compared = 0
    kinds: set[str | None] = set()
    for number, two in enumerate(islice(pairs(seats, phase), PAIRS_OF_A_PHASE)):
        rules = options(HAND_SIZES[number % len(HAND_SIZES)])
        sent = [
            await what_the_watcher_gets(side, rules, two, world)
            for side, world in ((here, two.here), (there, two.there))
        ]

        assert sent[0] == sent[1], f"seat {two.watcher} was told more than it may know"
        compared += 1
        kinds |= {kind_of(message) for message in sent[0]}

    assert compared == PAIRS_OF_A_PHASE
    assert kinds >= {"match_start", "seating", "refusal", "accepted", "decision", "match_sync"}
    assert "match_end" in kinds


def pairs(seats: int, phase: Phase) -> Iterator[Pair]:
    """Yield pairs of worlds; the watcher is the mover, the next seat, and so on in turn."""
    rng = random.Random(f"{seats} {phase.value}")
    found = 0
    for number, world in enumerate(worlds_in(phase, seats, options(HAND_SIZES[0]))):
        action = an_action(world, rng)
        if action is None:
            continue
        watcher = Seat((world.state.mover + found) % seats)
        two = pair(world, watcher, action, f"{seats} {phase.value} {number}")
        if two is not None:
            yield two
            found += 1


async def what_the_watcher_gets(
    side: Side, rules: GameOptions, two: Pair, world: World
) -> list[bytes]:
    """Play through everything that may happen at a decision; return what the watcher was sent."""
    watcher = side.bots[two.watcher]
    before = len(watcher.everything)
    setup = await side.seat(rules)
    side.put(setup, World(replace(world.state, options=rules), world.events))
    resync = arena_pb2.BotMessage(resync=arena_pb2.Resync(match_id=setup.match_id))
    mover = side.bots[world.state.mover]

    await watcher.say(resync)
    await watcher.say(said(setup, 1, unheld(two)))
    await watcher.say(said(setup, 99, two.action))
    await watcher.say(said(setup, 1, None))
    await watcher.heard()
    await mover.say(said(setup, 1, two.action))
    # What the action shows to anybody leaves together, once it is committed.
    await mover.until("accepted")
    await side.settle()
    await watcher.say(resync)
    again_or_unasked = 1 if mover is watcher else 98
    await watcher.say(said(setup, again_or_unasked, two.action))
    await side.settle()

    await watcher.close()
    await side.arena.left()
    again = await side.arena.connect(f"bot-{two.watcher}")
    await again.heard()
    side.bots[two.watcher] = again
    await side.end(setup)
    return [*watcher.everything[before:], *again.everything]


def said(setup: MatchSetup, decision_id: int, action: Action | None) -> arena_pb2.BotMessage:
    """Return an answer; None is one without an action."""
    return answer(arena_pb2.Decision(match_id=setup.match_id, decision_id=decision_id), action)


def unheld(two: Pair) -> Action:
    """Return the playing of a card that the watcher does not hold."""
    hand = two.here.state.hand(two.watcher)
    return next(PlayCard(card) for card in DECK if card not in hand)


def kind_of(message: bytes) -> str | None:
    return arena_pb2.ServerMessage.FromString(message).WhichOneof("message")


# What becomes of other bots


Play: TypeAlias = Callable[[RawBot, arena_pb2.Decision], Awaitable[None]]
"""What a bot does about a decision."""


async def play_the_default(bot: RawBot, decision: arena_pb2.Decision) -> None:
    legal = legal_from_message(decision.legal)
    await bot.answer(decision, default_action(view_from_message(decision.view), legal))


async def play_illegally(bot: RawBot, decision: arena_pb2.Decision) -> None:
    hand = cards_from_message(decision.view.hand)
    await bot.answer(decision, next(PlayCard(card) for card in DECK if card not in hand))


@pytest.mark.parametrize("faults_to_forfeit", [2, 1_000])
@pytest.mark.parametrize("seats", [3, 6, 10])
async def test_faults_and_forfeits_of_another_seat_show_in_nothing_before_the_end(
    sides: Sides, seats: int, faults_to_forfeit: int
) -> None:
    """A bot that plays its defaults, and one for which they are played, look the same."""
    policy = FaultPolicy(illegal_retries=0, faults_to_forfeit=faults_to_forfeit)
    sent = []
    for side, second in zip(await sides(seats), (play_the_default, play_illegally), strict=True):
        setup = side.arena.open_match(*side.names(), policy=policy)
        plays = [play_the_default] * seats
        plays[1] = second
        await asyncio.gather(
            *(play_to_the_end(bot, play) for bot, play in zip(side.bots, plays, strict=True))
        )
        result = (await side.arena.over()).result
        assert isinstance(result, MatchPlayed)
        sent.append(side.bots[0].everything)
        assert bool(result.faults[1]) == (second is play_illegally)
        assert setup.match_id == "m1"

    assert sent[0][:-1] == sent[1][:-1]
    assert kind_of(sent[0][-1]) == kind_of(sent[1][-1]) == "match_end"
    assert sum(kind_of(message) == "decision" for message in sent[0]) > 5


async def play_to_the_end(bot: RawBot, play: Play) -> None:
    while True:
        message = await bot.next()
        kind = message.WhichOneof("message")
        if kind == "match_start":
            await bot.ready(message.match_start.match_id)
        elif kind == "decision":
            await play(bot, message.decision)
        elif kind == "match_end":
            return


async def test_before_all_are_ready_nothing_depends_on_who_plays_and_on_the_cards(
    sides: Sides,
) -> None:
    sent = []
    for side, deal in zip(await sides(4), ("one deal", "another"), strict=True):
        others = [f"bot-{seat}" for seat in (1, 2)] if deal == "another" else ["x", "y"]
        setup = side.arena.open_match(*others, "bot-0", deal=deal, match_id="m")
        bot = side.bots[0]
        await bot.until("match_start")
        await bot.ready(setup.match_id)
        await bot.say(said(setup, 1, PlayCard(DECK[0])))
        for _ in range(7):
            await bot.heard()
            side.arena.advance(5_000)
        await side.arena.over()
        await bot.heard()
        sent.append(bot.everything)

    assert sent[0] == sent[1]
    assert {kind_of(message) for message in sent[0]} == {
        "welcome",
        "match_start",
        "refusal",
        "match_end",
    }
