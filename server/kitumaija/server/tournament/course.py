"""The course of a running tournament, in memory: which numbers are open, run, or are settled.

Pure: it decides, and the director (`running.py`) writes down and carries out. After a crash it is
made anew from the store, to the same effect.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from kitumaija.server.schedule.schedule import Schedule
from kitumaija.server.tournament.dispatch import Candidate, Dispatch, Slots
from kitumaija.server.tournament.noshows import AfterAbsence, after_absence

VOIDS_MAX = 3
"""How often a number is tried again after trouble of the server before it is given up."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at one number of a schedule."""

    table_size: int
    number: int
    attempt: int
    """From 1."""
    seats: tuple[str, ...]
    last_placed: tuple[str, ...] = ()
    """Who takes a last place by this number without playing."""


def deal_id(tournament_id: str, attempt: Attempt) -> str:
    """Return the id of an attempt's deal: no other attempt at any number of any size has it."""
    return f"{tournament_id}/{attempt.table_size}/{attempt.number}/{attempt.attempt}"


@dataclass(slots=True)
class History:
    """What earlier attempts at a number left, for the next one."""

    attempts: int = 0
    voids: int = 0
    absences: dict[str, int] = field(default_factory=dict)
    last_placed: tuple[str, ...] = ()


@dataclass(slots=True)
class Prefix:
    """The settled numbers of a schedule: all below `length`, and some beyond."""

    length: int = 0
    beyond: set[int] = field(default_factory=set)

    def remove(self, number: int) -> None:
        """Note that a number is settled no more."""
        if number < self.length:
            self.beyond.update(range(number + 1, self.length))
            self.length = number
        else:
            self.beyond.discard(number)

    def add(self, number: int) -> None:
        """Note that a number is settled."""
        self.beyond.add(number)
        while self.length in self.beyond:
            self.beyond.remove(self.length)
            self.length += 1


@dataclass(slots=True)
class Table:
    """One table size of a running tournament."""

    schedule: Schedule
    dispatch: Dispatch
    settled: Prefix
    rated: int = 0
    """How many numbers of the settled prefix are in the ratings."""
    running: dict[int, Attempt] = field(default_factory=dict)
    histories: dict[int, History] = field(default_factory=dict)

    @classmethod
    def begin(cls, schedule: Schedule, *, prefix: int = 0, settled: Collection[int] = ()) -> Table:
        """Return the table with all numbers below `prefix` settled, and those of `settled`."""
        done = Prefix(prefix)
        for number in settled:
            if number >= prefix:
                done.add(number)
        closed = set(done.beyond)
        dispatch = Dispatch(
            schedule,
            cursor=done.length,
            closed=closed,
            fewest_seats=schedule.fewest_seats,
            ready=schedule.ready,
        )
        return cls(schedule, dispatch, done, rated=prefix)

    @property
    def over(self) -> bool:
        """Whether every number is settled, and no other will be added."""
        return self.schedule.complete and self.all_settled

    @property
    def waits_for_round(self) -> bool:
        """Whether every number is settled, so that it is time to draw what follows."""
        return not self.schedule.complete and self.all_settled

    @property
    def all_settled(self) -> bool:
        """Whether every number that is known is settled."""
        return self.settled.length == len(self.schedule)

    @property
    def progress(self) -> float:
        """How much of the schedule has been looked at, from 0 to 1."""
        return self.dispatch.cursor / len(self.schedule)

    def history(self, number: int) -> History:
        """Return what earlier attempts at a number left."""
        return self.histories.setdefault(number, History())


