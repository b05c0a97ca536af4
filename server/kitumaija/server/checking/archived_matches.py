"""The matches of an archive, each with its record: one pass, in which everything is counted too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby

from kitumaija.server.archive.facts import Facts, match_from_json, match_to_json
from kitumaija.server.archive.fields import ArchiveError, line, parsed
from kitumaija.server.archive.figures import Figures
from kitumaija.server.archive.names import (
    MATCHES,
    RECORD_LINES,
    TOURNAMENT,
    match_of_record,
    record_name,
)
from kitumaija.server.archive.reading import Bundle, lines, whole
from kitumaija.server.checking.recorded import conduct_findings, record_findings
from kitumaija.server.checking.roots import proof_findings
from kitumaija.server.checking.rounds import RoundsCheck
from kitumaija.server.checking.schedule import number_findings, settled_findings
from kitumaija.server.checking.values import Check, Finding, Subject, match_name
from kitumaija.server.checking.verdicts import VerdictsCheck
from kitumaija.server.rating import RatingTable, result_of
from kitumaija.server.store.rows import MatchState, SeatedMatch
from kitumaija.server.tournament.noshows import ABSENCES_TO_NO_SHOW
from kitumaija.server.tournament.recall import history_of
from kitumaija.wire.record import (
    MatchRecord,
    RecordFormatError,
    record_from_bytes,
    record_to_bytes,
    record_to_json_line,
    timed_game_from_bytes,
)

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What is raised where a value is none that was ever written."""


