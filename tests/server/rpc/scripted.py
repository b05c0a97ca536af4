"""Raw bots that play a match to its end, each doing the first thing that is legal."""

from __future__ import annotations

import asyncio

from kitumaija.engine import Action
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import legal_from_message
from tests.support.raw_bot import RawBot


def first_legal(decision: arena_pb2.Decision) -> Action:
    """Play the first legal action."""
    return legal_from_message(decision.legal)[0]


async def get_ready(match_id: str, *bots: RawBot) -> None:
    """Have all bots say that they are ready, and read what seats them."""
    for bot in bots:
        await bot.until("match_start")
        await bot.ready(match_id)
    for bot in bots:
        await bot.until("seating")


async def play_out(*bots: RawBot) -> list[arena_pb2.MatchEnd]:
    """Have all bots play what is legal first, to the end; return what each was told of it."""
    return list(await asyncio.gather(*(_play(bot) for bot in bots)))


async def _play(bot: RawBot) -> arena_pb2.MatchEnd:
    while True:
        message = await bot.next()
        kind = message.WhichOneof("message")
        if kind == "decision":
            await bot.answer(message.decision, first_legal(message.decision))
        elif kind == "match_end":
            end: arena_pb2.MatchEnd = message.match_end
            return end
