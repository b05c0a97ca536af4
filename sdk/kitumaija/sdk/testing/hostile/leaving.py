"""Animals that go away, come back, or are two."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Final

from kitumaija.sdk.client.endings import Ended
from kitumaija.sdk.client.settings import Settings
from kitumaija.sdk.errors import BotError
from kitumaija.sdk.testing.hostile.animal import Animal, BreaksOff, LeavesForGood
from kitumaija.sdk.testing.hostile.line import Line
from kitumaija.v1 import arena_pb2
from kitumaija.wire.status import ErrorReason

MOMENT: Final = 0.1
"""How long the server is given to see that the old stream is gone, in seconds."""

TOO_LATE: Final = timedelta(seconds=1)
"""How much longer than its time the wandering one stays away."""

ANSWERS_A_STREAM: Final = 20
"""After how many answers the reconnecting one breaks its stream off again."""


class Crashing(Animal):
    """Dies at its first decision, without a word, and stays dead: `disconnected`."""

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Die. Raises `BotError`, which ends the process with exit code 1."""
        raise BotError("hostile:crashing", "dies in the middle of a decision, as it is meant to")


class Leaving(Animal):
    """Says Goodbye at its first decision, and is not seen again: `disconnected`."""

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Leave politely, and wait for the server's end of the stream."""
        await line.say(arena_pb2.BotMessage(goodbye=arena_pb2.Goodbye(reason="no time")))
        async for _ in line.heard():
            pass
        raise LeavesForGood


class Wandering(Animal):
    """Is away while a decision runs out, and then plays on fairly: `disconnected`.

    It takes one match at a time, so that this is the only decision that it misses. Where the match
    is over before it is back, it tries again in another.
    """

    def __init__(self, settings: Settings, *, random: Random, secret: bytes) -> None:
        super().__init__(replace(settings, capacity=1), random=random, secret=secret)
        self._left = arena_pb2.Decision()
        self._missed = False

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Break off until a decision has been missed, and answer from then on."""
        self._missed = self._missed or (
            decision.match_id == self._left.match_id
            and decision.decision_id > self._left.decision_id
        )
        if not self._missed:
            self._left = decision
            raise BreaksOff(decision.time_left_us / 1e6 + TOO_LATE.total_seconds())
        await super().decide(line, decision)


class Reconnecting(Animal):
    """Breaks its stream off in the middle of decisions, and is back at once: no fault."""

    def __init__(self, settings: Settings, *, random: Random, secret: bytes) -> None:
        super().__init__(settings, random=random, secret=secret)
        self._answers = 0

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Answer, or break off to be asked again."""
        self._answers += 1
        if self._answers % ANSWERS_A_STREAM == 0:
            raise BreaksOff(MOMENT)
        await super().decide(line, decision)


class Double(Animal):
    """Runs twice, and each copy dials again when the other takes over: no fault.

    When the server locks the token for that, the copy that is shut out gives up, and the other one
    plays.
    """

    async def live(self) -> None:
        """Be two. What ends the one for good ends both."""
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(super().live())
                both.create_task(super().live())
        except ExceptionGroup as ended:
            raise ended.exceptions[0] from None

    async def after(self, ended: Ended, reason: ErrorReason | None) -> None:
        """Come back when replaced, against the rule; give up when locked out."""
        if reason is ErrorReason.TOO_MANY_REPLACEMENTS:
            raise LeavesForGood
        if reason is not ErrorReason.REPLACED:
            await super().after(ended, reason)


class Lying(Animal):
    """Comes back as another version in the middle of a tournament: `disconnected`.

    The server does not let it in again before the tournament is over, unless its settings allow
    for it: then it plays on, and has no fault.
    """

    def __init__(self, settings: Settings, *, random: Random, secret: bytes) -> None:
        super().__init__(settings, random=random, secret=secret)
        self._lies = False

    async def decide(self, line: Line, decision: arena_pb2.Decision) -> None:
        """Break off at the first decision, to come back as another; play on if that is allowed."""
        if not self._lies:
            self._lies = True
            raise BreaksOff(MOMENT)
        await super().decide(line, decision)

    def hello(self) -> arena_pb2.BotMessage:
        """Return a Hello, of a version that was never entered once it lies."""
        said = super().hello()
        if self._lies:
            said.hello.bot_version = "another"
        return said