class Course:
    """All table sizes of a running tournament.

    `gone` are entrants that left after the start, `benched` those that are out for a while.
    """

    def __init__(
        self, tables: Iterable[Table], *, gone: Iterable[str] = (), benched: Iterable[str] = ()
    ) -> None:
        self._tables = {table.schedule.table_size: table for table in tables}
        self.gone: set[str] = set()
        self.benched: set[str] = set()
        self.reopened = 0
        """How often a number that was settled was opened again."""
        for bot in gone:
            self.leave(bot)
        for bot in benched:
            self.bench(bot)

    @property
    def tables(self) -> MappingProxyType[int, Table]:
        """The tables by their size, smallest first."""
        return MappingProxyType(self._tables)

    @property
    def planned(self) -> int:
        """How many matches the schedules have, with those that are still to be drawn."""
        return sum(table.schedule.planned for table in self._tables.values())

    @property
    def over(self) -> bool:
        """Whether every number of every schedule is settled."""
        return all(table.over for table in self._tables.values())

    def unready(self) -> list[Table]:
        """Return the tables whose next match needs a search before it can be told."""
        return [
            table
            for table in self._tables.values()
            if not table.schedule.ready(table.dispatch.cursor)
            and table.dispatch.cursor < len(table.schedule)
        ]

    @property
    def hurried(self) -> bool:
        """Whether the last `next` gave up for the time it took: call again, soon."""
        return any(table.dispatch.hurried for table in self._tables.values())

    def next(self, slots: Slots) -> Attempt | None:
        """Return the attempt to start next and take its slots; None if there is none now.

        The table size that is least far in its schedule comes first, so all sizes end at about the
        same time.
        """
        for table in sorted(self._tables.values(), key=lambda table: table.progress):
            candidate = table.dispatch.next(slots)
            if candidate is not None:
                return self._attempt(table, candidate)
        return None

    def drain_cancelled(self) -> list[Attempt]:
        """Return the numbers that will not be played because of who left; each is told once."""
        cancelled: list[Attempt] = []
        for table in self._tables.values():
            for number in table.dispatch.drain_cancelled():
                candidate = Candidate(number, table.schedule[number])
                cancelled.append(self._attempt(table, candidate))
        return cancelled

    def settle(self, attempt: Attempt) -> None:
        """Note that an attempt settled its number."""
        table = self._tables[attempt.table_size]
        table.running.pop(attempt.number, None)
        table.histories.pop(attempt.number, None)
        table.settled.add(attempt.number)

    def absence(self, attempt: Attempt, absent: Sequence[str]) -> AfterAbsence:
        """Return what follows from an attempt that could not start; nothing is changed yet."""
        history = self._tables[attempt.table_size].history(attempt.number)
        return after_absence(
            attempt.seats,
            absent,
            absences=history.absences,
            last_placed=attempt.last_placed,
        )

    def try_again(self, attempt: Attempt, follows: AfterAbsence | None = None) -> None:
        """Plan another attempt: after an absence as it says, else after trouble of the server."""
        table = self._tables[attempt.table_size]
        table.running.pop(attempt.number, None)
        history = table.history(attempt.number)
        seats = attempt.seats
        if follows is None:
            history.voids += 1
        else:
            seats = follows.seats
            history.absences = dict(follows.absences)
            history.last_placed = follows.last_placed
        table.dispatch.again(Candidate(attempt.number, seats))

    def reopen(self, attempt: Attempt, history: History) -> None:
        """Plan another attempt at a number that was settled by `attempt`, which counts no more."""
        table = self._tables[attempt.table_size]
        table.settled.remove(attempt.number)
        self.reopened += 1
        table.histories[attempt.number] = history
        table.dispatch.again(Candidate(attempt.number, attempt.seats))

    def is_lost(self, attempt: Attempt) -> bool:
        """Whether one more void attempt gives the number up."""
        history = self._tables[attempt.table_size].history(attempt.number)
        return history.voids + 1 >= VOIDS_MAX

    def has_left(self, attempt: Attempt) -> bool:
        """Whether one of the attempt's players is not in the tournament any more."""
        return not self.gone.isdisjoint(attempt.seats)

    def leave(self, bot: str) -> None:
        """Take an entrant out: what it has not started is cancelled."""
        self.gone.add(bot)
        self.benched.discard(bot)
        for table in self._tables.values():
            table.dispatch.leave(bot)

    def bench(self, bot: str) -> None:
        """Start no match of an entrant until it is back; what runs goes on."""
        self.benched.add(bot)
        for table in self._tables.values():
            table.dispatch.bench(bot)

    def bring_back(self, bot: str) -> None:
        """Start matches of an entrant that was on the bench again."""
        self.benched.discard(bot)
        for table in self._tables.values():
            table.dispatch.bring_back(bot)

    @property
    def revived(self) -> bool:
        """Whether matches that were postponed are to be looked at again."""
        return any(table.dispatch.revived for table in self._tables.values())

    def holding(self) -> frozenset[str]:
        """Return those on the bench whose postponed matches are all that is left to be started.

        Empty while anything else is left to be started, or nothing.
        """
        left = [table.dispatch for table in self._tables.values() if not table.over]
        if not all(dispatch.only_postponed for dispatch in left):
            return frozenset()
        return frozenset().union(*(dispatch.holding() for dispatch in left))

    def gaps(self) -> list[Attempt]:
        """Return what a tournament that ends now leaves open below the last number begun."""
        found: list[Attempt] = []
        for table in self._tables.values():
            last = max((*table.settled.beyond, *table.running), default=0)
            for number in range(table.settled.length, last):
                if number not in table.settled.beyond and number not in table.running:
                    history, size = table.history(number), table.schedule.table_size
                    absent = history.last_placed
                    seats = tuple(bot for bot in table.schedule[number] if bot not in absent)
                    found.append(Attempt(size, number, history.attempts + 1, seats, absent))
        return found

    # After a crash

    def recall(self, attempt: Attempt, history: History, *, runs: bool) -> None:
        """Take up a number that was attempted and is not settled, as the store tells of it.

        `attempt` is the last one; if it does not run, another one of those seats is planned.
        """
        table = self._tables[attempt.table_size]
        table.histories[attempt.number] = history
        table.dispatch.closed.add(attempt.number)
        if runs:
            table.running[attempt.number] = attempt
        else:
            table.dispatch.again(Candidate(attempt.number, attempt.seats))

    def _attempt(self, table: Table, candidate: Candidate) -> Attempt:
        history = table.history(candidate.number)
        history.attempts += 1
        attempt = Attempt(
            table.schedule.table_size,
            candidate.number,
            history.attempts,
            candidate.seats,
            history.last_placed,
        )
        table.running[candidate.number] = attempt
        return attempt
