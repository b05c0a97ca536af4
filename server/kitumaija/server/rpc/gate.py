"""The gate before the bots: no more decisions are out than the server can take answers to at once.

A bot's clock runs from the moment a decision is written to the moment its answer is read. If a
thousand bots were asked at once and answered at once, the last answer would be read after all the
others, and its bot charged for the wait. So a decision is kept back until there is room: before its
clock starts, at nobody's cost but the server's own.

The room is counted in answers that may still come soon. A decision takes a place when it is let
out and gives it back with its answer, or after a while: a bot that thinks keeps nobody waiting. How
many places there are follows from how long the event loop takes for one round (additive increase,
multiplicative decrease: Chiu and Jain, 1989). An idle server lets everything out at once.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

PLACES_AT_FIRST: Final = 16
PLACES_MIN: Final = 2
PLACES_MAX: Final = 4_096

LONG_ROUND: Final = 0.005
"""A round of the loop, in seconds, beyond which there are too many places."""

SOON: Final = 0.025
"""How long, in seconds, a decision keeps its place without an answer."""

_FEWER: Final = 0.8


@dataclass(slots=True, eq=False)
class Outing:
    """Decisions that were let out together, and how many of them still hold a place."""

    at: float
    places: int


class Gate:
    """Lets decisions out, to the streams in the order in which they came.

    `time` gives seconds, as the event loop's does: what is measured here is the loop itself, and no
    verdict depends on it.
    """

    def __init__(self, time: Callable[[], float] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._time = time or self._loop.time
        self._room = float(PLACES_AT_FIRST)
        self._taken = 0
        self._outings: deque[Outing] = deque()
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._round_began = 0.0
        self._watching = False
        self._timer: asyncio.TimerHandle | None = None

    @property
    def places(self) -> int:
        """How many places there are."""
        return int(self._room)

    @property
    def waiting(self) -> int:
        """How many streams wait to be let through."""
        return len(self._waiting)

    async def turn(self) -> None:
        """Wait until there is a place, and for those who waited before; take it.

        The place is used, or given back, by the call of `let_out` that has to follow.
        """
        if not self.waits:
            self._taken += 1
            return
        turn = self._loop.create_future()
        self._waiting.append(turn)
        self._look_later()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                with suppress(ValueError):  # An answer that came since has taken it out already.
                    self._waiting.remove(turn)
            else:
                self._taken -= 1
                self._admit()
            raise

    @property
    def waits(self) -> bool:
        """Whether there is no place now for a stream that comes."""
        return bool(self._waiting) or self._taken >= self.places

    @property
    def room(self) -> int:
        """How many decisions whoever has the turn may let out together: one at least."""
        return 1 + max(0, self.places - self._taken)

    def let_out(self, decisions: int) -> Outing:
        """Note that so many decisions, `room` at most, leave together; it ends a turn."""
        outing = Outing(self._time(), decisions)
        self._taken += decisions - 1
        if decisions:
            self._outings.append(outing)
            self._watch()
        else:
            self._admit()
        if self._waiting:
            self._look_later()
        return outing

    def answered(self, outing: Outing) -> None:
        """Note that one of the decisions that left together has its answer."""
        if outing.places:
            outing.places -= 1
            self._taken -= 1
            self._admit()

    # Within

    def _admit(self) -> None:
        """Let those through for whom there is a place."""
        while self._waiting and self._taken < self.places:
            turn = self._waiting.popleft()
            if not turn.done():
                self._taken += 1
                turn.set_result(None)

    def _expire(self) -> None:
        """Take back the places of decisions that were let out a while ago."""
        before = self._time() - SOON
        while self._outings and (self._outings[0].at <= before or not self._outings[0].places):
            outing = self._outings.popleft()
            self._taken -= outing.places
            outing.places = 0

    def _look_later(self) -> None:
        if self._timer is None and self._outings:
            wait = self._outings[0].at + SOON - self._time()
            self._timer = self._loop.call_later(wait, self._look)

    def _look(self) -> None:
        self._timer = None
        self._expire()
        self._admit()
        if self._waiting:
            self._look_later()

    def _watch(self) -> None:
        """Measure how long the loop takes from here to here again."""
        if not self._watching:
            self._watching = True
            self._round_began = self._time()
            self._loop.call_soon(self._round)

    def _round(self) -> None:
        self._watching = False
        self._adapt(self._time() - self._round_began)
        self._expire()
        self._admit()

    def _adapt(self, round_took: float) -> None:
        if round_took > LONG_ROUND:
            self._room = max(PLACES_MIN, self._room * _FEWER)
        elif self._waiting:
            more = 1.0 if round_took < LONG_ROUND / 4 else 1 / self._room
            self._room = min(PLACES_MAX, self._room + more)
