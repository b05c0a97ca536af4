"""The watch over running tournaments: one that could go on and does not is looked at again.

The director begins matches when something happened, and looks at nothing by the clock. Should it
ever miss something, its tournament would wait for ever for what has been; so here the clock looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import structlog

from kitumaija.server.clock import NANOS_PER_SECOND
from kitumaija.server.match.values import Nanos
from kitumaija.server.store.rows import TournamentState
from kitumaija.server.tournament.board import Board

LOOK_EVERY = 1 * NANOS_PER_SECOND
AGAIN_AFTER = 10 * NANOS_PER_SECOND
AGAIN_AT_LEAST_EVERY = 640 * NANOS_PER_SECOND
"""How long a tournament may stand still before it is looked at again: at first, and at most. Each
time it is waited for twice as long as before."""

_log = structlog.stdlib.get_logger(__name__)


@dataclass(slots=True)
class _Still:
    since: int
    again_at: int


class Standstill:
    """Notices tournaments that stand still. `look_again` has the director look at all of them."""

    def __init__(self, look_again: Callable[[], None]) -> None:
        self._look_again = look_again
        self._next = 0
        self._still: dict[str, _Still] = {}

    def look(self, now: Nanos, boards: Iterable[Board]) -> None:
        """Look at the running tournaments; does nothing if the last look was a moment ago."""
        if now < self._next:
            return
        self._next = now + LOOK_EVERY
        before, self._still = self._still, {}
        for board in boards:
            if not stands_still(board):
                continue
            still = before.get(board.tournament_id) or _Still(now, now + AGAIN_AFTER)
            self._still[board.tournament_id] = still
            if now >= still.again_at:
                waited = now - still.since
                still.again_at = now + min(2 * waited, AGAIN_AT_LEAST_EVERY)
                self._tell(board, waited // NANOS_PER_SECOND)
                self._look_again()

    def _tell(self, board: Board, seconds: int) -> None:
        _log.error(
            "tournament stands still",
            tournament_id=board.tournament_id,
            seconds=seconds,
            state=board.state.value,
            planned=board.course.planned,
            finished=board.counts.finished,
            connected=board.connected(),
        )


def stands_still(board: Board) -> bool:
    """Return whether nothing runs in a tournament although nothing is waited for.

    Waited for are running matches, the end of a pause, bots while all of them are away, those on
    the bench, and room with bots that play elsewhere. Where all is settled, only the end is left to
    be written down.
    """
    if board.attempts or board.state.over:
        return False
    if board.done:
        return True
    if board.state is not TournamentState.RUNNING:
        return False
    if not board.connected() and not board.too_few():
        return False
    if board.holding():
        return False
    return not any(board.context.presence.taken(bot) for bot in board.playing)
