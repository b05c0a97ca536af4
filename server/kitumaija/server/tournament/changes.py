"""How a command changes a tournament: in one transaction, with its audit entry and its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from kitumaija.server.store import audit, tournaments
from kitumaija.server.store.rows import AuditRow, TournamentRow, TournamentState
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.tournament.context import Context
from kitumaija.server.tournament.lifecycle import Command, WrongState, after
from kitumaija.server.tournament.once import Once
from kitumaija.server.tournament.refusals import no_tournament, wrong_state
from kitumaija.server.tournament.turnout import COMMANDS, rounds_so_far

if TYPE_CHECKING:
    from kitumaija.server.tournament.director import Director

Detail: TypeAlias = Mapping[str, str]
"""What there is to know of something that was done, by name, for the audit log."""

Work: TypeAlias = Callable[[WriteTx, TournamentRow], Detail | None]
"""What a command does beside changing the state; it may raise a refusal, or return details."""


class Changes:
    """Carries out commands: the lifecycle is asked, the work done, the change told."""

    def __init__(self, context: Context, director: Director) -> None:
        self._context = context
        self._director = director

    async def make_locked(
        self,
        tournament_id: str,
        command: Command,
        actor: str,
        once: Once,
        *,
        subject: str = "",
        work: Work | None = None,
    ) -> bool:
        """Carry out a command with the tournament's lock; return whether it was done now."""
        async with self._director.lock(tournament_id):
            return await self.make(tournament_id, command, actor, once, subject=subject, work=work)

    async def make(
        self,
        tournament_id: str,
        command: Command,
        actor: str,
        once: Once,
        *,
        subject: str = "",
        reason: str = "",
        work: Work | None = None,
    ) -> bool:
        """Carry out a command, the lock being held; return whether it was done now."""
        now = self._context.wall()

        def change(tx: WriteTx) -> TournamentState | None:
            state: TournamentState | None = None

            def do() -> None:
                nonlocal state
                row = stored(tx, tournament_id)
                state = after_command(row, command)
                detail = dict((work(tx, row) if work is not None else None) or {})
                if state is not row.state:
                    detail |= {"from": row.state.value, "to": state.value}
                    tournaments.set_state(
                        tx,
                        tournament_id,
                        state,
                        started_at=now if command is Command.START else None,
                        ended_at=now if state.over else None,
                    )
                self.note(
                    tx,
                    tournament_id,
                    command.value,
                    actor,
                    subject=subject,
                    reason=reason,
                    detail=detail,
                )

            once(tx, do)
            return state

        state = await self._context.write(change)
        if state is None:
            return False
        running = self._director.running(tournament_id)
        if running is not None:
            running.board.state = state
        self._director.wake()
        self._director.changed(tournament_id)
        return True

    def note(
        self,
        tx: WriteTx,
        tournament_id: str,
        action: str,
        actor: str,
        *,
        subject: str = "",
        reason: str = "",
        detail: Detail | None = None,
    ) -> None:
        """Write down in the audit log what was done."""
        if action in COMMANDS:
            detail = {**(detail or {}), **rounds_so_far(tx, tournament_id)}
        audit.add(
            tx,
            AuditRow(
                at=self._context.wall(),
                actor=actor,
                action=action,
                subject=subject or tournament_id,
                reason=reason,
                tournament_id=tournament_id,
                detail=detail or {},
            ),
        )


def stored(tx: ReadTx, tournament_id: str) -> TournamentRow:
    """Return a tournament with its secrets; raises `NotFound`."""
    row = tournaments.get(tx, tournament_id)
    if row is None:
        raise no_tournament(tournament_id)
    return row


def after_command(row: TournamentRow, command: Command) -> TournamentState:
    """Return where a command leads; raises `FailedPrecondition`."""
    try:
        return after(row.state, command)
    except WrongState as error:
        raise wrong_state(row.tournament_id, error) from None
