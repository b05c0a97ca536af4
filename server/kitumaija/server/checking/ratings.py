"""Whether the rating tables are what the results make them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from kitumaija.console.text import counted
from kitumaija.server.checking.values import Check, Finding, Subject
from kitumaija.server.rating import Entry, RatedResult, RatingTable, results_of
from kitumaija.server.store import ratings
from kitumaija.server.store.rows import TournamentState
from kitumaija.server.store.transactions import ReadTx

SAME_WITHIN = 1e-6
"""Ratings that differ by less are the same: another machine's arithmetic may round otherwise."""


def rating_findings(tx: ReadTx, subject: Subject, size: int, done: int) -> Iterator[Finding]:
    """Compute a table anew from the results and compare it with the stored one, bot by bot.

    `done` is how many numbers of the schedule are settled.
    """
    name = f"{subject.name}, {size} seats"
    stored = ratings.load(tx, subject.row.tournament_id, size)
    if stored is None:
        yield _ratings(subject, f"{name}: was started and has no ratings stored")
        return
    table = RatingTable.from_dict(stored.state)
    if table.rated != stored.rated:
        yield _ratings(
            subject, f"{name}: its row has {stored.rated} rated, and its table {table.rated}"
        )
    planned = done if subject.stops_early else len(subject.schedules[size])
    if subject.row.state is TournamentState.FINISHED and table.rated != planned:
        yield _ratings(
            subject, f"{name}: is finished, and {table.rated} of {planned} numbers are rated"
        )
    tally = _Games()
    results = islice(results_of(tx, subject.row.tournament_id, size), table.rated)
    rebuilt = RatingTable.of(table.entries).apply_all(tally.counting(results))
    if rebuilt.rated != table.rated:
        yield _ratings(
            subject,
            f"{name}: {table.rated} numbers are rated, of which {rebuilt.rated} are settled "
            "without a gap",
        )
    if tally.matches != table.games:
        yield _ratings(
            subject,
            f"{name}: {counted(table.games, 'match is', 'matches are')} in the ratings, and "
            f"{counted(tally.matches, 'was', 'were')} finished",
        )
    for bot_id, entry in table.entries.items():
        if tally.games[bot_id] != entry.games:
            yield _ratings(
                subject,
                f"{name}: {bot_id!r} has {counted(entry.games, 'game')} in the ratings, and the "
                "results hold "
                f"{tally.games[bot_id]}",
            )
        elif not _same(entry, made := rebuilt.entries[bot_id]):
            yield _ratings(
                subject,
                f"{name}: {bot_id!r} is stored with {_shown(entry)}, and the results make it "
                f"{_shown(made)}",
            )


class _Games:
    """Counts what passes, apart from all arithmetic of the ratings."""

    def __init__(self) -> None:
        self.matches = 0
        self.games: Counter[str] = Counter()

    def counting(self, results: Iterable[RatedResult]) -> Iterator[RatedResult]:
        """Yield the results, counted."""
        for result in results:
            self.matches += result.played
            self.games.update(result.seats if result.played else ())
            self.games.update(result.absent)
            yield result


def _same(one: Entry, other: Entry) -> bool:
    return (
        abs(one.rating.mu - other.rating.mu) < SAME_WITHIN
        and abs(one.rating.sigma - other.rating.sigma) < SAME_WITHIN
        and _counts(one) == _counts(other)
    )


def _counts(entry: Entry) -> tuple[object, ...]:
    return (
        entry.places,
        entry.forfeits,
        entry.absences,
        entry.decisions,
        entry.default_decisions,
        dict(entry.faults),
    )


def _shown(entry: Entry) -> str:
    return (
        f"mu {entry.rating.mu:.6f}, sigma {entry.rating.sigma:.6f}, places {list(entry.places)}, "
        f"{counted(entry.forfeits, 'forfeit')}, {counted(entry.decisions, 'decision')}, "
        f"{entry.default_decisions} of "
        f"them by default"
    )


def _ratings(subject: Subject, sentence: str) -> Finding:
    return subject.finding(Check.RATINGS, sentence)
