"""The director: plays every running tournament, from wherever the store says it stands.

One task begins matches, one keeps the ratings, and one looks whether goals are reached; all sleep
until something happens: a bot came or went, a match ended, somebody gave a command. The clock only
looks whether they have missed something (`standstill.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from weakref import WeakValueDictionary

import structlog

from kitumaija.server.clock import Wall
from kitumaija.server.ids import TokenBytes
from kitumaija.server.limits import ServerLimits
from kitumaija.server.lobby.connection import Connection
from kitumaija.server.lobby.hall import Hall
from kitumaija.server.lobby.hooks import EntropyStep, HallHooks, MatchOver
from kitumaija.server.match.commands import EndMatch
from kitumaija.server.match.values import Nanos
from kitumaija.server.store import entrants, matches, tournaments
from kitumaija.server.store.rows import EntrantState, MatchCounts, TournamentRow, TournamentState
from kitumaija.server.store.store import Store
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.store.writer import StoreWriter
from kitumaija.server.tournament import rates, versions
from kitumaija.server.tournament.bells import Bell, Bells
from kitumaija.server.tournament.bench import BenchWait, BenchWaits
from kitumaija.server.tournament.board import Board
from kitumaija.server.tournament.commands import Commands
from kitumaija.server.tournament.context import Context
from kitumaija.server.tournament.endings import ending_of
from kitumaija.server.tournament.entropies import Entropies
from kitumaija.server.tournament.lifecycle import has_started
from kitumaija.server.tournament.planning import planned_matches
from kitumaija.server.tournament.recall import Recalled, recall
from kitumaija.server.tournament.refusals import no_tournament, version_frozen
from kitumaija.server.tournament.running import RunningTournament
from kitumaija.server.tournament.standstill import Standstill

RATE_AT_ONCE = 32
"""How many results of a running tournament are rated together."""

DEFAULT_LIMITS = ServerLimits()

_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is."""

    state: TournamentState
    counts: MatchCounts
    planned: int
    connected: int
    """How many of the entrants that play are connected."""
    entrants: int
    """How many entrants play; those on the bench do not."""
    bench_wait: BenchWait | None = None
    """Set while nothing is left to play but matches of entrants on the bench."""


