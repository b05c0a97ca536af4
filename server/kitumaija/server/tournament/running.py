"""One running tournament: starts its matches, and writes down how they end, each exactly once.

A match's row is committed before the match is offered, and its result, its record and what follows
from them are one transaction, done only if the row is still running in this server's epoch. So
whenever the server dies, the store tells which matches to go on with and which numbers are open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import structlog

from kitumaija.engine import Deal, deal_seed
from kitumaija.server.ids import random_id
from kitumaija.server.lobby.hooks import MatchOver
from kitumaija.server.match.journal import JournalEntry, JournalError, entry_from_bytes
from kitumaija.server.match.values import (
    Fault,
    MatchNotStarted,
    MatchPlayed,
    MatchSetup,
    MatchVoid,
)
from kitumaija.server.store import entrants, journal, matches, tournaments
from kitumaija.server.store.rows import (
    EntrantState,
    MatchCounts,
    MatchRow,
    MatchState,
    TournamentState,
)
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.tournament.context import Context
from kitumaija.server.tournament.course import Attempt, Course
from kitumaija.server.tournament.dispatch import Slots
from kitumaija.server.tournament.players import Player
from kitumaija.server.tournament.recall import Recalled
from kitumaija.server.tournament.results import absent_seats, played_seats, record_of

_log = structlog.stdlib.get_logger(__name__)

BATCH = 64
"""How many matches are begun in one transaction."""


class RunningTournament:
    """A tournament between its start and its end; `changed` is called whenever something moved.

    The lock is the tournament's: it is held while matches are begun and while a command changes
    the tournament, so that neither comes into the other.
    """

    def __init__(
        self,
        context: Context,
        recalled: Recalled,
        *,
        lock: asyncio.Lock,
        changed: Callable[[], None],
    ) -> None:
        self._context = context
        self._master = recalled.row.master_seed
        self._lock = lock
        self._changed = changed
        self.tournament_id = recalled.row.tournament_id
        self.state = recalled.row.state
        self.settings = recalled.settings
        self.players: dict[str, Player] = recalled.players
        self.course: Course = recalled.course
        self.counts = recalled.counts
        self._attempts: dict[str, Attempt] = {}

    @property
    def playing(self) -> tuple[str, ...]:
        """The entrants that have not left."""
        return tuple(bot for bot in self.players if bot not in self.course.gone)

    @property
    def match_ids(self) -> tuple[str, ...]:
        """The matches that run."""
        return tuple(self._attempts)

    def connected(self) -> int:
        """Return how many of the entrants that play are connected."""
        return sum(self._context.presence.connected(bot) for bot in self.playing)

    def frozen_version(self, bot_id: str) -> str:
        """Return the version that the bot plays this tournament with; empty if it is still free."""
        player = self.players.get(bot_id)
        return player.bot_version if player and bot_id not in self.course.gone else ""

    # Beginning matches

    async def start_matches(self) -> bool:
        """Begin what can be begun now; return whether more can be looked for at once.

        While no entrant at all is connected nothing is begun: an arena that is cut off from all of
        its bots waits, and withdraws nobody.
        """
        async with self._lock:
            if self.state is not TournamentState.RUNNING:
                return False
            begun: list[Attempt] = []
            again = False
            if self.connected() or len(self.playing) < 2:
                begun = self._choose()
                again = len(begun) == BATCH or self.course.hurried
            cancelled = self.course.drain_cancelled()
            if begun or cancelled:
                await self._begin(begun, cancelled)
                self._changed()
            return again

    def _choose(self) -> list[Attempt]:
        free = {bot: self._context.presence.free(bot) for bot in self.playing}
        slots = Slots(free, self.settings.max_running_matches - len(self._attempts))
        chosen: list[Attempt] = []
        while len(chosen) < BATCH:
            attempt = self.course.next(slots)
            if attempt is None:
                break
            chosen.append(attempt)
        return chosen

    async def _begin(self, begun: list[Attempt], cancelled: list[Attempt]) -> None:
        now = self._context.wall()
        rows = [self._row(attempt, now) for attempt in begun]
        dropped = [
            replace(
                self._row(attempt, now),
                state=MatchState.CANCELLED,
                final=True,
                reason=f"{self._who_left(attempt)} left the tournament",
                ended_at=now,
            )
            for attempt in cancelled
        ]
        versions = self._versions_to_freeze(begun)

        def work(tx: WriteTx) -> None:
            for row, attempt in zip((*rows, *dropped), (*begun, *cancelled), strict=True):
                matches.add(tx, row, attempt.seats)
            for bot_id, version in versions.items():
                entrants.set_version(tx, self.tournament_id, bot_id, version)

        await self._context.write(work)
        for bot_id, version in versions.items():
            self.players[bot_id] = replace(self.players[bot_id], bot_version=version)
        for attempt in cancelled:
            self.course.settle(attempt)
        self._count(running=len(begun), cancelled=len(cancelled))
        for row, attempt in zip(rows, begun, strict=True):
            self._open(row, attempt)
            if self.course.has_left(attempt):
                who = self._who_left(attempt)
                self._context.hall.order_forfeit(who, Fault.WITHDRAWN, match_ids=[row.match_id])

    def _row(self, attempt: Attempt, now: datetime) -> MatchRow:
        return MatchRow(
            match_id=random_id(self._context.token_bytes),
            tournament_id=self.tournament_id,
            table_size=attempt.table_size,
            number=attempt.number,
            attempt=attempt.attempt,
            deal_id=deal_id(self.tournament_id, attempt),
            created_at=now,
            epoch=self._context.store.epoch,
            absent=attempt.last_placed,
        )

    def _open(
        self, row: MatchRow, attempt: Attempt, entries: tuple[JournalEntry, ...] = ()
    ) -> None:
        setup = MatchSetup(
            match_id=row.match_id,
            deal=Deal(
                row.deal_id,
                deal_seed(self._master, row.deal_id),
                tuple((bot, self.players[bot].entropy) for bot in attempt.seats),
            ),
            entrants=attempt.seats,
            options=self.settings.options,
            limits=self.settings.limits,
            policy=self.settings.policy,
        )
        self._attempts[row.match_id] = attempt
        self._context.hall.open(
            setup,
            names={bot: self.players[bot].display_name for bot in attempt.seats},
            started_at=row.created_at,
            resume_from=entries or None,
        )

    def _versions_to_freeze(self, begun: list[Attempt]) -> dict[str, str]:
        found: dict[str, str] = {}
        for bot_id in {bot for attempt in begun for bot in attempt.seats}:
            info = self._context.presence.info(bot_id)
            if info is not None and info.version and not self.players[bot_id].bot_version:
                found[bot_id] = info.version
        return found

    def _who_left(self, attempt: Attempt) -> str:
        return next(bot for bot in attempt.seats if bot in self.course.gone)

    # Ending matches

    async def match_over(self, over: MatchOver) -> None:
        """Write down how a match ended. A match that is none of ours any more is let be."""
        attempt = self._attempts.get(over.setup.match_id)
        if attempt is None:
            return
        match over.result:
            case MatchPlayed():
                await self._finish(over, over.result, attempt)
            case MatchNotStarted() | MatchVoid() if self.course.has_left(attempt):
                await self._cancel(over, attempt)
            case MatchNotStarted():
                await self._not_started(over, over.result, attempt)
            case MatchVoid(reason=reason):
                await self._give_up(over.setup.match_id, attempt, reason, over.ended_at)
        self._attempts.pop(over.setup.match_id, None)
        self._changed()

    async def _finish(self, over: MatchOver, played: MatchPlayed, attempt: Attempt) -> None:
        match_id, epoch = over.setup.match_id, self._context.store.epoch
        outcome = played.game.result.outcome
        names = {bot: player.display_name for bot, player in self.players.items()}
        record = record_of(over, played, tournament_id=self.tournament_id, names=names)

        def work(tx: WriteTx) -> bool:
            return matches.finish(
                tx,
                match_id,
                epoch,
                ending=played.ending.value,
                termination=None if outcome is None else outcome.termination.value,
                seats=played_seats(match_id, played),
                ended_at=over.ended_at,
                record=record,
                absent=attempt.last_placed,
            )

        if await self._context.write(work):
            self.course.settle(attempt)
            self._count(running=-1, finished=1)

    async def _cancel(self, over: MatchOver, attempt: Attempt) -> None:
        match_id, epoch = over.setup.match_id, self._context.store.epoch
        reason = f"{self._who_left(attempt)} left the tournament before the match began"

        def work(tx: WriteTx) -> bool:
            return matches.cancel(tx, match_id, epoch, reason=reason, ended_at=over.ended_at)

        if await self._context.write(work):
            self.course.settle(attempt)
            self._count(running=-1, cancelled=1)

    async def _give_up(
        self, match_id: str, attempt: Attempt, reason: str, ended_at: datetime
    ) -> None:
        """Write down that a match does not count; its number gets a new deal, a few times."""
        epoch = self._context.store.epoch
        final = self.course.is_lost(attempt)

        def work(tx: WriteTx) -> bool:
            return matches.void(
                tx,
                match_id,
                epoch,
                reason=reason,
                final=final,
                ended_at=ended_at,
                absent=attempt.last_placed if final else (),
            )

        if not await self._context.write(work):
            return
        if final:
            self.course.settle(attempt)
            self._count(running=-1, void=1)
        else:
            self.course.try_again(attempt)
            self._count(running=-1)

    async def _not_started(
        self, over: MatchOver, missing: MatchNotStarted, attempt: Attempt
    ) -> None:
        match_id, epoch = over.setup.match_id, self._context.store.epoch
        absent = [attempt.seats[seat] for seat, _ in missing.absent]
        follows = self.course.absence(attempt, absent)
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

        withdrawn = await self._context.write(work)
        if withdrawn is None:
            return
        if follows.void:
            self.course.settle(attempt)
            self._count(running=-1, void=1)
        else:
            self.course.try_again(attempt, follows)
            self._count(running=-1)
        self._attempts.pop(match_id, None)
        for bot in withdrawn:
            self.leave(bot, Fault.WITHDRAWN)

    def _strike(self, tx: WriteTx, bot_id: str) -> bool:
        """Count a no show; withdraw the entrant if it is one too many, and say so."""
        no_shows = entrants.add_no_show(tx, self.tournament_id, bot_id)
        entrant = entrants.get(tx, self.tournament_id, bot_id)
        playing = entrant is not None and entrant.state is EntrantState.ENTERED
        if not playing or no_shows < self.settings.no_shows_to_withdraw:
            return False
        entrants.set_state(
            tx,
            self.tournament_id,
            bot_id,
            EntrantState.WITHDRAWN,
            reason=f"did not show up for {no_shows} matches",
        )
        return True

    # Leaving and going on

    def leave(self, bot_id: str, fault: Fault) -> None:
        """Take an entrant out, as the store says already: its matches that run are forfeited."""
        self.course.leave(bot_id)
        self._context.hall.order_forfeit(bot_id, fault, match_ids=self.match_ids)
        self._changed()

    def stop(self, tx: WriteTx, reason: str, at: datetime) -> None:
        """Write down that nothing more is played: what runs is cancelled, and so are the numbers
        passed over, for results count only behind numbers that are settled."""
        epoch = self._context.store.epoch
        for match_id in self.match_ids:
            matches.cancel(tx, match_id, epoch, reason=reason, ended_at=at)
        for attempt in self.course.gaps():
            row = replace(
                self._row(attempt, at),
                state=MatchState.CANCELLED,
                final=True,
                reason=reason,
                ended_at=at,
            )
            matches.add(tx, row, attempt.seats)

    def forget(self, reason: str) -> None:
        """End the running matches, which the store has cancelled."""
        dropped = self.match_ids
        self._attempts.clear()
        self.state = TournamentState.CANCELLED
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
                self._open(row, attempt, tuple(entry_from_bytes(entry) for entry in entries))
            except JournalError as error:
                _log.error("unreadable journal", match_id=row.match_id, error=str(error))
                self._attempts.pop(row.match_id, None)
                await self._give_up(
                    row.match_id,
                    attempt,
                    "its journal cannot be read, so nobody knows what was played",
                    self._context.wall(),
                )

    async def complete(self) -> None:
        """End the tournament if every number is settled; its secrets are public from here on."""
        async with self._lock:
            if not self.course.over or self.state.over:
                return
            now = self._context.wall()

            def work(tx: WriteTx) -> None:
                tournaments.set_state(
                    tx, self.tournament_id, TournamentState.FINISHED, ended_at=now
                )

            await self._context.write(work)
            self.state = TournamentState.FINISHED
            _log.info("tournament finished", tournament_id=self.tournament_id)
            self._changed()

    def _count(
        self, *, running: int = 0, finished: int = 0, void: int = 0, cancelled: int = 0
    ) -> None:
        before = self.counts
        self.counts = MatchCounts(
            running=before.running + running,
            finished=before.finished + finished,
            void=before.void + void,
            cancelled=before.cancelled + cancelled,
        )


def deal_id(tournament_id: str, attempt: Attempt) -> str:
    """Return the id of an attempt's deal: no other attempt at any number of any size has it."""
    return f"{tournament_id}/{attempt.table_size}/{attempt.number}/{attempt.attempt}"


def _with_journals(
    tx: ReadTx, tournament_id: str
) -> list[tuple[MatchRow, tuple[str, ...], tuple[bytes, ...]]]:
    found: list[tuple[MatchRow, tuple[str, ...], tuple[bytes, ...]]] = []
    for seated in matches.running(tx, tournament_id):
        rows = journal.entries(tx, seated.match.match_id)
        seats = tuple(seat.bot_id for seat in seated.seats)
        found.append((seated.match, seats, tuple(row.payload for row in rows)))
    return found
