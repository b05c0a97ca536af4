"""All matches that a bot plays at the moment, and what the server says about them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any, Final

from kitumaija.sdk.bot import BotFactory, name_of
from kitumaija.sdk.calls import OnError
from kitumaija.sdk.client.seat import SeatTaken
from kitumaija.sdk.clocks import Clock
from kitumaija.sdk.errors import BotError, author_traceback
from kitumaija.v1 import arena_pb2
from kitumaija.wire.kinds import Kind
from kitumaija.wire.times import limits_from_message

_log = logging.getLogger("kitumaija.sdk")


LAST_WORDS: Final = 2.0
"""How long `on_end` may take after the client was stopped, in seconds."""


class Seats:
    """The seats by match; each plays in a task of its own, so none waits for another.

    `say` sends a message on the stream that is open; `failed` hears of an error of a bot that is
    not to be forgiven, which is none unless `on_error` says so.
    """

    def __init__(
        self,
        factory: BotFactory,
        *,
        say: Callable[[arena_pb2.BotMessage], None],
        failed: Callable[[BotError], None],
        on_error: OnError,
        clock: Clock,
    ) -> None:
        self._factory = factory
        self._say = say
        self._failed = failed
        self._on_error: OnError = on_error
        self._clock = clock
        self._seats: dict[str, SeatTaken] = {}
        self._tasks: dict[asyncio.Task[None], SeatTaken] = {}
        self._hears: Final[dict[Kind, Callable[[Any, int], None]]] = {
            Kind.MATCH_START: self._match_start,
            Kind.SEATING: self._seating,
            Kind.MATCH_SYNC: self._match_sync,
            Kind.DECISION: self._decision,
            Kind.REFUSAL: self._refusal,
            Kind.MATCH_END: self._match_end,
        }

    def hear(self, kind: Kind, said: object, at: int) -> None:
        """Hand what was said about a match to its seat; what is not about a match is passed over.

        `at` is when it was read. Accepted asks for nothing: an answer is said again only when its
        decision is asked again. Raises `ValueError` for a message that cannot be read.
        """
        hear = self._hears.get(kind)
        if hear is not None:
            hear(said, at)

    def disconnected(self) -> None:
        """Hear that the stream ended; the matches go on upon the next one."""
        for seat in self._seats.values():
            seat.disconnected()

    def match_ids(self) -> tuple[str, ...]:
        """Return the matches that go on as far as is known here."""
        return tuple(self._seats)

    def known_to_server(self, match_ids: Iterable[str]) -> None:
        """Hear which matches the server will say something about; let go of the others."""
        for match_id in self._seats.keys() - set(match_ids):
            self._seats.pop(match_id).gone()

    async def close(self) -> None:
        """Leave all matches; a bot that is thinking is not waited for.

        One that still hears how its match ended is, for up to `LAST_WORDS` seconds.
        """
        ending = [task for task, seat in self._tasks.items() if seat.over]
        if ending:
            await asyncio.wait(ending, timeout=LAST_WORDS)
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _match_start(self, start: arena_pb2.MatchStart, _: int) -> None:
        self._seat(start.match_id).offered(limits_from_message(start.limits))

    def _seating(self, seating: arena_pb2.Seating, _: int) -> None:
        self._seat(seating.match_id).seated(seating)

    def _match_sync(self, sync: arena_pb2.MatchSync, _: int) -> None:
        self._seat(sync.match_id).synced(limits_from_message(sync.limits), sync)

    def _decision(self, decision: arena_pb2.Decision, at: int) -> None:
        self._seat(decision.match_id).asked(decision, at)

    def _refusal(self, refusal: arena_pb2.Refusal, _: int) -> None:
        seat = self._seats.get(refusal.match_id)
        if seat is not None:
            seat.refused(refusal)

    def _match_end(self, end: arena_pb2.MatchEnd, _: int) -> None:
        seat = self._seats.pop(end.match_id, None)
        if seat is not None:
            seat.ended(end)

    def _seat(self, match_id: str) -> SeatTaken:
        """Return the seat in a match; a match not heard of before begins here."""
        seat = self._seats.get(match_id)
        if seat is None:
            seat = SeatTaken(
                match_id,
                self._factory,
                name_of(self._factory),
                say=self._say,
                on_error=self._on_error,
                clock=self._clock,
            )
            self._seats[match_id] = seat
            task = asyncio.create_task(seat.play(), name=f"kitumaija-{match_id}")
            self._tasks[task] = seat
            task.add_done_callback(lambda done: self._done(match_id, done))
        return seat

    def _done(self, match_id: str, task: asyncio.Task[None]) -> None:
        del self._tasks[task]
        error = None if task.cancelled() else task.exception()
        if error is None:
            return
        self._seats.pop(match_id, None)
        if isinstance(error, BotError) and self._on_error == "raise":
            self._failed(error)
        elif isinstance(error, BotError):
            trace = f"\n{author_traceback(error.__cause__)}" if error.__cause__ else ""
            _log.error("%s\nThe SDK does not take part in match %s.%s", error, match_id, trace)
        else:
            _log.error("match %s: the SDK failed", match_id, exc_info=error)
