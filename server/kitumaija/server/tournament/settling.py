"""Writes down how matches end, each exactly once.

The result, its record and what follows from them are one transaction, which is done only if the
row is still running in this server's epoch.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import structlog

from kitumaija.console.text import counted
from kitumaija.engine import GameRecord
from kitumaija.server.lobby.hooks import MatchOver
from kitumaija.server.match.journal import JournalError, entry_from_bytes
from kitumaija.server.match.values import Fault, MatchNotStarted, MatchPlayed, MatchVoid
from kitumaija.server.store import entrants, journal, matches
from kitumaija.server.store.transactions import WriteTx
from kitumaija.server.tournament.board import Board
from kitumaija.server.tournament.course import Attempt
from kitumaija.server.tournament.results import (
    absent_seats,
    broken_off,
    played_seats,
    record_of,
)
from kitumaija.server.tournament.rule import withdraw_by_rule
from kitumaija.wire.record import DecisionTiming, Incident

_log = structlog.stdlib.get_logger(__name__)


class Settling:
    """Settles the matches of one tournament. `leave` takes out who did not show up too often."""

    def __init__(self, board: Board, leave: Callable[[str, Fault], None]) -> None:
        self._board = board
        self._leave = leave

    async def match_over(self, over: MatchOver) -> None:
        """Write down how a match ended; a match that is none of ours any more is let be."""
        attempt = self._board.attempts.get(over.setup.match_id)
        if attempt is None:
            return
        match over.result:
            case MatchPlayed():
                await self._finish(over, over.result, attempt)
            case MatchNotStarted() | MatchVoid() if self._board.course.has_left(attempt):
                await self._cancel(over, attempt)
            case MatchNotStarted():
                await self._not_started(over, over.result, attempt)
            case MatchVoid(reason=reason):
                record = await self._broken_off(over, attempt)
                await self.give_up(over.setup.match_id, attempt, reason, over.ended_at, record)
        self._board.attempts.pop(over.setup.match_id, None)

    async def _finish(self, over: MatchOver, played: MatchPlayed, attempt: Attempt) -> None:
        match_id, epoch = over.setup.match_id, self._board.context.store.epoch
        outcome = played.game.result.outcome

        def work(tx: WriteTx) -> bool:
            return matches.finish(
                tx,
                match_id,
                epoch,
                ending=played.ending.value,
                termination=None if outcome is None else outcome.termination.value,
                seats=played_seats(match_id, played),
                ended_at=over.ended_at,
                record=self._record(over, attempt, played.game, played.timings, played.incidents),
                absent=attempt.last_placed,
            )

        if await self._board.context.write(work):
            self._board.course.settle(attempt)
            self._board.count(running=-1, finished=1)

    async def _cancel(self, over: MatchOver, attempt: Attempt) -> None:
        match_id, epoch = over.setup.match_id, self._board.context.store.epoch
        reason = f"{self._board.who_left(attempt)} left the tournament before the match began"
        record = await self._broken_off(over, attempt)

        def work(tx: WriteTx) -> bool:
            return matches.cancel(
                tx,
                match_id,
                epoch,
                reason=reason,
                ended_at=over.ended_at,
                absent=self._board.not_there(attempt),
                record=record,
            )

        if await self._board.context.write(work):
            self._board.course.settle(attempt)
            self._board.count(running=-1, cancelled=1)

    async def give_up(
        self,
        match_id: str,
        attempt: Attempt,
        reason: str,
        ended_at: datetime,
        record: bytes | None = None,
    ) -> None:
        """Write down that a match does not count; its number gets a new deal, a few times.

        `record` is that of what had been played.
        """
        epoch = self._board.context.store.epoch
        final = self._board.course.is_lost(attempt)

        def work(tx: WriteTx) -> bool:
            return matches.void(
                tx,
                match_id,
                epoch,
                reason=reason,
                final=final,
                ended_at=ended_at,
                absent=attempt.last_placed if final else (),
                record=record,
            )

        if not await self._board.context.write(work):
            return
        if final:
            self._board.course.settle(attempt)
            self._board.count(running=-1, void=1)
        else:
            self._board.course.try_again(attempt)
            self._board.count(running=-1)

    async def _broken_off(self, over: MatchOver, attempt: Attempt) -> bytes | None:
        """Return the record of a match that ended without a result; None if none was begun."""
        match_id = over.setup.match_id
        rows = await self._board.context.read(lambda tx: journal.entries(tx, match_id))
        try:
            found = broken_off(over.setup, [entry_from_bytes(row.payload) for row in rows])
        except JournalError as error:
            _log.error("unreadable journal", match_id=match_id, error=str(error))
            return None
        return None if found is None else self._record(over, attempt, *found)

    def _record(
        self,
        over: MatchOver,
        attempt: Attempt,
        game: GameRecord,
        timings: tuple[DecisionTiming, ...],
        incidents: tuple[Incident, ...],
    ) -> bytes:
        names = {bot: player.display_name for bot, player in self._board.players.items()}
        return record_of(
            over,
            game,
            timings,
            incidents,
            tournament_id=self._board.tournament_id,
            names=names,
            proof=self._board.proof(attempt),
        )

    async def _not_started(
        self, over: MatchOver, missing: MatchNotStarted, attempt: Attempt
    ) -> None:
        match_id, epoch = over.setup.match_id, self._board.context.store.epoch
        absent = [attempt.seats[seat] for seat, _ in missing.absent]
        follows = self._board.course.absence(attempt, absent)
        reason = f"{', '.join(absent)} did not come"

        def work(tx: WriteTx) -> tuple[str, ...] | None:
            done = matches.void(
                tx,
                match_id,
                epoch,
                reason=reason,
                final=follows.void,
                ended_at=over.ended_at,
                seats=absent_seats(match_id, attempt.seats, missing),
                absent=follows.last_placed if follows.void else (),
            )
            if not done:
                return None
            return tuple(bot for bot in follows.no_shows if self._strike(tx, bot))

        withdrawn = await self._board.context.write(work)
        if withdrawn is None:
            return
        if follows.void:
            self._board.course.settle(attempt)
            self._board.count(running=-1, void=1)
        else:
            self._board.course.try_again(attempt, follows)
            self._board.count(running=-1)
        self._board.attempts.pop(match_id, None)
        for bot in withdrawn:
            self._leave(bot, Fault.WITHDRAWN)

    def _strike(self, tx: WriteTx, bot_id: str) -> bool:
        """Count a no show; withdraw the entrant if it is one too many, and say so."""
        no_shows = entrants.add_no_show(tx, self._board.tournament_id, bot_id)
        entrant = entrants.get(tx, self._board.tournament_id, bot_id)
        playing = entrant is not None and not entrant.state.left
        if not playing or no_shows < self._board.settings.no_shows_to_withdraw:
            return False
        reason = f"did not show up for {counted(no_shows, 'match', 'matches')}"
        withdraw_by_rule(tx, self._board, bot_id, reason)
        return True
