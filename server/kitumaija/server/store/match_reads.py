"""What is asked about matches: one, those that run, those that are settled, a page of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, Select, func, select, tuple_

from kitumaija.server.store.paging import page_of, read_token
from kitumaija.server.store.rows import (
    MatchCounts,
    MatchRow,
    MatchSeatRow,
    MatchState,
    Page,
    SeatedMatch,
)
from kitumaija.server.store.schema import MATCH_SEATS, MATCHES, RECORDS
from kitumaija.server.store.transactions import ReadTx

# Matches whose seats are read with one question; databases bound the length of one.
_AT_ONCE = 500
_ORDER = (MATCHES.c.table_size, MATCHES.c.number, MATCHES.c.attempt)
_NUMBER = (MATCHES.c.tournament_id, MATCHES.c.table_size, MATCHES.c.number)


def get(tx: ReadTx, match_id: str) -> MatchRow | None:
    """A match by its id."""
    row = tx.first(select(MATCHES).where(MATCHES.c.match_id == match_id))
    return MatchRow(**row) if row else None


def seats(tx: ReadTx, match_id: str) -> tuple[MatchSeatRow, ...]:
    """The seats of a match, seat 0 first."""
    statement = (
        select(MATCH_SEATS).where(MATCH_SEATS.c.match_id == match_id).order_by(MATCH_SEATS.c.seat)
    )
    return tuple(MatchSeatRow(**row) for row in tx.all(statement))


def running(tx: ReadTx, tournament_id: str) -> tuple[SeatedMatch, ...]:
    """The matches of a tournament that are being played, in schedule order.

    After a crash these are what `claim` takes over and the journal continues.
    """
    return _seated(
        tx,
        select(MATCHES).where(
            MATCHES.c.tournament_id == tournament_id, MATCHES.c.state == MatchState.RUNNING
        ),
    )


def resolved_after(tx: ReadTx, tournament_id: str, table_size: int, number: int) -> frozenset[int]:
    """The numbers from `number` on that are settled by a final match.

    With `number` the length of the prefix that is known to be settled, these are the ones beyond.
    """
    statement = select(MATCHES.c.number).where(
        *_schedule(tournament_id, table_size), MATCHES.c.final, MATCHES.c.number >= number
    )
    return frozenset(row["number"] for row in tx.all(statement))


def unsettled(
    tx: ReadTx, tournament_id: str, table_size: int, number: int
) -> tuple[SeatedMatch, ...]:
    """Every attempt at those numbers from `number` on that were begun and are not settled.

    In schedule order, attempts in their order; those that run are among them.
    """
    return _seated(
        tx,
        select(MATCHES).where(
            *_schedule(tournament_id, table_size), MATCHES.c.number >= number, ~_settled()
        ),
    )


def counts(tx: ReadTx, tournament_id: str, table_size: int | None = None) -> MatchCounts:
    """How many matches of a tournament, or of one of its table sizes, are where."""
    statement = (
        select(MATCHES.c.state, func.count().label("count"))
        .where(MATCHES.c.tournament_id == tournament_id)
        .where(MATCHES.c.final | (MATCHES.c.state == MatchState.RUNNING))
        .group_by(MATCHES.c.state)
    )
    if table_size is not None:
        statement = statement.where(MATCHES.c.table_size == table_size)
    found = {row["state"].value: row["count"] for row in tx.all(statement)}
    return MatchCounts(**found)


def page(
    tx: ReadTx,
    tournament_id: str,
    *,
    size: int,
    token: str = "",
    table_size: int = 0,
    bot_id: str = "",
    running: Collection[str] | None = None,
) -> Page[SeatedMatch]:
    """All attempts in schedule order, of one table size and of one bot if given.

    Of the matches that run only those of `running`, if given, are in the listing, and of those that
    never began only those whose number is settled, for the same will sit there again; neither its
    rows nor its tokens tell of the others. Raises BadPageToken for a token that was made for
    another listing.
    """
    listing = ("matches", tournament_id, table_size, bot_id)
    statement = select(MATCHES).where(MATCHES.c.tournament_id == tournament_id).limit(size + 1)
    if table_size:
        statement = statement.where(MATCHES.c.table_size == table_size)
    if bot_id:
        at_table = select(MATCH_SEATS.c.match_id).where(MATCH_SEATS.c.bot_id == bot_id)
        statement = statement.where(MATCHES.c.match_id.in_(at_table))
    if running is not None:
        began = select(RECORDS.c.match_id).where(RECORDS.c.match_id == MATCHES.c.match_id).exists()
        statement = statement.where(
            (MATCHES.c.state != MatchState.RUNNING) | MATCHES.c.match_id.in_(running),
            (MATCHES.c.state != MatchState.VOID) | began | _settled(),
        )
    if key := read_token(listing, token, (int, int, int)):
        statement = statement.where(tuple_(*_ORDER) > tuple_(*key))
    rows = _seated(tx, statement)
    return page_of(
        rows,
        size,
        listing,
        lambda row: (row.match.table_size, row.match.number, row.match.attempt),
    )


def results_in_order(
    tx: ReadTx, tournament_id: str, table_size: int, *, first: int = 0
) -> Iterator[SeatedMatch]:
    """Every settled number from `first` on, by number, with its seats; few are held at a time.

    Void and cancelled ones are among them, for the absent of a void number are rated.
    """
    statement = (
        select(MATCHES)
        .where(*_schedule(tournament_id, table_size), MATCHES.c.final, MATCHES.c.number >= first)
        .order_by(MATCHES.c.number)
    )
    rows = tx.stream(statement, chunk=_AT_ONCE)
    while chunk := list(islice(rows, _AT_ONCE)):
        yield from _with_seats(tx, chunk)


def _seated(tx: ReadTx, statement: Select[Any]) -> tuple[SeatedMatch, ...]:
    rows = tx.all(statement.order_by(*_ORDER))
    chunks = (rows[start : start + _AT_ONCE] for start in range(0, len(rows), _AT_ONCE))
    return tuple(match for chunk in chunks for match in _with_seats(tx, chunk))


def _with_seats(tx: ReadTx, rows: Sequence[RowMapping]) -> Iterator[SeatedMatch]:
    statement = (
        select(MATCH_SEATS)
        .where(MATCH_SEATS.c.match_id.in_([row["match_id"] for row in rows]))
        .order_by(MATCH_SEATS.c.match_id, MATCH_SEATS.c.seat)
    )
    seated: dict[str, list[MatchSeatRow]] = defaultdict(list)
    for row in tx.all(statement):
        seated[row["match_id"]].append(MatchSeatRow(**row))
    for row in rows:
        yield SeatedMatch(MatchRow(**row), tuple(seated[row["match_id"]]))


def _settled() -> ColumnElement[bool]:
    """Whether the number of a match is settled, by whichever of its attempts."""
    other = MATCHES.alias()
    same = (column == other.c[column.name] for column in _NUMBER)
    return select(other.c.match_id).where(*same, other.c.final).exists()


def _schedule(tournament_id: str, table_size: int) -> tuple[ColumnElement[bool], ...]:
    return MATCHES.c.tournament_id == tournament_id, MATCHES.c.table_size == table_size
