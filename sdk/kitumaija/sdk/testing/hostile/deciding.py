"""Animals that keep their stream and decide badly, or not at all."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from typing import Final

from kitumaija.sdk.bot import Bot, Reply
from kitumaija.sdk.clocks import nanoseconds
from kitumaija.sdk.testing.hostile.animal import Animal, answer, first_legal
from kitumaija.sdk.testing.hostile.line import Line
from kitumaija.sdk.turn import Turn
from kitumaija.v1 import arena_pb2, game_pb2

REPEATS: Final = 6
"""How often one answer is repeated: more often than any tournament forgives, and no flood."""

NAP: Final = 0.001
"""How long the slow one sleeps between two looks at the clock, in seconds."""

FIRST: Final = 1
"""The number of the first decision of a seat."""

TOO_LATE: Final = timedelta(milliseconds=20)
"""How much later than at the last instant the slow one answers."""


class Slow(Bot):
    """Thinks until its time is over, in every decision: `decision_timeout`.

    A bot like any other, on the SDK: it plays in local games too, and is late by their clock.
    """

    def choose(self, turn: Turn) -> Reply:
        """Answer when it is too late."""
        enough = nanoseconds(turn.time_left + turn.match.limits.margin + TOO_LATE)
        while turn.clock() - turn.asked_at < enough:
            time.sleep(NAP)
        return turn.legal[0]


class Silent(Animal):
    """Is ready for every match and never answers a decision: `decision_timeout`."""

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Say nothing."""


class NeverReady(Animal):
    """Is connected, and never says Ready: `startup_timeout`."""

    async def offered(self, line: Line, start: arena_pb2.MatchStart) -> None:
        """Say nothing."""


class Illegal(Animal):
    """Answers what no rule allows, and when that is refused, something else: `illegal_action`."""

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Pick up more cards than there are."""
        await line.say(answer(decision, game_pb2.Action(take=99)))

    async def refused(self, line: Line, refusal: arena_pb2.Refusal) -> None:
        """Answer with no action at all, as long as answers are taken."""
        decision = self.asked.get(refusal.match_id)
        if decision is not None and refusal.HasField("legal"):
            await line.say(answer(decision, game_pb2.Action()))


class Repeating(Animal):
    """Says one illegal answer again and again, whatever is said to it: `illegal_action`."""

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Say it, and do not wait for what comes of it."""
        illegal = answer(decision, game_pb2.Action(take=99))
        await line.say(*[illegal] * REPEATS)


class Stale(Animal):
    """Answers the first decision of a match, and then that one for ever: `decision_timeout`."""

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Answer what was asked first."""
        said = answer(decision, first_legal(decision))
        said.answer.decision_id = FIRST
        await line.say(said)


class Stuttering(Animal):
    """Says each of its answers several times, which is allowed and counts once: no fault."""

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Answer, and answer again."""
        said = answer(decision, first_legal(decision))
        for _ in range(REPEATS):
            await line.say(said)
            await asyncio.sleep(0)
