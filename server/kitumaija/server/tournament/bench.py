"""The bench: an organizer takes an entrant out for a while, and lets it come back.

Its matches that run go on to their end. Those that are not begun are postponed, and played when it
is back; everybody else's go on. A tournament that has nothing else left to play waits for it: for
as long as its settings say, or until the organizer decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from kitumaija.server.clock import NANOS_PER_SECOND, Wall, nanos
from kitumaija.server.match.values import Nanos
from kitumaija.server.store import entrants
from kitumaija.server.store.rows import EntrantState, TournamentRow
from kitumaija.server.store.transactions import WriteTx
from kitumaija.server.tournament.board import Board
from kitumaija.server.tournament.changes import Changes, Detail
from kitumaija.server.tournament.errands import Errands
from kitumaija.server.tournament.lifecycle import Command
from kitumaija.server.tournament.once import Once
from kitumaija.server.tournament.refusals import entrant_left, entrant_state, no_entrant

if TYPE_CHECKING:
    from kitumaija.server.tournament.director import Director

LOOK_EVERY = 1 * NANOS_PER_SECOND

_COMES_FROM = {
    EntrantState.BENCHED: EntrantState.ENTERED,
    EntrantState.ENTERED: EntrantState.BENCHED,
}


class Bench:
    """The commands of the bench; they raise `KitumaijaError` like those of `Commands`."""

    def __init__(self, director: Director, changes: Changes, errands: Errands) -> None:
        self._director = director
        self._changes = changes
        self._errands = errands

    async def take_out(
        self, tournament_id: str, bot_id: str, reason: str, *, actor: str, once: Once
    ) -> None:
        """Take an entrant out for a while: ENTERED to BENCHED."""

        async def errand() -> None:
            async with self._director.lock(tournament_id):
                running = self._director.running(tournament_id)
                going_on = 0
                if running is not None:
                    attempts = running.board.attempts.values()
                    going_on = sum(bot_id in attempt.seats for attempt in attempts)

                def work(tx: WriteTx, row: TournamentRow) -> Detail:
                    _move(tx, row.tournament_id, bot_id, EntrantState.BENCHED, reason=reason)
                    return {"running": str(going_on)}

                done = await self._changes.make(
                    tournament_id,
                    Command.BENCH,
                    actor,
                    once,
                    subject=bot_id,
                    reason=reason,
                    work=work,
                )
                if done and running is not None:
                    running.bench(bot_id)

        await self._errands.do(errand())

    async def bring_back(
        self, tournament_id: str, bot_id: str, reason: str, *, actor: str, once: Once
    ) -> None:
        """Let an entrant come back: BENCHED to ENTERED."""

        def work(tx: WriteTx, row: TournamentRow) -> None:
            _move(tx, row.tournament_id, bot_id, EntrantState.ENTERED)

        async def errand() -> None:
            async with self._director.lock(tournament_id):
                done = await self._changes.make(
                    tournament_id,
                    Command.RETURN,
                    actor,
                    once,
                    subject=bot_id,
                    reason=reason,
                    work=work,
                )
                running = self._director.running(tournament_id)
                if done and running is not None:
                    self._director.bench_waits.forget(tournament_id)
                    running.bring_back(bot_id)

        await self._errands.do(errand())


def _move(
    tx: WriteTx, tournament_id: str, bot_id: str, to: EntrantState, *, reason: str = ""
) -> None:
    wanted = _COMES_FROM[to]
    entry = entrants.get(tx, tournament_id, bot_id)
    if entry is None:
        raise no_entrant(tournament_id, bot_id)
    if entry.state.left:
        raise entrant_left(tournament_id, bot_id, entry.state)
    if entry.state is not wanted:
        raise entrant_state(tournament_id, bot_id, entry.state, wanted)
    entrants.set_state(tx, tournament_id, bot_id, to, reason=reason)


@dataclass(frozen=True, slots=True)
class BenchWait:
    """A tournament waits: it has nothing left to play but matches of these entrants."""

    bots: frozenset[str]
    since: Nanos
    until: datetime | None
    """When they are withdrawn if they are not back; None if that is the organizer's decision."""


class BenchWaits:
    """Which tournaments wait for entrants on the bench, and since when.

    The time is counted while the server runs, and from its beginning after a restart: a
    tournament is never given less than its settings say. `changed` is called with a tournament
    that begins to wait or waits no more.
    """

    def __init__(self, wall: Wall, changed: Callable[[str], None]) -> None:
        self._wall = wall
        self._changed = changed
        self._next = 0
        self._waits: dict[str, BenchWait] = {}
        self._due: dict[str, timedelta] = {}

    def look(self, now: Nanos, boards: Iterable[Board]) -> bool:
        """Look at the running tournaments; return whether any has waited for long enough."""
        if now < self._next:
            return bool(self._due)
        self._next = now + LOOK_EVERY
        before, self._waits = self._waits, {}
        for board in boards:
            bots, name = board.holding(), board.tournament_id
            if not bots:
                continue
            wait = before.get(name)
            longest = board.settings.bench_wait
            if wait is None or wait.bots != bots:
                wait = BenchWait(bots, now, self._wall() + longest if longest else None)
            self._waits[name] = wait
            if longest and now - wait.since >= nanos(longest):
                self._due[name] = longest
        for name in {
            name
            for name in before.keys() | self._waits.keys()
            if before.get(name) != self._waits.get(name)
        }:
            self._changed(name)
        return bool(self._due)

    def of(self, board: Board) -> BenchWait | None:
        """Return how a tournament waits; None if it does not."""
        wait = self._waits.get(board.tournament_id)
        return wait if wait is not None and board.holding() else None

    def take_due(self, tournament_id: str) -> timedelta | None:
        """Return how long a tournament has waited if that is long enough; each is told once."""
        return self._due.pop(tournament_id, None)

    def forget(self, tournament_id: str) -> None:
        """Begin anew: somebody came back."""
        self._waits.pop(tournament_id, None)
        self._due.pop(tournament_id, None)
