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
) -> Page[SeatedMatch]:
    """All attempts in schedule order, of one table size and of one bot if given.

    Raises BadPageToken for a token that was made for another listing.
    """
    listing = ("matches", tournament_id, table_size, bot_id)
    statement = _listed(tournament_id, table_size, bot_id).limit(size + 1)
    if key := read_token(listing, token, (int, int, int)):
        statement = statement.where(tuple_(*_ORDER) > tuple_(*key))
    return page_of(_seated(tx, statement), size, listing, lambda row: _place(row.match))


def public_page(
    tx: ReadTx,
    tournament_id: str,
    *,
    size: int,
    token: str = "",
    table_size: int = 0,
    bot_id: str = "",
    running: Collection[str],
    blind: bool = False,
) -> Page[SeatedMatch]:
    """The same for those who may not know the schedule: what is over in its order, then what runs.

    Of the matches that run those of `running` are in the listing, by their ids, which are drawn by
    chance. Of those that never began only those whose number is settled are, for the same will sit
    there again; if the tournament is `blind`, that holds for all that do not count. Neither the
    rows nor the tokens tell of the others. Raises BadPageToken.
    """
    listing = ("public matches", tournament_id, table_size, bot_id)
    listed = _listed(tournament_id, table_size, bot_id)
    key = read_token(listing, token, (int, int, int, str))
    rows: tuple[SeatedMatch, ...] = ()
    if key is None or not key[3]:
        counted = MATCHES.c.state != MatchState.VOID
        if not blind:
            began = select(RECORDS.c.match_id).where(RECORDS.c.match_id == MATCHES.c.match_id)
            counted |= began.exists()
        over = listed.where(MATCHES.c.state != MatchState.RUNNING, counted | _settled())
        if key is not None:
            over = over.where(tuple_(*_ORDER) > tuple_(*key[:3]))
        rows = _seated(tx, over.limit(size + 1))
    if len(rows) <= size:
        runs = listed.where(
            MATCHES.c.state == MatchState.RUNNING, MATCHES.c.match_id.in_(running)
        ).limit(size + 1 - len(rows))
        if key is not None and key[3]:
            runs = runs.where(MATCHES.c.match_id > key[3])
        rows += _seated(tx, runs, MATCHES.c.match_id)
    return page_of(rows, size, listing, _public_place)


def _public_place(row: SeatedMatch) -> tuple[str | int, ...]:
    if row.match.state is MatchState.RUNNING:
        return 0, 0, 0, row.match.match_id
    return *_place(row.match), ""


def _place(match: MatchRow) -> tuple[int, int, int]:
    return match.table_size, match.number, match.attempt


def _listed(tournament_id: str, table_size: int, bot_id: str) -> Select[Any]:
    statement = select(MATCHES).where(MATCHES.c.tournament_id == tournament_id)
    if table_size:
        statement = statement.where(MATCHES.c.table_size == table_size)
    if bot_id:
        at_table = select(MATCH_SEATS.c.match_id).where(MATCH_SEATS.c.bot_id == bot_id)
        statement = statement.where(MATCHES.c.match_id.in_(at_table))
    return statement


def results_in_order(
    tx: ReadTx, tournament_id: str, table_size: int, *, first: int = 0, below: int | None = None
) -> Iterator[SeatedMatch]:
    """Every settled number from `first` on, by number, with its seats; few are held at a time.

    With `below`, only those that are smaller than that.
    Void and cancelled ones are among them, for the absent of a void number are rated.
    """
    statement = (
        select(MATCHES)
        .where(*_schedule(tournament_id, table_size), MATCHES.c.final, MATCHES.c.number >= first)
        .order_by(MATCHES.c.number)
    )
    if below is not None:
        statement = statement.where(MATCHES.c.number < below)
    rows = tx.stream(statement, chunk=_AT_ONCE)
    while chunk := list(islice(rows, _AT_ONCE)):
        yield from _with_seats(tx, chunk)


def _seated(
    tx: ReadTx, statement: Select[Any], *order: ColumnElement[Any]
) -> tuple[SeatedMatch, ...]:
    """Those that a statement finds, with their seats; in schedule order unless another is given."""
    rows = tx.all(statement.order_by(*(order or _ORDER)))
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