class Director(HallHooks):
    """Plays tournaments. `commands` is what the services ask of it.

    An error of its own tasks, after which results could not be kept, is told to the hall.
    """

    def __init__(
        self,
        store: Store,
        writer: StoreWriter,
        hall: Hall,
        wall: Wall,
        token_bytes: TokenBytes,
        *,
        reveal_within: timedelta = DEFAULT_LIMITS.reveal_within,
    ) -> None:
        self.context = Context(
            store=store, writer=writer, hall=hall, wall=wall, token_bytes=token_bytes
        )
        self._entropies = Entropies(self.context)
        self._running: dict[str, RunningTournament] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._bells = Bells()
        self._to_begin = asyncio.Event()
        self._to_rate = asyncio.Event()
        self._to_look = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._standstill = Standstill(self.wake)
        self.bench_waits = BenchWaits(wall, self.changed)
        self.commands = Commands(self.context, self, self._entropies, reveal_within)

    @property
    def hooks(self) -> HallHooks:
        """What the hall is bound to."""
        return self

    async def start(self) -> None:
        """Go on with every tournament that was started, each match from its journal."""
        self.context.presence.listen(self)
        unfinished = await self.context.read(tournaments.unfinished)
        for row in unfinished:
            if has_started(row.state):
                running = await self.take_up(row.tournament_id)
                await running.go_on()
        work = (self._begin_matches(), self._rate(), self._look())
        self._tasks = [self._watched(task) for task in work]
        self.wake()

    async def stop(self) -> None:
        """Begin nothing more. What runs is the hall's; it goes on after the next start."""
        await self.commands.settle()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            # Waited for and not asked: an error of theirs was told to the hall, and stops nothing
            # of what follows.
            await asyncio.wait(self._tasks)

    # For the commands

    def lock(self, tournament_id: str) -> asyncio.Lock:
        """Return the lock that whoever changes a tournament holds."""
        lock = self._locks.get(tournament_id)
        if lock is None:
            lock = self._locks[tournament_id] = asyncio.Lock()
        return lock

    def running(self, tournament_id: str) -> RunningTournament | None:
        """Return a tournament that was started and is not over."""
        return self._running.get(tournament_id)

    async def take_up(self, tournament_id: str) -> RunningTournament:
        """Keep a tournament, which the store says was started, in memory from now on."""

        def look(tx: ReadTx) -> Recalled:
            row = tournaments.get(tx, tournament_id)
            if row is None:
                raise no_tournament(tournament_id)
            return recall(tx, row)

        running = RunningTournament(
            Board.of(self.context, await self.context.read(look)),
            lock=self.lock(tournament_id),
            changed=lambda: self._changed(tournament_id),
        )
        self._running[tournament_id] = running
        return running

    def drop(self, tournament_id: str) -> None:
        """Keep a tournament in memory no more: it is over."""
        self._running.pop(tournament_id, None)
        self.changed(tournament_id)

    def wake(self) -> None:
        """Look for matches to begin, for results to rate, and whether goals are reached."""
        self._to_begin.set()
        self._to_rate.set()
        self._to_look.set()

    def changed(self, tournament_id: str) -> None:
        """Tell those who watch a tournament."""
        self._bells.ring(tournament_id)

    # For those who watch

    def bench_wait(self, tournament_id: str) -> BenchWait | None:
        """Return how a tournament waits for entrants on the bench; None if it does not."""
        running = self._running.get(tournament_id)
        return None if running is None else self.bench_waits.of(running.board)

    def bell(self, tournament_id: str) -> Bell:
        """Return the bell that rings whenever a tournament moves."""
        return self._bells.of(tournament_id)

    async def progress(self, tournament_id: str) -> Progress:
        """Return how far a tournament is; raises `NotFound`."""
        running = self._running.get(tournament_id)
        if running is not None:
            board = running.board
            return Progress(
                board.state,
                board.counts,
                board.course.planned,
                board.connected(),
                len(board.active),
                self.bench_wait(tournament_id),
            )
        row, counts, planned, playing = await self.context.read(
            lambda tx: _standing(tx, tournament_id)
        )
        connected = sum(self.context.presence.connected(bot_id) for bot_id in playing)
        return Progress(row.state, counts, planned, connected, len(playing))

    # For the hall

    async def match_over(self, over: MatchOver) -> None:
        """Commit how a match ended (`HallHooks`)."""
        match_id = over.setup.match_id
        for running in tuple(self._running.values()):
            if running.owns(match_id):
                await running.match_over(over)
                self.wake()

    async def seats_freed(self, bot_ids: tuple[str, ...]) -> None:
        """Begin what these bots now have room for (`HallHooks`)."""
        del bot_ids
        self._to_begin.set()

    async def bot_connected(self, bot_id: str) -> None:
        """Send away a bot whose version is not the one it plays with, or mark it; count it in."""
        info = self.context.presence.info(bot_id)
        for running in tuple(self._running.values()):
            frozen = running.frozen_version(bot_id)
            if info is None or not frozen:
                continue
            tournament_id = running.tournament_id
            if running.board.settings.allow_version_changes:
                await versions.mark(self.context, tournament_id, bot_id, info.version)
            elif info.version != frozen:
                self.context.presence.shut_out(
                    bot_id, version_frozen(tournament_id, frozen, info.version)
                )
                return
        self._to_begin.set()
        self._bells.ring_all()
        await self._entropies.ask_bot(bot_id)

    async def ending_of(self, bot_id: str, match_id: str) -> EndMatch | None:
        """Return how a match ended, from the store (`HallHooks`)."""
        steps = self.context.steps
        return await self.context.read(lambda tx: ending_of(tx, bot_id, match_id, steps))

    async def entropy_given(
        self, bot_id: str, tournament_id: str, step: EntropyStep, value: bytes
    ) -> None:
        """Keep a bot's entropy (`HallHooks`)."""
        await self._entropies.take(bot_id, tournament_id, step, value)

    def arrived(self, connection: Connection, at: Nanos) -> None:
        """Nothing: `bot_connected` follows (`PresenceListener`)."""

    def left(self, connection: Connection, at: Nanos, *, goodbye: bool) -> None:
        """A bot is gone: its next match will find out whether it comes back."""
        del connection, at, goodbye
        self._entropies.left()
        self._to_begin.set()
        self._bells.ring_all()

    def sweep(self, now: Nanos) -> None:
        """Look again at tournaments that stand still, or wait for the bench (`Planner`)."""
        boards = [running.board for running in self._running.values()]
        self._standstill.look(now, boards)
        if self.bench_waits.look(now, boards):
            self._to_begin.set()

    # The tasks

    async def _begin_matches(self) -> None:
        async for _ in _each(self._to_begin):
            for running in tuple(self._running.values()):
                if waited := self.bench_waits.take_due(running.tournament_id):
                    await running.withdraw_benched(waited)
                if await running.start_matches():
                    self._to_begin.set()
            # What is looked for in pieces leaves room for everybody else between them.
            await asyncio.sleep(0)

    async def _rate(self) -> None:
        async for _ in _each(self._to_rate):
            for running in tuple(self._running.values()):
                if await self._rate_piece(running):
                    self._to_rate.set()

    async def _look(self) -> None:
        async for _ in _each(self._to_look):
            for running in tuple(self._running.values()):
                await running.look()

    async def _rate_piece(self, running: RunningTournament) -> bool:
        """Rate some results of a tournament, or end it; return whether more can be rated.

        While it runs, results are left to gather: rating them takes time from the bots. Whoever
        asks for the standings has them rated first.
        """
        board = running.board
        waits = board.state is TournamentState.RUNNING and not board.done
        more = False
        for size, table in board.course.tables.items():
            behind = table.settled.length - table.rated
            if behind >= (RATE_AT_ONCE if waits else 1):
                rated, advanced = await rates.advance(self.context, running.tournament_id, size)
                table.rated = rated.rated
                more |= advanced and rated.rated < table.settled.length
        if not more and (board.done or running.goal.reached):
            await running.complete()
            if board.state.over:
                self.drop(running.tournament_id)
        return more

    def _changed(self, tournament_id: str) -> None:
        self.wake()
        self._bells.ring(tournament_id)

    def _watched(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.context.hall.fail(error)


async def _each(event: asyncio.Event) -> AsyncIterator[None]:
    """Yield whenever the event is set, once however often it was set meanwhile."""
    while True:
        await event.wait()
        event.clear()
        yield


def _standing(tx: ReadTx, tournament_id: str) -> tuple[TournamentRow, MatchCounts, int, list[str]]:
    row = tournaments.get(tx, tournament_id, secrets=False)
    if row is None:
        raise no_tournament(tournament_id)
    playing = [
        entry.bot_id
        for entry in entrants.of(tx, tournament_id)
        if entry.state is EntrantState.ENTERED
    ]
    planned = planned_matches(tx, row)
    return row, matches.counts(tx, tournament_id), planned, playing
