"""Whether a match's row, its seats, its record and its journal tell of the same game."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from kitumaija.console.text import counted
from kitumaija.engine import Decision
from kitumaija.server.checking.recorded import record_findings
from kitumaija.server.checking.roots import proof_findings
from kitumaija.server.checking.values import Check, Finding, Subject, match_name
from kitumaija.server.match.journal import (
    Decided,
    JournalEntry,
    JournalError,
    Seated,
    entry_from_bytes,
)
from kitumaija.server.match.machine import resume
from kitumaija.server.match.state import MatchState as Course
from kitumaija.server.match.values import MatchPlayed, MatchSetup, Nanos
from kitumaija.server.store import journal, records
from kitumaija.server.store.rows import MatchSeatRow, MatchState, SeatedMatch
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.results import played_seats
from kitumaija.wire.record import MatchRecord, RecordFormatError, record_from_bytes

_SEAT_FIELDS = ("bot_id", "place", "forfeited", "faults", "decisions", "default_decisions")


class MatchCheck:
    """Checks one match; `findings` is to be called once."""

    def __init__(self, tx: ReadTx, subject: Subject, seated: SeatedMatch) -> None:
        self._tx = tx
        self._subject = subject
        self._seated = seated
        self._name = match_name(seated)
        self.recorded = False
        """Whether it has a record."""

    def findings(self) -> Iterator[Finding]:
        """Yield what is wrong with the match. A match that was never begun has nothing to check."""
        match = self._seated.match
        if match.state is MatchState.CANCELLED and not self._has_journal():
            return
        setup = self._subject.setup(self._seated)
        data = records.get(self._tx, match.match_id)
        self.recorded = data is not None
        entries = yield from self._journal()
        course = None if entries is None else (yield from self._course(setup, entries))
        if data is None:
            yield from self._without_record(entries)
            return
        if match.state is MatchState.RUNNING:
            yield self._found(Check.RECORD, "has a record although it still runs")
            return
        try:
            record = record_from_bytes(data)
        except RecordFormatError as error:
            yield self._found(Check.RECORD, f"its record cannot be read: {error}")
            return
        was_played = match.state is MatchState.FINISHED or (
            course is not None and isinstance(course.result, MatchPlayed)
        )
        yield from record_findings(
            self._subject, self._seated, record, setup=setup, was_played=was_played
        )
        yield from proof_findings(self._subject, self._seated, record)
        if entries is not None:
            yield from self._same_game(record, entries)
        if match.state is MatchState.FINISHED and course is not None:
            yield from self._result(record, course)

    # The journal

    def _has_journal(self) -> bool:
        return bool(journal.entries(self._tx, self._seated.match.match_id))

    def _journal(self) -> Generator[Finding, None, list[JournalEntry] | None]:
        """Yield findings and return the entries, or None where they cannot be read."""
        match = self._seated.match
        rows = journal.entries(self._tx, match.match_id)
        numbers = [row.sequence for row in rows]
        if numbers != list(range(len(rows))):
            gap = next(at for at, number in enumerate(numbers) if at != number)
            yield self._found(Check.JOURNAL, f"its journal has no entry {gap}")
            return None
        if not rows and match.state is MatchState.FINISHED:
            yield self._found(Check.JOURNAL, "is finished and has no journal")
            return None
        try:
            return [entry_from_bytes(row.payload) for row in rows]
        except JournalError as error:
            yield from self._unreadable(error)
            return None

    def _course(
        self, setup: MatchSetup, entries: Sequence[JournalEntry]
    ) -> Generator[Finding, None, Course | None]:
        """Yield findings and return where the journal leaves the match, or None."""
        try:
            course, _ = resume(setup, entries, Nanos(0))
        except JournalError as error:
            yield from self._unreadable(error)
            return None
        return course

    def _unreadable(self, error: JournalError) -> Iterator[Finding]:
        # A match that is void without a record is so for this very reason, and says it.
        if self._seated.match.state is not MatchState.VOID or self.recorded:
            yield self._found(Check.JOURNAL, f"its journal does not replay: {error}")

    # The record

    def _without_record(self, entries: Sequence[JournalEntry] | None) -> Iterator[Finding]:
        state = self._seated.match.state
        if state is MatchState.FINISHED:
            yield self._found(Check.RECORD, "is finished and has no record")
        elif state is MatchState.VOID and any(isinstance(one, Seated) for one in entries or ()):
            yield self._found(
                Check.RECORD, "is void, and there is no record of what had been played"
            )

    # The one against the other

    def _same_game(self, record: MatchRecord, entries: Sequence[JournalEntry]) -> Iterator[Finding]:
        decided = [entry for entry in entries if isinstance(entry, Decided)]
        journaled = [_decision(entry) for entry in decided]
        recorded = record.game.decisions
        if journaled != list(recorded):
            pairs = zip(journaled, recorded, strict=False)
            at = next(
                (number for number, (one, other) in enumerate(pairs) if one != other),
                min(len(journaled), len(recorded)),
            )
            yield self._found(
                Check.JOURNAL,
                f"its journal has {counted(len(journaled), 'decision')} and its record "
                f"{len(recorded)}, and "
                f"they differ from decision {at} on",
            )
        elif [entry.timing for entry in decided] != list(record.timings.decisions):
            yield self._found(Check.JOURNAL, "its journal and its record have other times")

    def _result(self, record: MatchRecord, course: Course) -> Iterator[Finding]:
        """What the journal leads to must be what the rows of the seats say."""
        if not isinstance(course.result, MatchPlayed):
            yield self._found(Check.JOURNAL, "is finished, and its journal leads to no result")
            return
        if course.result.game.result != record.game.result:
            yield self._found(Check.JOURNAL, "its journal leads to another result than its record")
        for row, made in zip(
            self._seated.seats,
            played_seats(self._seated.match.match_id, course.result),
            strict=True,
        ):
            for name in _SEAT_FIELDS:
                if getattr(row, name) != getattr(made, name):
                    yield self._differs(row, made, name)

    def _differs(self, row: MatchSeatRow, made: MatchSeatRow, name: str) -> Finding:
        return self._found(
            Check.JOURNAL,
            f"seat {row.seat} ({row.bot_id}) has {name} {getattr(row, name)} in its row, and "
            f"{getattr(made, name)} by its journal",
        )

    def _found(self, check: Check, what: str) -> Finding:
        return self._subject.finding(check, f"{self._name}: {what}", self._seated)


def _decision(entry: Decided) -> Decision:
    fault = None if entry.fault is None else entry.fault.value
    return Decision(entry.seat, entry.action, entry.by, fault)
