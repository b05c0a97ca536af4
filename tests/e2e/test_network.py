"""A real server and real clients, and between them a network that loses, holds up and cuts."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kitumaija.engine import GameOptions
from kitumaija.sdk import Action, Bot, Turn
from kitumaija.server.lobby.hall import MatchOver
from kitumaija.server.match import MatchPlayed
from kitumaija.wire.times import Limits
from tests.server.rpc.scripted import get_ready
from tests.support.network import Network, networked
from tests.support.proxy import Way
from tests.support.raw_bot import RawBot

SHORT = GameOptions(turns_per_player=3)
# What HTTP/2 says by itself between two messages is smaller than any answer.
ANSWER_BYTES = 25


@pytest.fixture
async def network(tmp_path: Path) -> AsyncIterator[Network]:
    async with networked(tmp_path / "data") as made:
        yield made


class Plain(Bot):
    """Plays the first legal action, on the event loop."""

    async def choose(self, turn: Turn) -> Action:
        return turn.legal[0]


def played_without_a_fault(over: MatchOver) -> bool:
    result = over.result
    return isinstance(result, MatchPlayed) and not any(result.faults) and not result.forfeits


async def test_an_answer_that_the_network_lost_is_sent_again_when_the_link_is_back(
    network: Network,
) -> None:
    asked: list[int] = []

    class Unlucky(Plain):
        async def choose(self, turn: Turn) -> Action:
            asked.append(turn.decision_id)
            if len(asked) == 3:
                network.proxy.black_hole(Way.UP)
            return turn.legal[0]

    network.play("ann", Unlucky)
    network.play("bob", Plain, address=network.arena.app.address)
    network.arena.open_match("ann", "bob", options=SHORT)
    await network.proxy.until(lambda counts: counts.bytes_lost >= ANSWER_BYTES)
    network.arena.advance(300)
    network.proxy.heal()

    assert played_without_a_fault(await network.arena.over())
    assert asked == list(range(1, len(asked) + 1))
    assert network.proxy.counts.opened == 2


async def test_an_answer_that_the_network_held_up_counts_once_and_needs_no_new_stream(
    network: Network,
) -> None:
    asked: list[int] = []

    class Unlucky(Plain):
        async def choose(self, turn: Turn) -> Action:
            asked.append(turn.decision_id)
            if len(asked) == 3:
                network.proxy.hold(Way.UP)
            return turn.legal[0]

    network.play("ann", Unlucky)
    network.play("bob", Plain, address=network.arena.app.address)
    network.arena.open_match("ann", "bob", options=SHORT)
    await network.proxy.until(lambda counts: counts.bytes_held >= ANSWER_BYTES)
    network.arena.advance(300)
    network.proxy.heal()

    assert played_without_a_fault(await network.arena.over())
    assert network.proxy.counts.opened == 1


async def test_sixty_four_matches_at_once_are_resumed_on_one_new_stream_and_cost_nobody_anything(
    network: Network,
) -> None:
    asked: Counter[tuple[str, int, int]] = Counter()

    class Counts(Plain):
        async def choose(self, turn: Turn) -> Action:
            asked[turn.match.match_id, turn.match.seat, turn.decision_id] += 1
            if len(asked) in {100, 250}:
                network.proxy.cut()
            return turn.legal[0]

    for bot_id in ("ann", "bob"):
        network.play(bot_id, Counts, capacity=64)
    for _ in range(64):
        network.arena.open_match("ann", "bob", options=SHORT)
    over = [await network.arena.over() for _ in range(64)]

    assert all(played_without_a_fault(each) for each in over)
    assert network.proxy.counts.opened == 6
    assert set(asked.values()) == {1}


async def test_a_hundred_reconnects_within_one_decision_gain_no_time(network: Network) -> None:
    arena = network.arena
    bob = await arena.connect("bob")
    token = arena.register("ann")
    ann = RawBot(network.proxy.address, token)
    await ann.hello()
    limits = Limits(per_decision=Limits().per_decision * 60)
    setup = arena.open_match("ann", "bob", limits=limits)
    await get_ready(setup.match_id, ann, bob)
    left = [(await ann.decision()).time_left_us]
    await ann.heard()
    for _ in range(100):
        network.proxy.cut()
        await ann.close()
        assert await arena.left() == ("ann", False)
        arena.advance(100)
        ann = RawBot(network.proxy.address, token)
        await ann.hello()
        left.append((await ann.decision()).time_left_us)
    await ann.close()

    assert left == [left[0] - 100_000 * times for times in range(101)]


async def test_a_crowd_that_comes_at_once_and_vanishes_without_a_word_is_noticed_and_may_come_again(
    network: Network,
) -> None:
    arena = network.arena
    names = [f"bot-{number}" for number in range(300)]
    crowd = [RawBot(network.proxy.address, arena.register(name)) for name in names]
    welcomes = await asyncio.gather(*(bot.hello() for bot in crowd))
    assert sorted(welcome.bot_id for welcome in welcomes) == sorted(names)

    network.proxy.black_hole()
    for bot in crowd:
        bot.call.cancel()
    await network.proxy.until(lambda counts: counts.losses >= len(names))
    assert arena.app.presence.connected("bot-0")
    arena.advance(12_001)
    assert {await arena.left() for _ in names} == {(name, False) for name in names}

    again = [arena.dial(name) for name in names[:10]]
    assert len(await asyncio.gather(*(bot.hello() for bot in again))) == 10
    await asyncio.gather(*(bot.close() for bot in crowd))
