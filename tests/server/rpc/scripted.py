"""Raw bots that play by a script, to the end of a match."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import TypeAlias

from kitumaija.engine import Action
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import legal_from_message
from tests.support.raw_bot import RawBot

Choose: TypeAlias = Callable[[arena_pb2.Decision], Action]
"""A script: what it answers depends on nothing but the decision."""


def first_legal(decision: arena_pb2.Decision) -> Action:
    """Play the first legal action."""
    return legal_from_message(decision.legal)[0]


def looks_random(decision: arena_pb2.Decision) -> Action:
    """Play something legal that looks random, and is the same for the same question."""
    legal = legal_from_message(decision.legal)
    seed = f"{decision.view.seat} {decision.decision_id} {list(decision.view.hand)}"
    return random.Random(seed).choice(legal)


async def get_ready(match_id: str, *bots: RawBot) -> None:
    """Have all bots say that they are ready, and read what seats them."""
    for bot in bots:
        await bot.until("match_start")
        await bot.ready(match_id)
    for bot in bots:
        await bot.until("seating")


async def play_out(*bots: RawBot, choose: Choose = first_legal) -> list[arena_pb2.MatchEnd]:
    """Have all bots play until the match is over; return what each was told of its end."""
    return list(await asyncio.gather(*(_play(bot, choose) for bot in bots)))


async def _play(bot: RawBot, choose: Choose) -> arena_pb2.MatchEnd:
    while True:
        message = await bot.next()
        kind = message.WhichOneof("message")
        if kind == "decision":
            await bot.answer(message.decision, choose(message.decision))
        elif kind == "match_end":
            end: arena_pb2.MatchEnd = message.match_end
            return end
