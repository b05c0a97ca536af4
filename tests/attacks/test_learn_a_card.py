"""A bot that wants to know a card: it probes, asks again, comes back, and reads its own match.

Two servers run side by side with the same tokens, ids and clock, and play games that differ in
every card that the bot may not know. Whatever it tries, each byte that it gets must be the same on
both: what cannot tell two worlds apart has told nothing.
"""

from __future__ import annotations

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
    Phase,
    PickUp,
    PlayCard,
    Seat,
    TakeCards,
    TurnCard,
    legal_actions,
)
from kitumaija.server.match import FaultPolicy, MatchSetup
from kitumaija.server.match.state import Pending
from kitumaija.server.match.trail import Trail
from kitumaija.v1 import arena_pb2
from tests.support.arena import Arena, running_arena
from tests.support.raw_bot import RawBot, answer
from tests.support.worlds import Pair, World, an_action, pair, worlds_in

SEATS = 4
PATIENT = FaultPolicy(illegal_retries=1_000, faults_to_forfeit=0)
RULES = GameOptions(pickup=PickUp.ALWAYS, repetition=0)


@dataclass
class Table:
    """One of the two servers. `eve` sits in one seat; the others belong to nobody in particular."""

    arena: Arena
    bots: list[RawBot]
    setup: MatchSetup
    watcher: Seat

    @property
    def eve(self) -> RawBot:
        return self.bots[self.watcher]

    def put(self, world: World) -> None:
        """Have this game played instead."""
        match = self.arena.hall.match("bot-0", self.setup.match_id)
        assert match is not None
        game = replace(world.state, options=RULES)
        pending = Pending(game.mover, 1, legal_actions(game), started=self.arena.clock.now())
        match.state = match.state._replace(game=game, events=Trail(world.events), pending=pending)

    def say(self, decision_id: int, action: Action | None) -> Awaitable[None]:
        """Have eve answer a decision, asked or not."""
        asked = arena_pb2.Decision(match_id=self.setup.match_id, decision_id=decision_id)
        return self.eve.say(answer(asked, action))


Attack: TypeAlias = Callable[[Table], Awaitable[None]]


async def every_card_that_is_not_legal(table: Table) -> None:
    """A refusal must not depend on where the card is that was named."""
    match = table.arena.hall.match("bot-0", table.setup.match_id)
    assert match is not None
    pending = match.state.pending
    assert pending is not None
    everything: list[Action] = [
        *map(PlayCard, DECK),
        TurnCard(),
        TakeCards(0),
        TakeCards(3),
        TakeCards(52),
    ]
    for action in everything:
        if pending.seat != table.watcher or action not in pending.legal:
            await table.say(1, action)


async def every_card_for_every_decision_but_the_one_that_is_open(table: Table) -> None:
    for decision_id in (0, 2, 3, 2**31 - 1):
        for card in DECK:
            await table.say(decision_id, PlayCard(card))


async def answers_that_say_nothing(table: Table) -> None:
    match_id = table.setup.match_id
    for action in (b"", b"\x08\x34", b"\x08\x63", b"\x08\x34\x10\x01", b"\xa2\x06\x01x"):
        said = arena_pb2.Answer(match_id=match_id, decision_id=1)
        said.action.MergeFromString(action)
        await table.eve.say(arena_pb2.BotMessage(answer=said))


async def asking_for_everything_again(table: Table) -> None:
    again = arena_pb2.BotMessage(resync=arena_pb2.Resync(match_id=table.setup.match_id))
    for _ in range(3):
        await table.eve.say(again)


async def coming_back_with_and_without_naming_the_match(table: Table) -> None:
    name = f"bot-{table.watcher}"
    everything: list[bytes] = []
    for match_ids in ((), (table.setup.match_id,), (table.setup.match_id, "m0", "m2")):
        everything += table.eve.everything
        await table.eve.close()
        await table.arena.left()
        table.bots[table.watcher] = await table.arena.connect(name, match_ids=match_ids)
        await table.eve.heard()
    table.eve.everything[:0] = everything


ATTACKS: tuple[Attack, ...] = (
    every_card_that_is_not_legal,
    every_card_for_every_decision_but_the_one_that_is_open,
    answers_that_say_nothing,
    asking_for_everything_again,
    coming_back_with_and_without_naming_the_match,
)

Tables: TypeAlias = Callable[[Seat], Awaitable[tuple[Table, Table]]]


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    """Make two servers that cannot be told apart, with a match begun on each."""
    async with AsyncExitStack() as stack:

        async def make(watcher: Seat) -> tuple[Table, Table]:
            found = []
            for name in ("here", "there"):
                arena = await stack.enter_async_context(
                    running_arena(tmp_path / f"{watcher}" / name)
                )
                bots = [await arena.connect(f"bot-{seat}") for seat in range(SEATS)]
                names = [f"bot-{seat}" for seat in range(SEATS)]
                setup = arena.open_match(*names, options=RULES, policy=PATIENT)
                for bot in bots:
                    await bot.until("match_start")
                    await bot.ready(setup.match_id)
                for bot in bots:
                    await bot.until("seating")
                for bot in bots:
                    await bot.heard()
                found.append(Table(arena, bots, setup, watcher))
            return found[0], found[1]

        yield make


def pairs(phase: Phase, *, moves: bool) -> Iterator[Pair]:
    """Yield pairs of worlds that are equal to the mover, or to the seat behind it."""
    rng = random.Random(phase.value)
    for number, world in enumerate(worlds_in(phase, SEATS, RULES)):
        action = an_action(world, rng)
        if action is not None:
            watcher = Seat((world.state.mover + (not moves)) % SEATS)
            two = pair(world, watcher, action, f"attack {phase.value} {number}")
            if two is not None:
                yield two


@pytest.mark.parametrize("moves", [True, False], ids=["its own turn", "another's turn"])
@pytest.mark.parametrize("phase", Phase)
async def test_nothing_that_a_bot_can_say_tells_two_worlds_apart(
    tables: Tables, phase: Phase, moves: bool
) -> None:
    [two] = islice(pairs(phase, moves=moves), 1)
    sent = []
    for table, world in zip(await tables(two.watcher), (two.here, two.there), strict=True):
        table.eve.everything.clear()
        table.put(world)
        for attack in ATTACKS:
            await attack(table)
            await table.eve.heard()
        sent.append(table.eve.everything)
        state = table.arena.hall.match("bot-0", table.setup.match_id)
        assert state is not None
        assert len(state.state.decisions) == 0, "an attack is no move"

    assert two.here.state != two.there.state
    assert sent[0] == sent[1]
    assert len(sent[0]) > 4 * len(DECK)
