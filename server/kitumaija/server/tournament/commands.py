"""What an organizer, or a bot of its own, can have done with a tournament.

Each command is one transaction: the state is looked up, the lifecycle's table is asked, what
follows is written together with the audit entry and the answer to the request. What running matches
need to know of it comes after the commit, and is finished even if the caller hangs up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from kitumaija.engine import commitment, text_seed
from kitumaija.server.store import deal_trees, entrants, matches, tournaments
from kitumaija.server.store.errors import AlreadyStored
from kitumaija.server.store.rows import (
    DealTreeRow,
    EntrantState,
    SeatedMatch,
    TournamentRow,
    TournamentState,
)
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.tournament import rates
from kitumaija.server.tournament.bench import Bench
from kitumaija.server.tournament.changes import Changes, Detail, after_command, stored
from kitumaija.server.tournament.context import Context
from kitumaija.server.tournament.dealtrees import grow
from kitumaija.server.tournament.entering import LATE, enter_all, players_of
from kitumaija.server.tournament.entropies import Entropies
from kitumaija.server.tournament.errands import Errands
from kitumaija.server.tournament.lifecycle import Command
from kitumaija.server.tournament.once import Once
from kitumaija.server.tournament.planning import planned_by_size
from kitumaija.server.tournament.recall import LEAVING
from kitumaija.server.tournament.refusals import (
    entrant_left,
    no_entrant,
    tournament_exists,
)
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.server.tournament.starting import fix_schedule, who_starts
from kitumaija.server.tournament.voiding import annul, reopen

if TYPE_CHECKING:
    from kitumaija.server.tournament.director import Director

MASTER_BYTES = 32


class Commands:
    """The commands. `actor` is who gives one, for the audit log; `once` makes repeating it safe.

    All raise `KitumaijaError` for what cannot be done, with what to do about it.
    """

    def __init__(
        self, context: Context, director: Director, entropies: Entropies, entropy_within: timedelta
    ) -> None:
        self._context = context
        self._director = director
        self._entropies = entropies
        self._entropy_within = entropy_within
        self._changes = Changes(context, director)
        self._errands = Errands()
        self.bench = Bench(director, self._changes, self._errands)

    async def settle(self) -> None:
        """Wait until no command is under way."""
        await self._errands.settle()

    async def create(
        self,
        tournament_id: str,
        title: str,
        settings: TournamentSettings,
        *,
        actor: str,
        once: Once,
    ) -> None:
        """Make a tournament in state DRAFT, and commit to its master seed."""
        if settings.unsafe_seed:
            master = text_seed(settings.unsafe_seed)
        else:
            master = self._context.token_bytes(MASTER_BYTES)
        committed = commitment(master)
        row = TournamentRow(
            tournament_id=tournament_id,
            title=title,
            state=TournamentState.DRAFT,
            settings=settings.as_dict(),
            master_seed=master,
            master_commitment=committed,
            created_at=self._context.wall(),
        )

        def work(tx: WriteTx) -> None:
            def create() -> None:
                try:
                    tournaments.add(tx, row)
                except AlreadyStored:
                    raise tournament_exists(tournament_id) from None
                self._changes.note(
                    tx, tournament_id, "create", actor, detail={"commitment": committed.hex()}
                )

            once(tx, create)

        await self._errands.do(self._context.write(work))

    async def open(self, tournament_id: str, *, actor: str, once: Once) -> None:
        """Open a tournament for entries: DRAFT to OPEN."""
        await self._errands.do(self._changes.make_locked(tournament_id, Command.OPEN, actor, once))

    async def enter(
        self, tournament_id: str, bot_ids: Sequence[str], *, actor: str, once: Once
    ) -> None:
        """Enter bots, all or none, and ask those that are connected to commit to their entropy.

        Into a ladder that has started they come without, from its next round on.
        """

        async def errand() -> None:
            async with self._director.lock(tournament_id):
                state = (await self._context.read(lambda tx: stored(tx, tournament_id))).state
                command = Command.ENTER_LATE if state in LATE else Command.ENTER

                def work(tx: WriteTx, row: TournamentRow) -> None:
                    enter_all(tx, row, bot_ids)
                    for bot_id in bot_ids[1:]:
                        self._changes.note(tx, tournament_id, command.value, actor, subject=bot_id)

                done = await self._changes.make(
                    tournament_id, command, actor, once, subject=bot_ids[0], work=work
                )
                if done:
                    with self._kept():
                        await self._take_in(tournament_id, bot_ids)

        await self._errands.do(errand())

    async def _take_in(self, tournament_id: str, bot_ids: Sequence[str]) -> None:
        """Do what follows from an entry."""
        running = self._director.running(tournament_id)
        if running is not None:
            running.enter(await self._context.read(lambda tx: players_of(tx, bot_ids)))
            return
        for bot_id in bot_ids:
            await self._entropies.ask_bot(bot_id)

    async def close(self, tournament_id: str, *, actor: str, once: Once) -> None:
        """Close the entries: OPEN to CLOSED; bots that are connected reveal their entropy.

        Waits a little for the commitments of bots that are connected.
        """

        async def errand() -> None:
            async with self._director.lock(tournament_id):
                await self._wait_for_entropy(tournament_id, Command.CLOSE, once)
                if await self._changes.make(tournament_id, Command.CLOSE, actor, once):
                    self._entropies.forget(tournament_id)
                    with self._kept():
                        await self._entropies.ask_entrants(tournament_id)

        await self._errands.do(errand())

    async def start(
        self, tournament_id: str, *, allow_absent: bool, actor: str, once: Once
    ) -> None:
        """Fix the schedule, commit to its deals and begin: CLOSED to RUNNING.

        Waits a little for the entropy of bots that are connected and committed to some.
        """

        connected = self._context.presence.connected
        grown: tuple[DealTreeRow, ...] = ()

        def work(tx: WriteTx, row: TournamentRow) -> Detail:
            entered = fix_schedule(tx, row, connected=connected, allow_absent=allow_absent)
            planned = planned_by_size(tx, row)
            deal_trees.add(tx, grown)
            return {
                "entrants": " ".join(entered),
                "matches": str(sum(planned.values())),
                **{f"deals_root_{tree.table_size}": tree.root.hex() for tree in grown},
            }

        async def errand() -> None:
            async with self._director.lock(tournament_id):
                nonlocal grown
                await self._wait_for_entropy(tournament_id, Command.START, once)
                grown = await self._deal_trees(tournament_id, once, allow_absent=allow_absent)
                done = await self._changes.make(
                    tournament_id, Command.START, actor, once, work=work
                )
                if done:
                    self._entropies.forget(tournament_id)
                    with self._kept():
                        await self._director.take_up(tournament_id)
                    self._director.wake()

        await self._errands.do(errand())

    async def pause(self, tournament_id: str, *, actor: str, once: Once) -> None:
        """Begin no more matches: RUNNING to PAUSED."""
        await self._errands.do(self._changes.make_locked(tournament_id, Command.PAUSE, actor, once))

    async def resume(self, tournament_id: str, *, actor: str, once: Once) -> None:
        """Go on after a pause: PAUSED to RUNNING."""
        await self._errands.do(
            self._changes.make_locked(tournament_id, Command.RESUME, actor, once)
        )

    async def cancel(self, tournament_id: str, reason: str, *, actor: str, once: Once) -> None:
        """End a tournament before its schedule is played; what was played stays, and is rated."""
        said = f"the tournament was cancelled{f': {reason}' if reason else ''}"

        async def errand() -> None:
            async with self._director.lock(tournament_id):
                running = self._director.running(tournament_id)
                stop = running.stopping(said, self._context.wall()) if running else None

                def work(tx: WriteTx, row: TournamentRow) -> Detail:
                    counts = matches.counts(tx, row.tournament_id)
                    if stop is not None:
                        stop(tx)
                    return {"running": str(counts.running), "finished": str(counts.finished)}

                done = await self._changes.make(
                    tournament_id, Command.CANCEL, actor, once, reason=reason, work=work
                )
                if done and running is not None:
                    self._director.drop(tournament_id)
                    running.forget(said)
                    with self._kept():
                        for size in running.board.course.tables:
                            await rates.catch_up(self._context, tournament_id, size)

        await self._errands.do(errand())

    async def withdraw(
        self, tournament_id: str, bot_id: str, reason: str, *, actor: str, once: Once
    ) -> None:
        """Take an entrant out at its own wish."""
        await self._errands.do(
            self._take_out(
                tournament_id,
                Command.WITHDRAW,
                bot_id,
                reason=reason or "withdrawn",
                actor=actor,
                once=once,
            )
        )

    async def disqualify(
        self, tournament_id: str, bot_id: str, reason: str, *, actor: str, once: Once
    ) -> None:
        """Take an entrant out by the organizer's decision."""
        await self._errands.do(
            self._take_out(
                tournament_id,
                Command.DISQUALIFY,
                bot_id,
                reason=reason,
                actor=actor,
                once=once,
            )
        )

    async def void_match(
        self, tournament_id: str, match_id: str, reason: str, *, actor: str, once: Once
    ) -> None:
        """Declare a match void that counts: it is played again, and the ratings forget it."""

        async def errand() -> None:
            attempts: Sequence[SeatedMatch] = ()

            def work(tx: WriteTx, row: TournamentRow) -> None:
                nonlocal attempts
                attempts = annul(tx, row.tournament_id, match_id, reason)

            async with self._director.lock(tournament_id):
                done = await self._changes.make(
                    tournament_id,
                    Command.VOID,
                    actor,
                    once,
                    subject=match_id,
                    reason=reason,
                    work=work,
                )
                running = self._director.running(tournament_id)
                if done and running is not None:
                    reopen(running.board, attempts)
                    self._director.wake()

        await self._errands.do(errand())

    async def rebuild_ratings(self, tournament_id: str, *, actor: str) -> tuple[int, bool]:
        """Compute the ratings anew from the results; return how many there were, and whether any
        number changed."""

        async def errand() -> tuple[int, bool]:
            def look(tx: WriteTx) -> TournamentRow:
                row = stored(tx, tournament_id)
                self._changes.note(tx, tournament_id, "rebuild_ratings", actor)
                return row

            row = await self._context.write(look)
            if row.schedule_seed is None:
                return 0, False
            results, changed = 0, False
            for size in TournamentSettings.from_dict(dict(row.settings)).table_sizes:
                rated, differs = await rates.rebuild(self._context, tournament_id, size)
                results, changed = results + rated, changed or differs
            return results, changed

        return await self._errands.do(errand())

    # What they have in common

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Do what follows from a command that is committed: the store says that it is done.

        Where it cannot be followed a server must not run on, for only a restart would make it good.
        """
        try:
            yield
        except Exception as error:
            self._context.hall.fail(error)
            raise

    async def _take_out(
        self,
        tournament_id: str,
        command: Command,
        bot_id: str,
        *,
        reason: str,
        actor: str,
        once: Once,
    ) -> None:
        state = _LEAVING[command]

        def work(tx: WriteTx, row: TournamentRow) -> Detail:
            entry = entrants.get(tx, row.tournament_id, bot_id)
            if entry is None:
                raise no_entrant(tournament_id, bot_id)
            if entry.state.left:
                raise entrant_left(tournament_id, bot_id, entry.state)
            entrants.set_state(tx, tournament_id, bot_id, state, reason=reason)
            return {"no_shows": str(entry.no_shows)}

        async with self._director.lock(tournament_id):
            done = await self._changes.make(
                tournament_id, command, actor, once, subject=bot_id, reason=reason, work=work
            )
            running = self._director.running(tournament_id)
            if done and running is not None:
                running.leave(bot_id, LEAVING[state])

    async def _wait_for_entropy(self, tournament_id: str, command: Command, once: Once) -> None:
        """Wait for what bots were asked for, unless the command is refused or done already."""
        if await self._context.write(once.known):
            return
        await self._context.read(lambda tx: after_command(stored(tx, tournament_id), command))
        await self._entropies.wait(tournament_id, self._entropy_within)

    async def _deal_trees(
        self, tournament_id: str, once: Once, *, allow_absent: bool
    ) -> tuple[DealTreeRow, ...]:
        """Return the trees over the deals of a tournament that starts, unless that is done already.

        There are none where the schedule is drawn round by round, of which nobody knows now how
        long it will be. The tournament's lock is held: nobody enters or leaves meanwhile. Raises
        as `who_starts` does, before anything is grown for nothing.
        """
        if await self._context.write(once.known):
            return ()
        connected = self._context.presence.connected

        def look(tx: ReadTx) -> tuple[bytes, dict[int, int]]:
            row = stored(tx, tournament_id)
            who_starts(tx, row, connected=connected, allow_absent=allow_absent)
            drawn = TournamentSettings.from_dict(dict(row.settings)).format.is_drawn
            return row.master_seed, {} if drawn else planned_by_size(tx, row)

        return await grow(tournament_id, *await self._context.read(look))


_LEAVING = {
    Command.WITHDRAW: EntrantState.WITHDRAWN,
    Command.DISQUALIFY: EntrantState.DISQUALIFIED,
}
