"""Whether the database holds together, whatever its rows mean."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ForeignKeyConstraint, and_, exists, func, select, text

from kitumaija.server.checking.values import Check, Finding
from kitumaija.server.store.schema import MATCHES, METADATA
from kitumaija.server.store.transactions import ReadTx

LISTED = 20
"""How many findings of one kind are listed."""


def integrity(tx: ReadTx) -> Iterator[Finding]:
    """Let SQLite read its whole file: every page, every index against its table."""
    if tx.connection.dialect.name != "sqlite":
        return  # PostgreSQL keeps its own house; its checksums speak up at every read.
    for (line,) in tx.connection.execute(text(f"PRAGMA integrity_check({LISTED})")):
        if line != "ok":
            yield Finding(Check.DATABASE, f"the database file is damaged: {' '.join(line.split())}")


def references(tx: ReadTx) -> Iterator[Finding]:
    """Look for rows that refer to one that is not there."""
    for table in METADATA.sorted_tables:
        for constraint in sorted(table.foreign_key_constraints, key=lambda one: str(one.name)):
            yield from _dangling(tx, constraint)


def repeated_deals(tx: ReadTx) -> Iterator[Finding]:
    """Look for deals that more than one match has."""
    statement = (
        select(MATCHES.c.deal_id, func.count().label("matches"))
        .group_by(MATCHES.c.deal_id)
        .having(func.count() > 1)
        .limit(LISTED)
    )
    for row in tx.all(statement):
        yield Finding(Check.DATABASE, f"{row['matches']} matches have the deal {row['deal_id']!r}")


def _dangling(tx: ReadTx, constraint: ForeignKeyConstraint) -> Iterator[Finding]:
    parent = constraint.referred_table.alias("parent")
    pairs = [(part.parent, parent.c[part.column.name]) for part in constraint.elements]
    columns = [column for column, _ in pairs]
    statement = (
        select(*columns)
        .where(*(column.is_not(None) for column in columns))
        .where(~exists().where(and_(*(column == key for column, key in pairs))))
        .distinct()
        .limit(LISTED)
    )
    for row in tx.all(statement):
        named = " and ".join(f"{column.name} {row[column.name]!r}" for column in columns)
        yield Finding(
            Check.DATABASE,
            f"the table {constraint.table.name} names the {named}, "
            f"which the table {constraint.referred_table.name} does not have",
        )
