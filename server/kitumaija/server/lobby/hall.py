"""The hall: every running match of this server, its machine, its journal, its bots.

An input of a match is handled to the end in one call: the machine steps, its journal entries and
its messages join the batch of this turn of the event loop (`outgoing.py`), and nothing waits. There
is no task a match and no timer a decision; `sweep` looks at all deadlines at once.

Verdicts are the machine's, from stamps. A reader stamps a message and hands it on in the same
breath, so at a `Tick` no answer with an earlier stamp is still under way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial

from kitumaija.engine import Event, Shuffle, shuffled_deck
from kitumaija.server.clock import Clock, Wall
from kitumaija.server.limits import ServerLimits
from kitumaija.server.lobby import chronicle
from kitumaija.server.lobby.audience import Audience
from kitumaija.server.lobby.background import Background
from kitumaija.server.lobby.clockstarts import ClockStarts
from kitumaija.server.lobby.connection import Asked, Connection
from kitumaija.server.lobby.hooks import EntropyStep, HallHooks, MatchOver
from kitumaija.server.lobby.outgoing import JournalWriter, Outgoing
from kitumaija.server.lobby.presence import Presence
from kitumaija.server.lobby.running import RunningMatch
from kitumaija.server.lobby.stage import Stage
from kitumaija.server.lobby.stallog import StallLog
from kitumaija.server.lobby.storewatch import StoreWatch, Wait
from kitumaija.server.lobby.tell import end_message, entropy_request
from kitumaija.server.lobby.watchdog import Stay, Watchdog
from kitumaija.server.match.events import (
    Connected,
    DecisionSent,
    Disconnected,
    ForfeitOrdered,
    MatchEvent,
    RoundTripMeasured,
    ServerStalled,
    StoreStalled,
    VoidOrdered,
)
from kitumaija.server.match.journal import JournalEntry
from kitumaija.server.match.machine import begin, resume
from kitumaija.server.match.state import MatchPhase
from kitumaija.server.match.values import Fault, MatchResult, MatchSetup, Nanos
from kitumaija.server.metrics import Metrics
from kitumaija.v1 import arena_pb2

__all__ = ["EntropyStep", "Hall", "HallHooks", "MatchOver"]


class Hall:
    """Runs matches. The director opens and voids them, the streams bring what bots say.

    `on_fatal` is called with the first error after which the server cannot keep its promises: the
    store failed, or a hook raised. `shuffle` lays the decks out.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        wall: Wall,
        writer: JournalWriter,
        presence: Presence,
        limits: ServerLimits,
        on_fatal: Callable[[BaseException], None],
        metrics: Metrics,
        shuffle: Shuffle = shuffled_deck,
    ) -> None:
        self.metrics = metrics
        self.shuffle = shuffle
        self._clock = clock
        self._wall = wall
        self._presence = presence
        self._on_fatal = on_fatal
        self._hooks: HallHooks | None = None
        self._matches: dict[str, RunningMatch] = {}
        self._of_bot: dict[str, dict[str, RunningMatch]] = {}
        self._outgoing = Outgoing(writer, on_fatal)
        self._tasks = Background(on_fatal)
        self._starts = ClockStarts(limits.clock_starts_within, self._clock_started)
        self._store_watch = StoreWatch(self._store_waited, worth_telling=limits.stall_told)
        self._stalls, self._store_stalls = StallLog("server stalled"), StallLog("store stalled")
        self._stage = Stage(
            clock=clock,
            presence=presence,
            outgoing=self._outgoing,
            starts=self._starts,
            store_watch=self._store_watch,
            ended=self._ended,
            metrics=metrics,
        )
        self._watchdog = Watchdog(limits, overdue=self._overdue, stuck=on_fatal)
        presence.listen(self)

    @property
    def presence(self) -> Presence:
        """Who is connected."""
        return self._presence

    def bind(self, hooks: HallHooks) -> None:
        """Say who is asked about ended matches: once, before anything is opened."""
        self._hooks = hooks

    def fail(self, error: BaseException) -> None:
        """Report an error after which the server cannot keep its promises."""
        self._on_fatal(error)

    async def settle(self) -> None:
        """Wait until everything that ended is committed and told, and every hook has returned."""
        await self._outgoing.settled()
        await self._tasks.settle()

    # For the director

    def open(
        self,
        setup: MatchSetup,
        *,
        names: Mapping[str, str],
        aliases: tuple[str, ...] | None = None,
        started_at: datetime | None = None,
        resume_from: Sequence[JournalEntry] | None = None,
    ) -> None:
        """Offer a match to its bots, or go on with one from its journal.

        `names` are the display names by bot id; `aliases`, by seat, are told in place of both until
        the match has ended. `started_at` is when it was first offered, for one
        that is resumed. Each bot's seat counts as taken from here on. Raises `ValueError` for a
        match that runs already, `JournalError` for a journal that is not this match's.
        """
        if setup.match_id in self._matches:
            raise ValueError(f"match {setup.match_id!r} runs already")
        now = self._clock.now()
        if resume_from is None:
            state, commands = begin(setup, now, shuffle=self.shuffle)
        else:
            state, commands = resume(setup, resume_from, now, shuffle=self.shuffle)
        match = RunningMatch(
            setup=setup,
            names=names,
            started_at=started_at or self._wall(),
            state=state,
            sequence=len(resume_from or ()),
            resumed=resume_from is not None,
            aliases=aliases,
        )
        self._matches[setup.match_id] = match
        for bot_id in setup.entrants:
            self._of_bot.setdefault(bot_id, {})[setup.match_id] = match
            self._presence.take(bot_id)
        chronicle.opened(match, resumed=resume_from is not None)
        self._stage.carry_out(match, commands)
        for bot_id in setup.entrants:
            connection = self._presence.connection(bot_id)
            if connection is not None:
                self._connect(match, connection, now)

    def order_forfeit(
        self,
        bot_id: str,
        fault: Fault,
        *,
        match_ids: Collection[str] | None = None,
        detail: str = "",
    ) -> None:
        """Forfeit the bot's seats, in all of its running matches or in those named.

        `detail` is what else is known of the fault, in a sentence that the bot may read.
        """
        now = self._clock.now()
        for match in self._matches_of(bot_id):
            if match_ids is None or match.match_id in match_ids:
                self._stage.step(match, ForfeitOrdered(match.seat_of(bot_id), fault, now, detail))

    def void(self, match_id: str, reason: str) -> None:
        """End a match without a result; `reason` is a sentence for its bots.

        The hook `match_over` is called as for every end. Nothing happens if it does not run.
        """
        match = self._matches.get(match_id)
        if match is not None and not match.ended:
            self._stage.step(match, VoidOrdered(reason, self._clock.now()))

    def running(self, bot_id: str) -> int:
        """Return in how many matches the bot sits."""
        return len(self._of_bot.get(bot_id, ()))

    def phases(self) -> Counter[MatchPhase]:
        """Return how many matches are how far."""
        return Counter(match.state.phase for match in tuple(self._matches.values()))

    def match_ids(self) -> tuple[str, ...]:
        """Return the matches that run, in the order they were opened."""
        return tuple(self._matches)

    def seated_ids(self) -> tuple[str, ...]:
        """Return those of them whose bots were all ready, so that all may know who sits there."""
        return tuple(match_id for match_id, match in self._matches.items() if match.begun)

    def ask_entropy(
        self, bot_id: str, tournament_id: str, step: EntropyStep, master_commitment: bytes
    ) -> bool:
        """Send a bot an EntropyRequest; False if it is not connected."""
        connection = self._presence.connection(bot_id)
        if connection is None:
            return False
        connection.line.put(entropy_request(tournament_id, step, master_commitment))
        return True

    # For those who watch

    async def watch(self, match_id: str) -> AsyncIterator[tuple[Event, ...]]:
        """Yield the public events of a match from its beginning and as they happen.

        Ends when the match has ended and its result is committed; at once if it does not run.
        """
        match = self._matches.get(match_id)
        if match is None:
            return
        if match.audience is None:
            match.audience = Audience()
            self._stage.show(match)
        # Asked anew each time: every step makes another state.
        since = lambda told: match.state.events.since(told)  # noqa: E731, PLW0108
        async for events in match.audience.follow(since):
            yield events

    # For the streams

    def matches_of(self, bot_id: str) -> tuple[str, ...]:
        """Return the matches that a new stream of the bot will be told of."""
        return tuple(match.match_id for match in self._matches_of(bot_id) if not match.ended)

    def match(self, bot_id: str, match_id: str) -> RunningMatch | None:
        """Return a match that the bot sits in, or None."""
        return self._of_bot.get(bot_id, {}).get(match_id)

    def input(self, match: RunningMatch, event: MatchEvent) -> None:
        """Bring a match what one of its bots said."""
        self._stage.step(match, event)

    def say(self, connection: Connection, message: arena_pb2.ServerMessage) -> None:
        """Say something that no machine said, in its turn among what the machines say."""
        self._outgoing.then(partial(connection.line.put, message))

    def entropy(self, bot_id: str, tournament_id: str, step: EntropyStep, value: bytes) -> None:
        """Bring the director entropy that a bot sent."""
        self._tasks.run(self._bound.entropy_given(bot_id, tournament_id, step, value))

    def round_trip(self, bot_id: str, nanos: int) -> None:
        """Tell the bot's matches the new estimate of its round trip."""
        for match in self._matches_of(bot_id):
            self._stage.step(match, RoundTripMeasured(match.seat_of(bot_id), nanos))

    def arrived(self, connection: Connection, at: Nanos) -> None:
        """Tell the bot's matches of its new stream, and the director (`PresenceListener`)."""
        for match in self._matches_of(connection.bot_id):
            self._connect(match, connection, at)
        self._tasks.run(self._bound.bot_connected(connection.bot_id))
        self._tasks.run(self._tell_missed_ends(connection))

    def left(self, connection: Connection, at: Nanos, *, goodbye: bool) -> None:
        """Tell the bot's matches that its stream is gone (`PresenceListener`)."""
        for match in self._matches_of(connection.bot_id):
            seat = match.seat_of(connection.bot_id)
            self._stage.step(match, Disconnected(seat, at, goodbye))

    # Time

    def sweep(self, now: Nanos) -> None:
        """Start clocks that must not wait, and let every match rule whose deadline has come."""
        self._starts.sweep(now)
        self._stalls.sweep(now)
        self._store_stalls.sweep(now)
        for match in tuple(self._matches.values()):
            self._stage.look(match, now)
        self._watchdog.look(now, self._matches.values(), self._outgoing.oldest)

    def look(self, now: Nanos) -> None:
        """Notice what waits for the disk, before anything is judged by the stamp `now`."""
        self._store_watch.look(now)

    def stalled(self, since: Nanos, until: Nanos) -> None:
        """Tell every match that the server stood still."""
        self._stalls.note(since, until)
        self._starts.stalled(since, until)
        self._watchdog.stalled(since, until)
        for match in tuple(self._matches.values()):
            self._stage.step(match, ServerStalled(since, until))

    def _store_waited(self, wait: Wait, since: Nanos, until: Nanos) -> None:
        self._store_stalls.note(since, until)
        match = self._matches.get(wait.match_id)
        if match is not None:
            self._stage.step(match, StoreStalled(wait.about, since, until))

    def _overdue(self, match: RunningMatch, stay: Stay, seconds: int) -> None:
        chronicle.overdue(match, stay.value, seconds)
        self._stage.give_up(match)

    def _clock_started(self, asked: Asked, at: Nanos) -> None:
        match = self._matches.get(asked.match_id)
        if match is not None:
            event = DecisionSent(asked.seat, asked.decision_id, at, asked.handed_at)
            self._stage.step(match, event)

    # Within

    @property
    def _bound(self) -> HallHooks:
        if self._hooks is None:
            raise RuntimeError("the hall has no hooks yet; call bind first")
        return self._hooks

    def _matches_of(self, bot_id: str) -> tuple[RunningMatch, ...]:
        return tuple(self._of_bot.get(bot_id, {}).values())

    def _connect(self, match: RunningMatch, connection: Connection, at: Nanos) -> None:
        seat = match.seat_of(connection.bot_id)
        match.bots[connection.bot_id] = connection.info
        self._stage.step(match, Connected(seat, at))
        if connection.round_trip is not None:
            self._stage.step(match, RoundTripMeasured(seat, connection.round_trip))

    async def _tell_missed_ends(self, connection: Connection) -> None:
        """Tell a bot how those of its matches ended that it did not hear the end of."""
        bot_id = connection.bot_id
        for match_id in connection.matches:
            if match_id in self._of_bot.get(bot_id, {}):
                continue  # it runs, or its end is on its way
            ending = await self._bound.ending_of(bot_id, match_id)
            if ending is not None and self._presence.connection(bot_id) is connection:
                self.say(connection, end_message(match_id, ending))

    def _ended(self, match: RunningMatch, result: MatchResult) -> None:
        over = MatchOver(match.setup, result, match.started_at, self._wall(), match.bots_by_seat())
        self._outgoing.then(lambda: self._tasks.run(self._finish(match, over)))

    async def _finish(self, match: RunningMatch, over: MatchOver) -> None:
        await self._bound.match_over(over)
        self.metrics.ended(over.result)
        chronicle.ended(match, over.result)
        self._stage.tell_end(match)
        self._forget(match)
        await self._bound.seats_freed(match.setup.entrants)

    def _forget(self, match: RunningMatch) -> None:
        del self._matches[match.match_id]
        if match.audience is not None:
            match.audience.end()
        for bot_id in match.setup.entrants:
            matches = self._of_bot[bot_id]
            del matches[match.match_id]
            if not matches:
                del self._of_bot[bot_id]
            self._presence.give_back(bot_id)
