"""What a rule of the tournament does by itself, and nobody decided."""

from __future__ import annotations

from kitumaija.server.store import audit, entrants
from kitumaija.server.store.rows import AuditRow, EntrantState
from kitumaija.server.store.transactions import WriteTx
from kitumaija.server.tournament.board import Board
from kitumaija.server.tournament.lifecycle import Command
from kitumaija.server.tournament.turnout import rounds_so_far

BY_RULE = "server"
"""Who the audit log names for it."""


def withdraw_by_rule(tx: WriteTx, board: Board, bot_id: str, reason: str) -> None:
    """Withdraw an entrant, and write into the audit log why."""
    entrants.set_state(tx, board.tournament_id, bot_id, EntrantState.WITHDRAWN, reason=reason)
    audit.add(
        tx,
        AuditRow(
            at=board.context.wall(),
            actor=BY_RULE,
            action=Command.WITHDRAW.value,
            subject=bot_id,
            reason=reason,
            tournament_id=board.tournament_id,
            detail=rounds_so_far(tx, board.tournament_id),
        ),
    )
