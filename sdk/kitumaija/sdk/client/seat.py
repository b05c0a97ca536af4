"""One match on the bot's side: its bot, what it has been told, and what it has answered."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from kitumaija.engine import Action, Event, format_action
from kitumaija.sdk.answers import fallback, settle
from kitumaija.sdk.bot import Bot, BotFactory
from kitumaija.sdk.calls import OnError, made, raised
from kitumaija.sdk.client import messages
from kitumaija.sdk.client.thread import BotThread
from kitumaija.sdk.clocks import Clock
from kitumaija.sdk.errors import BotError, author_traceback
from kitumaija.sdk.match import Match, Result
from kitumaija.sdk.turn import Turn
from kitumaija.v1 import arena_pb2, game_pb2
from kitumaija.wire.codec import events_from_message, legal_from_message
from kitumaija.wire.times import Limits

T = TypeVar("T")

_log = logging.getLogger("kitumaija.sdk")


@dataclass(frozen=True, slots=True)
class _Asked:
    """A decision, and when it was read."""

    decision: arena_pb2.Decision
    at: int


class SeatTaken:
    """The bot's seat in one match, over all the streams that the match is played on.

    What the server says is handed in by the methods, in order and at once; `play` works it off.
    """

    def __init__(
        self,
        match_id: str,
        factory: BotFactory,
        name: str,
        *,
        say: Callable[[arena_pb2.BotMessage], None],
        on_error: OnError,
        clock: Clock,
    ) -> None:
        self.match_id = match_id
        self._factory = factory
        self._name = name
        self._say = say
        self._on_error = on_error
        self._clock = clock
        self._thread = BotThread(f"kitumaija-{match_id}")
        self._inbox: asyncio.Queue[Match | _Asked | arena_pb2.MatchEnd | None] = asyncio.Queue()
        self._bot: Bot | None = None
        self._match: Match | None = None
        self._limits = Limits()
        self._to_confirm = False
        self._heard = 0
        self._news: list[Event] = []
        self._asked = 0
        self._answer: arena_pb2.BotMessage | None = None
        self._over = False
        self._thought: asyncio.Future[tuple[object, int]] | None = None

    @property
    def over(self) -> bool:
        """Whether the server has nothing more to say of the match."""
        return self._over

    ##### What the server says #####

    def offered(self, limits: Limits) -> None:
        """Hear that the match is offered on the stream that is open now."""
        self._limits = limits
        self._to_confirm = True
        self._confirm()

    def seated(self, seating: arena_pb2.Seating) -> None:
        """Hear who plays."""
        self._to_confirm = False
        if self._match is None:
            self._match = messages.match_from(seating, self._limits)
            self._inbox.put_nowait(self._match)

    def synced(self, limits: Limits, sync: arena_pb2.MatchSync) -> None:
        """Hear all that the seat may know, on a new stream or because it was asked for."""
        self._limits = limits
        self.seated(sync.seating)
        self._hear(0, sync.events)

    def asked(self, decision: arena_pb2.Decision, at: int) -> None:
        """Hear a decision: a new one, or once more the one that is being thought about."""
        if self._match is None or decision.first_event > self._heard:
            _log.info("match %s: events are missing, asking for all of them", self.match_id)
            self._say(messages.resync(self.match_id))
            return
        self._hear(decision.first_event, decision.events)
        if decision.decision_id == self._asked:
            if self._answer is not None:
                self._say(self._answer)
            return
        self._supersede(decision.decision_id)
        self._inbox.put_nowait(_Asked(decision, at))

    def refused(self, refusal: arena_pb2.Refusal) -> None:
        """Hear that an answer was not taken."""
        reason = refusal.reason
        if reason == arena_pb2.REFUSAL_REASON_DECIDED:
            self._warn(f"the answer to decision {refusal.decision_id} came too late")
            return
        self._warn(
            f"the server did not take the answer to decision {refusal.decision_id}: "
            f"{_named(reason)}, {refusal.detail or 'no more is known'}"
        )
        again = refusal.HasField("legal") and refusal.retries_left > 0
        if again and refusal.decision_id == self._asked:
            # The server knows rules that this SDK does not: what it calls legal will do.
            self._reply(self._asked, legal_from_message(refusal.legal)[0])

    def ended(self, end: arena_pb2.MatchEnd) -> None:
        """Hear that the match is over."""
        self._hear(end.first_event, end.events)
        self._over = True
        self._supersede(0)
        self._inbox.put_nowait(end)

    def gone(self) -> None:
        """Hear that the server has no such match any more."""
        self._over = True
        self._supersede(0)
        self._inbox.put_nowait(None)

    def disconnected(self) -> None:
        """Hear that the stream ended; the match goes on upon the next one."""
        self._to_confirm = False

    ##### What the bot does #####

    async def play(self) -> None:
        """Make the bot and let it play, to the end of the match.

        Raises `BotError` where the bot cannot be made, and for its first error if errors are to be
        raised.
        """
        try:
            self._bot = bot = await self._make()
            self._confirm()
            match: Match | None = None
            while True:
                said = await self._inbox.get()
                if isinstance(said, Match):
                    match = said
                    await self._tell("on_start", bot.on_start, match)
                elif isinstance(said, _Asked):
                    assert match is not None, "nothing is asked before it is told who plays"  # noqa: S101
                    await self._decide(bot, match, said)
                else:
                    await self._finish(bot, match, said)
                    return
        finally:
            self._thread.close()

    async def _make(self) -> Bot:
        bot = await self._thread.call(lambda: made(self._name, self._factory))
        assert isinstance(bot, Bot)  # noqa: S101 - `made` returns nothing else
        return bot

    async def _decide(self, bot: Bot, match: Match, asked: _Asked) -> None:
        decision_id = asked.decision.decision_id
        if decision_id != self._asked:
            return  # decided meanwhile; what happened until then is told with the next turn
        news, self._news = self._news, []
        turn = messages.turn_from(asked.decision, match, news, clock=self._clock, asked_at=asked.at)
        chosen = await self._choose(bot, turn)
        if chosen is None:
            self._warn(f"decision {decision_id} was made without the bot, which took too long")
            return
        self._reply(decision_id, *chosen)

    async def _choose(self, bot: Bot, turn: Turn) -> tuple[Action, int | None] | None:
        """Return what the bot answers, or what stands in for it; None if nobody waits any more.

        With it comes how long the bot thought, in nanoseconds; None for what stands in.
        """
        self._thought = asyncio.ensure_future(self._think(bot, turn))
        try:
            reply, thought = await self._thought
            return settle(self._name, turn, reply), thought
        except asyncio.CancelledError:
            if turn.decision_id == self._asked or _cancelled_itself():
                raise
            return None
        except BotError as error:
            return self._stand_in(turn, error), None
        except Exception as error:  # noqa: BLE001 - whatever an author's code raises
            problem = BotError(self._name, raised("choose", error), turn)
            problem.__cause__ = error
            return self._stand_in(turn, problem), None
        finally:
            self._thought = None

    async def _think(self, bot: Bot, turn: Turn) -> tuple[object, int]:
        """Let the bot choose, and measure `choose` alone: not the way to its thread and back."""
        began = ended = 0

        def choose(asked: Turn) -> object:
            nonlocal began, ended
            began = self._clock()
            reply = bot.choose(asked)
            ended = self._clock()
            return reply

        if inspect.iscoroutinefunction(bot.choose):
            reply = choose(turn)
        else:
            reply = await self._thread.call(lambda: choose(turn))
        if inspect.isawaitable(reply):
            reply = await reply
            ended = self._clock()
        return reply, ended - began

    def _stand_in(self, turn: Turn, error: BotError) -> Action:
        action = fallback(turn)
        self._forgive(error, f"answered {format_action(action)!r} for it")
        return action

    async def _finish(self, bot: Bot, match: Match | None, end: arena_pb2.MatchEnd | None) -> None:
        if end is None:
            self._warn("the match ended while the bot was away, its result is not known here")
            return
        if match is None:
            self._warn(f"the match did not begin: {end.void_reason or 'it is void'}")
            return
        result = messages.result_from(end, match, self._news)
        place = f"place {result.place} of {match.seats}" if result.places else "it is void"
        _log.info("match %s is over: %s", self.match_id, place)
        self._warn_of_faults(result)
        await self._tell("on_end", bot.on_end, result)

    def _warn_of_faults(self, result: Result) -> None:
        """Tell the author what was wrong, and where each fault is explained."""
        seat = result.match.seat
        faults = Counter(result.faults[seat])
        if not faults:
            return
        counted = ", ".join(f"{count} × {fault}" for fault, count in faults.items())
        lost = " and lost its seat" if seat in result.forfeits else ""
        self._warn(
            f"the bot was at fault ({counted}){lost};"
            f" `kitumaija replay explain {self.match_id} {seat}` shows how"
        )

    async def _tell(self, name: str, method: Callable[[T], object], value: T) -> None:
        try:
            await self._call(method, value)
        except Exception as error:  # noqa: BLE001 - whatever an author's code raises
            problem = BotError(self._name, raised(name, error))
            problem.__cause__ = error
            self._forgive(problem, "went on without it")

    def _reply(self, decision_id: int, action: Action, thought: int | None = None) -> None:
        """Send an answer, and keep it: it may have to be sent again, unchanged."""
        self._answer = messages.answer(self.match_id, decision_id, action, thought)
        self._say(self._answer)

    async def _call(self, method: Callable[[T], object], value: T) -> object:
        """Call a bot's method: an async one here, a plain one in the match's own thread."""
        if inspect.iscoroutinefunction(method):
            return await method(value)
        result = await self._thread.call(lambda: method(value))
        return await result if inspect.isawaitable(result) else result

    ##### Bookkeeping #####

    def _confirm(self) -> None:
        """Say Ready, once the match is offered on this stream and the bot is made."""
        if self._to_confirm and self._bot is not None:
            self._to_confirm = False
            self._say(messages.ready(self.match_id))

    def _hear(self, first: int, events: Sequence[game_pb2.Event]) -> None:
        """Keep the events that are new; they are numbered, and those known are not told twice."""
        new = events[max(0, self._heard - first) :]
        self._heard += len(new)
        self._news += events_from_message(new)

    def _supersede(self, decision_id: int) -> None:
        """Turn to another decision, 0 for none: nobody waits for what is thought about now."""
        self._asked, self._answer = decision_id, None
        if self._thought is not None:
            self._thought.cancel()

    def _forgive(self, error: BotError, consequence: str) -> None:
        """Log an error of the bot and what the SDK did about it, or raise it."""
        if self._on_error == "raise":
            raise error
        trace = f"\n{author_traceback(error.__cause__)}" if error.__cause__ else ""
        _log.error("%s\nThe SDK %s.%s", error, consequence, trace)

    def _warn(self, text: str) -> None:
        _log.warning("match %s: %s", self.match_id, text)


def _named(reason: arena_pb2.RefusalReason.ValueType) -> str:
    """The name of a reason; its number where only a newer server knows that."""
    known = reason in arena_pb2.RefusalReason.values()
    return arena_pb2.RefusalReason.Name(reason) if known else f"reason {reason}"


def _cancelled_itself() -> bool:
    """Whether the running task is to end, and not only what it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
