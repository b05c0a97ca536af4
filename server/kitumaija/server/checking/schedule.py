"""Whether every number of a schedule counts once, and was played by those who were to play it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from kitumaija.server.checking.values import Check, Finding, Subject, match_name
from kitumaija.server.store.rows import MatchRow, MatchState, SeatedMatch, TournamentState
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.course import History
from kitumaija.server.tournament.recall import history_of, recall


def number_findings(subject: Subject, attempts: Sequence[SeatedMatch]) -> Iterator[Finding]:
    """Check all attempts at one number, in their order."""
    first = attempts[0].match
    name = f"{subject.name}, {first.table_size} seats, number {first.number}"
    schedule = subject.schedules.get(first.table_size)
    if schedule is None or first.number >= len(schedule):
        planned = 0 if schedule is None else len(schedule)
        yield _schedule(subject, f"{name}: is not in the schedule, which has {planned} matches")
        return
    counted = [attempt.match.attempt for attempt in attempts]
    if counted != list(range(1, len(counted) + 1)):
        yield _schedule(subject, f"{name}: its attempts are {counted}; they count from 1")
    final = [one.match.match_id for one in attempts if one.match.final]
    running = [one.match.match_id for one in attempts if one.match.state is MatchState.RUNNING]
    if len(final) > 1:
        yield _schedule(subject, f"{name}: counts by {_listed(final)}; one match is to count")
    if len(running) > 1:
        yield _schedule(subject, f"{name}: is being played by {_listed(running)}")
    if final and running:
        yield _schedule(
            subject, f"{name}: counts by {_listed(final)} and is still played by {running[0]}"
        )
    for at, seated in enumerate(attempts):
        before, after = history_of(attempts[:at]), history_of(attempts[: at + 1])
        yield from _seats(subject, seated, schedule[first.number], before, after)


def settled_findings(subject: Subject, done: Mapping[int, int]) -> Iterator[Finding]:
    """Check that every number of a finished tournament is settled; `done` counts by table size.

    One that found out what it was to find out may have ended before: `verdicts` looks at that.
    """
    if subject.stops_early:
        return
    for size, schedule in subject.schedules.items():
        if subject.row.state is TournamentState.FINISHED and done[size] != len(schedule):
            yield _schedule(
                subject,
                f"{subject.name} is finished, and at {size} seats {done[size]} of {len(schedule)} "
                "numbers are settled",
            )


def left_findings(tx: ReadTx, subject: Subject, done: Counter[int]) -> Iterator[Finding]:
    """Compare what is planned, less what is done, with what the server would still play.

    `done` counts the settled numbers of each table size.
    """
    row = subject.row
    yield from settled_findings(subject, done)
    left = {size: len(schedule) - done[size] for size, schedule in subject.schedules.items()}
    if not row.state.over and subject.schedules:
        for size, table in recall(tx, row).course.tables.items():
            would = len(table.schedule) - table.settled.length - len(table.settled.beyond)
            if would != left[size]:
                yield _schedule(
                    subject,
                    f"{subject.name}, {size} seats: of {len(table.schedule)} numbers {done[size]} "
                    f"are settled, and {would} would be played; wanted {left[size]}",
                )


def _seats(
    subject: Subject,
    seated: SeatedMatch,
    scheduled: Sequence[str],
    before: History,
    after: History,
) -> Iterator[Finding]:
    """Check who sat there; the histories are of the attempts before, and with this one."""
    match, name = seated.match, match_name(seated)
    if match.deal_id != (wanted := subject.deal_id(seated)):
        yield subject.finding(
            Check.SCHEDULE, f"{name}: its deal is {match.deal_id!r}, wanted {wanted!r}", seated
        )
    if subject.row.state.over and match.state is MatchState.RUNNING:
        yield subject.finding(
            Check.SCHEDULE, f"{name}: still runs, and the tournament is {subject.row.state}", seated
        )
    bots = tuple(seat.bot_id for seat in seated.seats)
    stayed = tuple(bot for bot in scheduled if bot not in before.last_placed)
    if bots != stayed:
        yield subject.finding(
            Check.SCHEDULE,
            f"{name}: has {_listed(bots)} at its table; the schedule says {_listed(stayed)}",
            seated,
        )
    if strangers := [bot for bot in match.absent if bot not in scheduled]:
        yield subject.finding(
            Check.SCHEDULE,
            f"{name}: {_listed(strangers)} take a last place and were not scheduled",
            seated,
        )
    elif match.absent != (absent := _absent(match, before, after)):
        yield subject.finding(
            Check.SCHEDULE,
            f"{name}: {_listed(match.absent)} take a last place; by who stayed away it is "
            f"{_listed(absent)}",
            seated,
        )


def _absent(match: MatchRow, before: History, after: History) -> tuple[str, ...]:
    """Return who takes a last place by a match."""
    match match.state:
        case MatchState.FINISHED:
            return before.last_placed
        case MatchState.VOID:
            return after.last_placed if match.final else ()
        case _:  # It says nothing to the ratings, or nothing yet.
            return match.absent


def _schedule(subject: Subject, sentence: str) -> Finding:
    return subject.finding(Check.SCHEDULE, sentence)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "nobody"
