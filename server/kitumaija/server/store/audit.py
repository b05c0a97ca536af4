"""The audit log: what was done with an organizer's power. It only grows."""

from __future__ import annotations

from sqlalchemy import insert, select

from kitumaija.server.store.failpoints import failpoint
from kitumaija.server.store.paging import page_of, read_token
from kitumaija.server.store.rows import AuditRow, Page
from kitumaija.server.store.schema import AUDIT
from kitumaija.server.store.transactions import ReadTx, WriteTx


@failpoint
def add(tx: WriteTx, row: AuditRow) -> None:
    """Write down what was done; raises NotStored for a tournament that is not there."""
    values = {
        column.name: getattr(row, column.name) for column in AUDIT.c if not column.primary_key
    }
    tx.insert(insert(AUDIT), values, what=f"the audit entry {row.action!r}")


def of_action(tx: ReadTx, tournament_id: str, *actions: str) -> tuple[AuditRow, ...]:
    """All entries of these kinds about a tournament, oldest first."""
    statement = (
        select(*(column for column in AUDIT.c if not column.primary_key))
        .where(AUDIT.c.tournament_id == tournament_id, AUDIT.c.action.in_(actions))
        .order_by(AUDIT.c.audit_id)
    )
    return tuple(AuditRow(**row) for row in tx.all(statement))


def page(tx: ReadTx, *, size: int, token: str = "", tournament_id: str = "") -> Page[AuditRow]:
    """The log, newest first, of one tournament if given; raises BadPageToken."""
    listing = ("audit", tournament_id)
    statement = select(AUDIT).order_by(AUDIT.c.audit_id.desc()).limit(size + 1)
    if tournament_id:
        statement = statement.where(AUDIT.c.tournament_id == tournament_id)
    if key := read_token(listing, token, (int,)):
        statement = statement.where(AUDIT.c.audit_id < key[0])
    rows = [dict(row) for row in tx.all(statement)]
    numbered = [(row.pop("audit_id"), AuditRow(**row)) for row in rows]
    numbers = page_of(numbered, size, listing, lambda pair: (pair[0],))
    return Page(tuple(row for _, row in numbers.rows), numbers.next_token)
