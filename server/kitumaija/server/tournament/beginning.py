"""Begins matches: first their rows are committed, then they are offered."""

from __future__ import annotations

from dataclasses import replace

from kitumaija.server.match.journal import JournalEntry
from kitumaija.server.store import entrants, matches
from kitumaija.server.store.rows import MatchRow
from kitumaija.server.store.transactions import WriteTx
from kitumaija.server.tournament.board import Board
from kitumaija.server.tournament.course import Attempt
from kitumaija.server.tournament.dispatch import Slots

BATCH = 64
"""How many matches are begun in one transaction."""


class Beginning:
    """Begins the matches of one tournament."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def choose(self) -> list[Attempt]:
        """Return what can be begun now, a batch at most; its slots count as taken.

        While no entrant at all is connected nobody has room, so that only what will never be played
        is come across, and what is postponed.
        """
        presence = self._board.context.presence
        active = self._board.active if self._board.connected() else ()
        free = {bot: presence.free(bot) for bot in active}
        slots = Slots(free, self._board.settings.max_running_matches - len(self._board.attempts))
        chosen: list[Attempt] = []
        while len(chosen) < BATCH:
            attempt = self._board.course.next(slots)
            if attempt is None:
                break
            chosen.append(attempt)
        return chosen

    async def begin(self, begun: list[Attempt], cancelled: list[Attempt]) -> None:
        """Write down what begins and what is cancelled, then offer what begins."""
        now = self._board.context.wall()
        rows = [self._board.new_row(attempt, now) for attempt in begun]
        dropped = [
            self._board.cancelled_row(
                attempt, now, f"{self._board.who_left(attempt)} left the tournament"
            )
            for attempt in cancelled
        ]
        versions = self._versions_to_freeze(begun)

        def work(tx: WriteTx) -> None:
            for row, attempt in zip((*rows, *dropped), (*begun, *cancelled), strict=True):
                matches.add(tx, row, attempt.seats)
            for bot_id, version in versions.items():
                entrants.set_version(tx, self._board.tournament_id, bot_id, version)

        await self._board.context.write(work)
        for bot_id, version in versions.items():
            self._board.players[bot_id] = replace(self._board.players[bot_id], bot_version=version)
        for attempt in cancelled:
            self._board.course.settle(attempt)
        self._board.count(running=len(begun), cancelled=len(cancelled))
        for row, attempt in zip(rows, begun, strict=True):
            self.open(row, attempt)

    def open(self, row: MatchRow, attempt: Attempt, entries: tuple[JournalEntry, ...] = ()) -> None:
        """Offer a match whose row is stored, or go on with it from its journal.

        A seat whose bot has left meanwhile is forfeited. Raises `JournalError` for a journal that
        is not this match's.
        """
        board = self._board
        board.attempts[row.match_id] = attempt
        board.context.hall.open(
            board.setup(row, attempt),
            names={bot: board.players[bot].display_name for bot in attempt.seats},
            aliases=board.aliases(row, attempt),
            started_at=row.created_at,
            resume_from=entries or None,
        )
        for bot in attempt.seats:
            if bot in board.left:
                board.context.hall.order_forfeit(bot, board.left[bot], match_ids=[row.match_id])

    def _versions_to_freeze(self, begun: list[Attempt]) -> dict[str, str]:
        found: dict[str, str] = {}
        for bot_id in {bot for attempt in begun for bot in attempt.seats}:
            info = self._board.context.presence.info(bot_id)
            if info is not None and info.version and not self._board.players[bot_id].bot_version:
                found[bot_id] = info.version
        return found
