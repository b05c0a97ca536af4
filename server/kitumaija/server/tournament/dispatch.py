"""Which match of a schedule to start next: a choice from what is free now, and nothing else.

The matches are taken in the order of the schedule, but one whose players are busy does not hold up
those behind it: it waits under the name of a player who had no room for it, and is looked at again
when that player has. So one slow bot among ten delays its own matches only, and choosing costs
about as much as there is to start, however many matches wait.

The matches of an entrant that is on the bench are passed over without waiting for anything: they
are postponed, kept as bare numbers, and looked at again when somebody comes back or leaves.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

LOOK_AHEAD = 20_000
"""How many passed-over matches may wait before the schedule is looked at no further."""

POSTPONED_MAX = 1_000_000
"""How many matches may be postponed before the schedule is looked at no further."""

GLANCE = 128
"""How many matches are looked at in one call, so that a call takes a few milliseconds at most."""


@dataclass(frozen=True, slots=True, order=True)
class Candidate:
    """A match to be started: its number in the schedule and who is to sit where."""

    number: int
    seats: tuple[str, ...]


@dataclass(slots=True)
class Slots:
    """How many more matches each entrant that plays can take now, and how many the tournament."""

    free: dict[str, int]
    matches: int

    def full(self, seats: Sequence[str]) -> str | None:
        """Return the first of them that has no room; None if all have."""
        return next((bot for bot in seats if self.free.get(bot, 0) <= 0), None)

    def take(self, seats: Sequence[str]) -> None:
        """Count a match of these players as started."""
        self.matches -= 1
        for bot in seats:
            self.free[bot] -= 1


@dataclass(slots=True)
class Dispatch:
    """The matches of one schedule that are not started yet.

    Numbers below `cursor` have been looked at. `closed` are those from the cursor on that are not
    to be started from the schedule: they are over, they run, or they were given to `again`. A match
    of an entrant that left is never started: its number is handed out by `drain_cancelled`, once.
    One of an entrant on the bench is not started before that is back.
    """

    schedule: Sequence[tuple[str, ...]]
    cursor: int = 0
    closed: set[int] = field(default_factory=set)
    look_ahead: int = LOOK_AHEAD
    postponed_max: int = POSTPONED_MAX
    fewest_seats: int | None = None
    """How many seats a match has at the least; None: as many as the first."""
    ready: Callable[[int], bool] = lambda number: True
    """Whether a match of the schedule can be told at once; where not, `next` gives up for now."""
    hurried: bool = False
    """Whether the last call of `next` gave up for the time it took: call again, soon."""
    _gone: set[str] = field(default_factory=set)
    _benched: set[str] = field(default_factory=set)
    _postponed: array[int] = field(default_factory=lambda: array("Q"))
    _revived: array[int] = field(default_factory=lambda: array("Q"))
    """What was postponed and is to be looked at again, last first."""
    _reduced: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Who plays a postponed match, where that is not whom the schedule says."""
    _waiting: dict[str, list[Candidate]] = field(default_factory=dict)
    _count: int = 0
    _cancelled: list[int] = field(default_factory=list)

    def next(self, slots: Slots) -> Candidate | None:
        """Return the next match to start and take its slots; None if there is none now."""
        self.hurried = False
        if slots.matches <= 0:
            return None
        for _ in range(GLANCE):
            candidate = self._pop(slots)
            if candidate is None:
                return None
            if not self._gone.isdisjoint(candidate.seats):
                self._cancelled.append(candidate.number)
                continue
            if not self._benched.isdisjoint(candidate.seats):
                self._postpone(candidate)
                continue
            blocked_by = slots.full(candidate.seats)
            if blocked_by is None:
                slots.take(candidate.seats)
                return candidate
            self._put(blocked_by, candidate)
        self.hurried = True
        return None

    def again(self, candidate: Candidate) -> None:
        """Give back a match that was not played, perhaps with fewer seats; it keeps its number."""
        if not self._gone.isdisjoint(candidate.seats):
            self._cancelled.append(candidate.number)
        elif not self._benched.isdisjoint(candidate.seats):
            self._postpone(candidate)
        else:
            self._put(candidate.seats[0], candidate)

    def leave(self, bot: str) -> None:
        """Cancel what an entrant has not started."""
        self._gone.add(bot)
        self._benched.discard(bot)
        self._cancelled += [candidate.number for candidate in self._waiting_with(bot)]
        self._revive()

    def bench(self, bot: str) -> None:
        """Start no match of an entrant until it is back."""
        self._benched.add(bot)
        for candidate in self._waiting_with(bot):
            self._postpone(candidate)

    def bring_back(self, bot: str) -> None:
        """Start matches of an entrant that was on the bench again, the earliest first."""
        self._benched.discard(bot)
        self._revive()

    @property
    def revived(self) -> bool:
        """Whether matches that were postponed are to be looked at again."""
        return bool(self._revived)

    @property
    def only_postponed(self) -> bool:
        """Whether nothing but postponed matches is left to be started."""
        exhausted = self.cursor >= len(self.schedule) or self._full
        return bool(self._postponed) and exhausted and not self._count and not self._revived

    def holding(self) -> frozenset[str]:
        """Return who is on the bench and has postponed matches."""
        found: set[str] = set()
        for number in self._postponed:
            found.update(self._benched.intersection(self._candidate(number).seats))
            if found == self._benched:
                break
        return frozenset(found)

    def drain_cancelled(self) -> list[int]:
        """Return the numbers found to be cancelled since the last call.

        Those that wait are found at once, those further on when the schedule comes to them.
        """
        found, self._cancelled = self._cancelled, []
        return found

    def _pop(self, slots: Slots) -> Candidate | None:
        """Return the earliest match that is worth a look; None if there is none."""
        roomy = [bot for bot, free in slots.free.items() if free > 0]
        seats = self.fewest_seats or len(self.schedule[0])
        # With fewer entrants left than seats all that remains is to be passed: it is cancelled, or
        # postponed.
        enough_room = len(roomy) >= seats or len(slots.free) < seats
        ahead = enough_room and self._count < self.look_ahead
        heaps = [heap for bot in roomy if (heap := self._waiting.get(bot))]
        if heaps:
            earliest = min(heaps)
            if not (ahead and self._revived and self._revived[-1] < earliest[0].number):
                self._count -= 1
                return heappop(earliest)
        return self._from_schedule() if ahead and (self._revived or not self._full) else None

    @property
    def _full(self) -> bool:
        return len(self._postponed) >= self.postponed_max

    def _postpone(self, candidate: Candidate) -> None:
        self._postponed.append(candidate.number)
        if candidate.seats != self.schedule[candidate.number]:
            self._reduced[candidate.number] = candidate.seats

    def _revive(self) -> None:
        again = sorted((*self._postponed, *self._revived), reverse=True)
        self._postponed, self._revived = array("Q"), array("Q", again)

    def _waiting_with(self, bot: str) -> list[Candidate]:
        """Take what waits with this entrant in it out of what waits."""
        taken: list[Candidate] = []
        for name, heap in self._waiting.items():
            taken += [one for one in heap if bot in one.seats]
            kept = [one for one in heap if bot not in one.seats]
            heapify(kept)
            self._waiting[name] = kept
        self._count -= len(taken)
        return taken

    def _candidate(self, number: int) -> Candidate:
        return Candidate(number, self._reduced.get(number) or self.schedule[number])

    def _from_schedule(self) -> Candidate | None:
        if self._revived:
            candidate = self._candidate(self._revived.pop())
            self._reduced.pop(candidate.number, None)
            return candidate
        while self.cursor < len(self.schedule):
            number = self.cursor
            if not self.ready(number):
                self.hurried = True
                return None
            self.cursor += 1
            if number not in self.closed:
                return Candidate(number, self.schedule[number])
            self.closed.remove(number)
        return None

    def _put(self, bot: str, candidate: Candidate) -> None:
        heappush(self._waiting.setdefault(bot, []), candidate)
        self._count += 1
