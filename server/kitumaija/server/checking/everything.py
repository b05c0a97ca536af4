"""The whole check: the database first, then each tournament, match by match.

All of it reads one moment of the store, so that it may be done while a server writes on. At most a
page of matches, and one match's record and journal, are held at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError

from kitumaija.server.checking import database
from kitumaija.server.checking.played import MatchCheck
from kitumaija.server.checking.ratings import rating_findings
from kitumaija.server.checking.rounds import RoundsCheck
from kitumaija.server.checking.schedule import left_findings, number_findings
from kitumaija.server.checking.tournament import seed_findings, subject_of, without_secrets
from kitumaija.server.checking.values import Check, Finding, Subject, match_name
from kitumaija.server.checking.verdicts import VerdictsCheck
from kitumaija.server.store import matches, tournaments
from kitumaija.server.store.rows import SeatedMatch, TournamentRow
from kitumaija.server.store.schema import MATCHES
from kitumaija.server.store.transactions import ReadTx

_PAGE = 200

_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError)
"""What reading raises where a value is none that was ever written."""


@dataclass(slots=True)
class Tally:
    """How much was looked at; grows while the findings are read."""

    tournaments: int = 0
    matches: int = 0
    records: int = 0


def matches_stored(tx: ReadTx) -> int:
    """Return how many matches there are to check."""
    row = tx.first(select(func.count().label("count")).select_from(MATCHES))
    return 0 if row is None else int(row["count"])


def findings(
    tx: ReadTx, tally: Tally | None = None, *, looked_at: Callable[[], None] = lambda: None
) -> Iterator[Finding]:
    """Yield everything that is wrong with a store; nothing, if all is well.

    `looked_at` is called after each match. Where the database itself is damaged that is said, and
    nothing else is looked at.
    """
    counted = tally or Tally()
    try:
        damaged = False
        for finding in database.integrity(tx):
            damaged = True
            yield finding
        if damaged:
            return
        yield from database.references(tx)
        yield from database.repeated_deals(tx)
        for row in _tournaments(tx):
            counted.tournaments += 1
            try:
                yield from _tournament(tx, row, counted, looked_at)
            except _UNREADABLE as error:
                sentence = f"the tournament {row.tournament_id!r} cannot be read: {_said(error)}"
                yield Finding(Check.DATABASE, sentence, row.tournament_id)
    except DBAPIError as error:
        yield Finding(Check.DATABASE, f"the database cannot be read any further: {error.orig}")
    except _UNREADABLE as error:
        yield Finding(Check.DATABASE, f"a tournament's row cannot be read: {_said(error)}")


def _tournament(
    tx: ReadTx, row: TournamentRow, tally: Tally, looked_at: Callable[[], None]
) -> Iterator[Finding]:
    subject = subject_of(tx, row.tournament_id)
    if subject is None:
        yield without_secrets(row)
        return
    yield from seed_findings(tx, subject)
    done: Counter[int] = Counter()
    drawn, found = RoundsCheck(subject), VerdictsCheck(subject)
    for _, group in groupby(_matches(tx, row.tournament_id), key=_number):
        attempts = list(group)
        yield from number_findings(subject, attempts)
        done[attempts[0].match.table_size] += any(one.match.final for one in attempts)
        for seated in attempts:
            drawn.add(seated)
            found.add(seated)
            yield from _match(tx, subject, seated, tally)
            looked_at()
    yield from drawn.findings()
    yield from found.findings(done)
    yield from left_findings(tx, subject, done)
    for size in subject.schedules:
        yield from rating_findings(tx, subject, size, done[size])


def _match(tx: ReadTx, subject: Subject, seated: SeatedMatch, tally: Tally) -> Iterator[Finding]:
    check = MatchCheck(tx, subject, seated)
    try:
        yield from check.findings()
    except _UNREADABLE as error:
        sentence = f"{match_name(seated)} cannot be read: {_said(error)}"
        yield subject.finding(Check.DATABASE, sentence, seated)
    tally.matches += 1
    tally.records += check.recorded


def _tournaments(tx: ReadTx) -> Iterator[TournamentRow]:
    token = ""
    while True:
        page = tournaments.page(tx, size=_PAGE, token=token)
        yield from page.rows
        if not (token := page.next_token):
            return


def _matches(tx: ReadTx, tournament_id: str) -> Iterator[SeatedMatch]:
    token = ""
    while True:
        page = matches.page(tx, tournament_id, size=_PAGE, token=token)
        yield from page.rows
        if not (token := page.next_token):
            return


def _number(seated: SeatedMatch) -> tuple[int, int]:
    return seated.match.table_size, seated.match.number


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
