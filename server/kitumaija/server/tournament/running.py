"""One running tournament: what is done with it between its start and its end.

A match's row is committed before the match is offered, and its result is written once. So whenever
the server dies, the store tells which matches to go on with and which numbers are open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

import structlog

from kitumaija.server.lobby.hooks import MatchOver
from kitumaija.server.match.journal import JournalError, entry_from_bytes
from kitumaija.server.match.values import Fault
from kitumaija.server.schedule.rounds import Rounds
from kitumaija.server.store import journal, matches, tournaments, verdicts
from kitumaija.server.store.rows import MatchRow, TournamentState, VerdictRow
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.tournament.beginning import BATCH, Beginning
from kitumaija.server.tournament.board import Board
from kitumaija.server.tournament.course import Attempt
from kitumaija.server.tournament.drawing import draw, last_verdicts
from kitumaija.server.tournament.goalwatch import GoalWatch
from kitumaija.server.tournament.lifecycle import Command, after
from kitumaija.server.tournament.players import Player
from kitumaija.server.tournament.rule import withdraw_by_rule
from kitumaija.server.tournament.settling import Settling

ENOUGH = "what was to be found out is known"
"""Why a number that was passed over is not played in a tournament that has reached its goal."""

_log = structlog.stdlib.get_logger(__name__)


class RunningTournament:
    """A tournament between its start and its end; `changed` is called whenever something moved.

    The lock is the tournament's: it is held while matches are begun and while a command changes
    the tournament, so that neither comes into the other.
    """

    def __init__(self, board: Board, *, lock: asyncio.Lock, changed: Callable[[], None]) -> None:
        self.board = board
        self._context = board.context
        self._beginning = Beginning(board)
        self._settling = Settling(board, self.leave)
        self.goal = GoalWatch(board)
        self._lock = lock
        self._changed = changed

    @property
    def tournament_id(self) -> str:
        """The tournament's id."""
        return self.board.tournament_id

    def owns(self, match_id: str) -> bool:
        """Return whether this match runs in this tournament."""
        return match_id in self.board.attempts

    def frozen_version(self, bot_id: str) -> str:
        """Return the version that the bot plays this tournament with; empty if it is still free."""
        player = self.board.players.get(bot_id)
        return player.bot_version if player and bot_id in self.board.playing else ""

    async def start_matches(self) -> bool:
        """Begin what can be begun now; return whether more can be looked for at once.

        Where a round is over, the next one is drawn first; in a pause none is.
        While no entrant at all is connected nothing is begun: an arena that is cut off from all of
        its bots waits, and withdraws nobody. Nor is anything begun when the goal is reached.
        """
        async with self._lock:
            if self.board.state is not TournamentState.RUNNING:
                return False
            if self.board.verdicts or self.goal.holds_back:
                return False
            if await draw(self.board):
                self._changed()
            for table in self.board.course.unready():
                # A search that would hold up the event loop for a fifth of a second, or longer.
                await asyncio.to_thread(table.schedule.prepare, table.dispatch.cursor)
            begun: list[Attempt] = []
            again = False
            if self.board.worth_a_look():
                begun = self._beginning.choose()
                again = len(begun) == BATCH or self.board.course.hurried
            cancelled = self.board.course.drain_cancelled()
            if begun or cancelled:
                await self._beginning.begin(begun, cancelled)
                self._changed()
            return again

    async def match_over(self, over: MatchOver) -> None:
        """Write down how a match ended."""
        await self._settling.match_over(over)
        self._changed()

    def leave(self, bot_id: str, fault: Fault) -> None:
        """Take an entrant out, as the store says already: its matches that run are forfeited."""
        self.board.left[bot_id] = fault
        self.board.course.leave(bot_id)
        self._context.hall.order_forfeit(bot_id, fault, match_ids=tuple(self.board.attempts))
        self._changed()

    def bench(self, bot_id: str) -> None:
        """Take an entrant out for a while, as the store says already: what runs goes on."""
        self.board.course.bench(bot_id)
        self._changed()

    def bring_back(self, bot_id: str) -> None:
        """Take an entrant in again, as the store says already."""
        self.board.course.bring_back(bot_id)
        self._changed()

    async def withdraw_benched(self, waited: timedelta) -> None:
        """Withdraw the entrants on the bench for whom the tournament has waited for so long."""
        async with self._lock:
            bots = sorted(self.board.holding())
            reason = f"on the bench, and nothing else was left to be played for {waited}"

            def work(tx: WriteTx) -> None:
                for bot in bots:
                    withdraw_by_rule(tx, self.board, bot, reason)

            if bots:
                await self._context.write(work)
            for bot in bots:
                self.leave(bot, Fault.WITHDRAWN)

    def enter(self, players: Iterable[Player]) -> None:
        """Take in who entered late, as the store says already: from the next round on."""
        for player in players:
            self.board.players[player.bot_id] = player
            for table in self.board.course.tables.values():
                if isinstance(table.schedule, Rounds):
                    table.schedule.enter(player.bot_id)
        self._changed()

    def stopping(self, reason: str, at: datetime) -> Callable[[WriteTx], None]:
        """Return what writes down that nothing more is played.

        What runs is cancelled, and so are the numbers passed over: results are rated only behind
        numbers that are settled.
        """
        epoch = self._context.store.epoch
        running = tuple(self.board.attempts)
        gaps = self.board.course.gaps()
        rows = [self.board.cancelled_row(attempt, at, reason) for attempt in gaps]

        def work(tx: WriteTx) -> None:
            for match_id in running:
                matches.cancel(tx, match_id, epoch, reason=reason, ended_at=at)
            for row, attempt in zip(rows, gaps, strict=True):
                matches.add(tx, row, attempt.seats)

        return work

    def forget(self, reason: str) -> None:
        """End the running matches, which the store has cancelled."""
        dropped = tuple(self.board.attempts)
        self.board.attempts.clear()
        self.board.state = TournamentState.CANCELLED
        for match_id in dropped:
            self._context.hall.void(match_id, reason)
        self._changed()

    async def go_on(self) -> None:
        """After a crash: go on with every match that ran, from its journal."""
        epoch = self._context.store.epoch

        def claim(tx: WriteTx) -> None:
            for seated in matches.running(tx, self.tournament_id):
                matches.claim(tx, seated.match.match_id, epoch)

        await self._context.write(claim)
        running = await self._context.read(lambda tx: _with_journals(tx, self.tournament_id))
        for row, seats, entries in running:
            attempt = Attempt(row.table_size, row.number, row.attempt, seats, row.absent)
            try:
                self._beginning.open(
                    row, attempt, tuple(entry_from_bytes(entry) for entry in entries)
                )
            except JournalError as error:
                _log.error("unreadable journal", match_id=row.match_id, error=str(error))
                self.board.attempts.pop(row.match_id, None)
                await self._settling.give_up(
                    row.match_id,
                    attempt,
                    "its journal cannot be read, so nobody knows what was played",
                    self._context.wall(),
                )

    async def look(self) -> None:
        """Look whether the goal is reached, if it is time to."""
        if self.goal.due:
            await self.goal.look()
            self._changed()

    async def complete(self) -> None:
        """End the tournament if all is played, or its goal reached, and nothing runs any more.

        Its secrets are public from then on. Of one that ends before its schedule the numbers passed
        over are settled first, and rated before it is called again.
        """
        async with self._lock:
            if self.board.state.over or self.goal.due:
                return
            if self.board.done:
                await self._finish()
            elif self.goal.reached and self.board.state is TournamentState.RUNNING:
                if self.board.attempts:
                    return
                await self._stop_early()
            else:
                return
            self._changed()

    async def _stop_early(self) -> None:
        """Write the verdicts down: from here on nothing more is begun, whatever happens."""
        now, found = self._context.wall(), dict(self.goal.found)
        gaps = self.board.course.gaps()
        rows = [self.board.cancelled_row(attempt, now, ENOUGH) for attempt in gaps]

        def work(tx: WriteTx) -> None:
            for row, attempt in zip(rows, gaps, strict=True):
                matches.add(tx, row, attempt.seats)
            verdicts.add(tx, found.values())

        await self._context.write(work)
        self.board.verdicts = found
        for attempt in gaps:
            self.board.course.settle(attempt)
        self.board.count(cancelled=len(gaps))
        _log.info("goal reached", tournament_id=self.tournament_id)

    async def _finish(self) -> None:
        now = self._context.wall()
        finished = after(self.board.state, Command.COMPLETE)
        # Of one that was played to its end, the sizes at which the goal was reached by then.
        found: dict[int, VerdictRow] = {}
        if self.board.settings.until and not self.board.verdicts:
            found = {**self.goal.found, **await last_verdicts(self.board)}

        def work(tx: WriteTx) -> None:
            verdicts.add(tx, found.values())
            tournaments.set_state(tx, self.tournament_id, finished, ended_at=now)

        await self._context.write(work)
        self.board.verdicts |= found
        self.board.state = finished
        _log.info("tournament finished", tournament_id=self.tournament_id)


def _with_journals(
    tx: ReadTx, tournament_id: str
) -> list[tuple[MatchRow, tuple[str, ...], tuple[bytes, ...]]]:
    found: list[tuple[MatchRow, tuple[str, ...], tuple[bytes, ...]]] = []
    for seated in matches.running(tx, tournament_id):
        rows = journal.entries(tx, seated.match.match_id)
        seats = tuple(seat.bot_id for seat in seated.seats)
        found.append((seated.match, seats, tuple(row.payload for row in rows)))
    return found