class MatchesCheck:
    """Checks all matches; `findings` is to be read once, to its end. The rest counts on the way."""

    def __init__(self, bundle: Bundle, subject: Subject, facts: Facts) -> None:
        self._bundle = bundle
        self._subject = subject
        self._facts = facts
        self._record_lines = _found_lines(bundle)
        self._seen: set[str] = set()
        self._no_shows: Counter[str] = Counter()
        self.tables = {size: RatingTable.of(sorted(facts.scheduled)) for size in subject.schedules}
        """The ratings, as the results make them."""
        self.figures = Figures(subject.schedules)
        self.matches = self.records = self.decisions = 0

    def findings(self, looked_at: Callable[[], None]) -> Iterator[Finding]:
        """Yield what is wrong with the matches, in their order."""
        done: Counter[int] = Counter()
        drawn, found = RoundsCheck(self._subject), VerdictsCheck(self._subject)
        matches = self._read()
        for _, group in groupby(matches, key=_number):
            attempts: list[SeatedMatch] = []
            for item in group:
                if isinstance(item, Finding):
                    yield item
                else:
                    attempts.append(item)
            if not attempts:
                continue
            yield from number_findings(self._subject, attempts)
            stayed_away = history_of(attempts).absences
            self._no_shows.update(
                bot for bot, times in stayed_away.items() if times >= ABSENCES_TO_NO_SHOW
            )
            done[attempts[0].match.table_size] += any(one.match.final for one in attempts)
            for seated in attempts:
                drawn.add(seated)
                found.add(seated)
                yield from self._match(seated)
                looked_at()
        yield from drawn.findings()
        yield from found.findings(done)
        yield from settled_findings(self._subject, done)
        yield from self._no_show_findings()
        yield from self._left_over()

    def _read(self) -> Iterator[SeatedMatch | Finding]:
        """Yield the matches of the file, and what is wrong with a line of it."""
        before = (0, -1, 0)
        tournament_id = self._facts.row.tournament_id
        try:
            for number, text in enumerate(lines(self._bundle, MATCHES), start=1):
                try:
                    seated = match_from_json(tournament_id, parsed(text))
                    if line(match_to_json(seated)).encode() != text:
                        raise ArchiveError("it is not in the form that a server writes")
                    match = seated.match
                    place = match.table_size, match.number, match.attempt
                    if place <= before:
                        raise ArchiveError("it is not behind the one before it in the schedule")
                    if match.match_id in self._seen:
                        raise ArchiveError(f"the match {match.match_id} is there twice")
                except UNREADABLE as error:
                    yield _archive(f"{MATCHES}, line {number}: {error}", MATCHES)
                    continue
                before = place
                self._seen.add(match.match_id)
                yield seated
        except ArchiveError as error:
            yield _archive(str(error), MATCHES)

    def _no_show_findings(self) -> Iterator[Finding]:
        for bot_id, entrant in self._facts.entrants.items():
            counted = self._no_shows[bot_id]
            if entrant.no_shows != counted:
                yield self._subject.finding(
                    Check.SCHEDULE,
                    f"{self._subject.name}: {bot_id!r} has {entrant.no_shows} no shows; by the "
                    f"matches it has {counted}",
                    file=TOURNAMENT,
                )

    def _left_over(self) -> Iterator[Finding]:
        """Yield what is there of matches that are not."""
        if next(self._record_lines, None) is not None:
            yield _archive(f"{RECORD_LINES}: it has lines of no match", RECORD_LINES)
        for name in sorted(self._bundle.names):
            match_id = match_of_record(name)
            if match_id is not None and match_id not in self._seen:
                yield _archive(f"{name}: there is no such match", name)

    def _match(self, seated: SeatedMatch) -> Iterator[Finding]:
        self.matches += 1
        name = record_name(seated.match.match_id)
        try:
            data = whole(self._bundle, name) if name in self._bundle.names else None
            if data is not None:
                self.records += 1
                yield from self._recorded(seated, name, data)
            elif seated.match.state is MatchState.FINISHED:
                what = f"{match_name(seated)}: is finished and has no record"
                yield self._subject.finding(Check.RECORD, what, seated, file=name)
            self.figures.add(seated, None if data is None else timed_game_from_bytes(data))
            self._rate(seated)
        except UNREADABLE as error:
            what = f"{match_name(seated)}: {error}"
            yield self._subject.finding(Check.ARCHIVE, what, seated, file=name)

    def _recorded(self, seated: SeatedMatch, name: str, data: bytes) -> Iterator[Finding]:
        try:
            record = record_from_bytes(data)
        except RecordFormatError as error:
            yield _archive(f"{name}: {error}", name)
            next(self._record_lines, None)
            return
        self.decisions += len(record.game.decisions)
        for finding in self._record(seated, record):
            yield Finding(
                finding.check,
                f"{name}: {finding.sentence}",
                finding.tournament_id,
                finding.match_id,
                name,
            )
        if record_to_bytes(record) != data:
            yield _archive(f"{name}: its timings are not in the form that a server writes", name)
        if next(self._record_lines, None) != record_to_json_line(record).encode():
            what = f"{RECORD_LINES}: the line of match {seated.match.match_id} is not its record"
            yield Finding(Check.DERIVED, what, match_id=seated.match.match_id, file=RECORD_LINES)

    def _record(self, seated: SeatedMatch, record: MatchRecord) -> Iterator[Finding]:
        finished = seated.match.state is MatchState.FINISHED
        setup = self._subject.setup(seated)
        # Of one that is void nobody can tell any more whether it was played to its end before.
        was_played = finished or not record.game.result.void
        yield from record_findings(
            self._subject, seated, record, setup=setup, was_played=was_played
        )
        yield from proof_findings(self._subject, seated, record)
        if finished:
            yield from conduct_findings(self._subject, seated, record)
        for what in self._surroundings(seated, record):
            yield self._subject.finding(Check.RECORD, f"{match_name(seated)}: {what}", seated)

    def _surroundings(self, seated: SeatedMatch, record: MatchRecord) -> Iterator[str]:
        """What a record says beside its game, and the tournament says too."""
        timings, match = record.timings, seated.match
        if timings.limits != self._subject.settings.limits:
            yield "its record has other limits than the tournament"
        times = (timings.started_at, timings.ended_at)
        if times != (match.created_at, match.ended_at):
            yield "its record has other times of its beginning and end than its row"
        named = [(bot.seat, bot.display_name) for bot in timings.bots]
        wanted = [(seat.seat, self._facts.bots[seat.bot_id].display_name) for seat in seated.seats]
        if named != wanted:
            yield "its record has other names of the bots than the tournament"
        for seat, bot in zip(seated.seats, timings.bots, strict=False):
            came_as = self._facts.versions.get(seat.bot_id, ())
            if bot.bot_version and bot.bot_version not in came_as:
                yield f"{seat.bot_id} never came as the version in its record"

    def _rate(self, seated: SeatedMatch) -> None:
        """Take the result into the ratings, which go as far as the schedule has no gap."""
        match = seated.match
        table = self.tables.get(match.table_size)
        if match.final and table is not None and match.number == table.rated:
            self.tables[match.table_size] = table.apply(result_of(seated))


def _found_lines(bundle: Bundle) -> Iterator[bytes]:
    """Yield the records' lines; where they cannot be read there are no more."""
    try:
        yield from lines(bundle, RECORD_LINES)
    except ArchiveError:
        return


def _number(item: SeatedMatch | Finding) -> tuple[int, int]:
    return (0, -1) if isinstance(item, Finding) else (item.match.table_size, item.match.number)


def _archive(sentence: str, file: str) -> Finding:
    return Finding(Check.ARCHIVE, sentence, file=file)
