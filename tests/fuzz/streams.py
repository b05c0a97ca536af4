"""Bots that say on their streams whatever they like, beside a match that is to go on."""

from __future__ import annotations

import asyncio
import tempfile
from collections import deque
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Final

import grpc
import grpc.aio
from structlog.testing import capture_logs

from kitumaija.server.limits import ServerLimits
from kitumaija.server.match import MatchPlayed
from kitumaija.v1 import arena_pb2
from kitumaija.wire.status import ErrorReason
from tests.fuzz.figures import Figures, GoesOn
from tests.fuzz.mutating import fill
from tests.server.rpc.scripted import get_ready, play_out
from tests.support.arena import Arena, running_arena
from tests.support.raw_bot import RawBot

BETWEEN: Final = 10
SAYINGS: Final = 12
WRITTEN_TO_NOBODY: Final = "Internal error from Core"
"""What gRPC's own client says where the stream ended while it wrote."""
MANY: Final = 10**9
LOOSE: Final = ServerLimits(
    calls_per_second=MANY,
    calls_burst=MANY,
    unasked_burst=MANY,
    silence_max=timedelta(days=1),
    replacements_max=MANY,
)
MAY_END_IT: Final = {
    ErrorReason.PROTOCOL_VIOLATION,
    ErrorReason.FLOODING,
    ErrorReason.FRAME_TOO_LARGE,
    ErrorReason.REPLACED,
    ErrorReason.RESOURCE_EXHAUSTED,
}


async def bot_streams(chance: Random, goes_on: GoesOn) -> Figures:
    """One bot after the other says a dozen things, while two honest ones play a match."""
    figures = Figures()
    with tempfile.TemporaryDirectory(prefix="kitumaija-fuzz-") as folder:
        async with running_arena(Path(folder) / "data", limits=LOOSE) as arena:
            alice, bob = await arena.connect("alice"), await arena.connect("bob")
            while goes_on(figures.inputs):
                setup = arena.open_match("alice", "bob")
                await get_ready(setup.match_id, alice, bob)
                with capture_logs() as logs:
                    for _ in range(BETWEEN):
                        await _hostile(figures, chance, arena)
                    await play_out(alice, bob)
                    over = await arena.over()
                for line in logs:
                    if line.get("event") == "fault of the server":
                        figures.broke(line.get("where"), repr(line))
                result = over.result
                if not (isinstance(result, MatchPlayed) and result.faults == ((), ())):
                    figures.broke(setup.match_id, f"the honest bots' match ended as {result}")
    return figures


async def _hostile(figures: Figures, chance: Random, arena: Arena) -> None:
    # It reads while it writes: a write that finds the stream ended waits until all before is read.
    mallory = arena.dial("mallory", answer_pings=False)
    said: deque[arena_pb2.BotMessage] = deque(maxlen=SAYINGS)
    if chance.random() < 0.9:
        await mallory.hello()
    talking = asyncio.ensure_future(_talk(figures, chance, arena, mallory, said))
    await _ends(figures, mallory, said)
    await talking
    with suppress(Exception):
        await mallory.close()


async def _talk(
    figures: Figures,
    chance: Random,
    arena: Arena,
    mallory: RawBot,
    said: deque[arena_pb2.BotMessage],
) -> None:
    """Say a dozen things and Goodbye, or as much as the server hears."""
    with suppress(grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError):
        for _ in range(SAYINGS):
            frame = [_saying(chance, arena) for _ in range(chance.choice((1, 1, 1, 3)))]
            said.extend(frame)
            figures.came_to("said")
            await mallory.say(*frame)
        await mallory.goodbye()


async def _ends(figures: Figures, bot: RawBot, said: deque[arena_pb2.BotMessage]) -> None:
    code, reason, _, text = await bot.end()
    if code is grpc.StatusCode.OK or reason in MAY_END_IT or text == WRITTEN_TO_NOBODY:
        figures.outcomes[reason or text or "OK"] += 1
    else:
        figures.broke(list(said), f"the stream ended with {code} {reason} {text}")


def _saying(chance: Random, arena: Arena) -> arena_pb2.BotMessage:
    """Return a message of any kind, often of a match that there is."""
    message = arena_pb2.BotMessage()
    fill(chance, message)
    which = message.WhichOneof("message")
    if which in {"ready", "answer", "resync"} and chance.random() < 0.7:
        part = getattr(message, which)
        part.match_id = chance.choice(tuple(arena.hall.seated_ids()) or ("m1",))
    return message
