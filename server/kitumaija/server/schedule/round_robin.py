"""The round robin of one table size: all tables, or a balanced choice of them.

A schedule is a pure function of the entrants, the table size, the rounds, the budget and a seed. It
is lazy: match number `i` is computed when it is asked for, so a plan of ten million matches weighs
next to nothing. `server/docs/tournaments.md` gives it in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kitumaija.engine import Chance
from kitumaija.server.schedule.auditing import Audit, audit
from kitumaija.server.schedule.families import family
from kitumaija.server.schedule.orbits import full_orbits, orbits
from kitumaija.server.schedule.permutation import Permutation
from kitumaija.server.schedule.plan import Kind, Plan, plan
from kitumaija.server.schedule.schedule import Schedule
from kitumaija.server.schedule.turns import Turn, even_order, joint_order

SEARCHED_ENTRANTS, SEARCHED_SEATS = 14, 7
"""From how many of both on the order of a stretch may be searched for long enough to be noticed."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Tables that are turned round the circle: where they lie in the schedule, and who plays."""

    start: int
    """The number of the first match."""
    tables: tuple[tuple[int, ...], ...]
    """One table or two: the places of seat 0, 1, …, before it is turned."""
    turns: tuple[Turn, ...]
    """In the order in which they are played, once for each rotation."""
    circle: tuple[str, ...]
    """The entrants as they sit on the circle."""


class RoundRobin(Schedule):
    """The matches of one table size, by number from 0: the entrants in the order of their seats.

    Every entrant has equally many games, and equally many in each seat. Where all tables are
    played, every `table_size`-subset of the entrants meets `table_size * rounds` times and each of
    them sits in each seat `rounds` times of these. `plan` says which it is. The entrants are taken
    in the order of their ids' UTF-8 bytes, whatever the order given. Raises `ValueError` for an
    entrant named twice and as `plan` does.
    """

    __slots__ = ("_circle", "_current", "_next", "entrants", "plan", "rounds", "seed", "table_size")

    def __init__(
        self,
        entrants: Iterable[str],
        *,
        table_size: int,
        rounds: int,
        seed: bytes,
        budget: int | None = None,
    ) -> None:
        self.entrants = tuple(sorted(entrants, key=str.encode))
        self.table_size = table_size
        self.seed = seed
        if len(set(self.entrants)) != len(self.entrants):
            raise ValueError("an entrant is named twice")
        self.plan: Plan = plan(len(self.entrants), table_size, rounds=rounds, budget=budget)
        self.rounds = self.plan.rounds
        self._circle: tuple[int, tuple[str, ...]] | None = None
        self._current: _Stretch | None = None
        self._next: _Stretch | None = None

    def __len__(self) -> int:
        return self.plan.matches

    def match(self, number: int) -> tuple[str, ...]:
        """Return who sits in each seat of a match; raises `IndexError` outside the schedule."""
        stretch = self._stretch_of(number)
        rotation, place = divmod(number - stretch.start, len(stretch.turns))
        which, turn = stretch.turns[place]
        points = len(stretch.circle)
        seats = [stretch.circle[(member + turn) % points] for member in stretch.tables[which]]
        return (*seats[rotation:], *seats[:rotation])

    def set_of(self, number: int) -> range:
        """Return the numbers of the set that a match belongs to: the rotations of its table.

        A set counts for statistics as a whole only. Where matches are single it is one match.
        """
        stretch = self._stretch_of(number)
        stride = len(stretch.turns)
        first = stretch.start + (number - stretch.start) % stride
        return range(first, first + stride * self.plan.rotations, stride)

    def games(self) -> Mapping[str, int]:
        """Return how many games each entrant has: all equally many (`Schedule`)."""
        return dict.fromkeys(self.entrants, self.plan.games)

    def audit(self) -> Audit:
        """Count the whole schedule: games, seats and meetings of every entrant."""
        return audit(self)

    def ready(self, number: int) -> bool:
        """Whether a match lies in a stretch that is at hand, or will be at once (`Schedule`)."""
        if len(self.entrants) < SEARCHED_ENTRANTS or self.table_size < SEARCHED_SEATS:
            return True
        return self._holds(self._current, number) or self._holds(self._next, number)

    def prepare(self, number: int) -> None:
        """Search for the stretch of a match, and keep it beside the one at hand (`Schedule`)."""
        if number < len(self) and not self._holds(self._current, number):
            self._next = self._find(number)

    def _stretch_of(self, number: int) -> _Stretch:
        """Return the stretch that a match lies in; the last one is remembered."""
        current, following = self._current, self._next
        if current is not None and self._holds(current, number):
            return current
        if following is None or not self._holds(following, number):
            self._check(number)
            following = self._find(number)
        self._current = following
        return following

    def _holds(self, stretch: _Stretch | None, number: int) -> bool:
        return stretch is not None and (
            0 <= number - stretch.start < len(stretch.turns) * self.plan.rotations
        )

    def _find(self, number: int) -> _Stretch:
        find = self._of_all if self.plan.kind is Kind.ALL_TABLES else self._of_some
        return find(number)

    def _of_some(self, number: int) -> _Stretch:
        """Return a table of the family, turned once round for each rotation."""
        points = len(self.entrants)
        slot, within = divmod(number, points * self.plan.rotations)
        index = Permutation(self.plan.orbits, self.seed, f"{self.table_size}/0")[slot]
        tables = family(points, self.table_size, self.plan.orbits).tables
        return self._stretch(number - within, 0, {index: tables[index]}, points)

    def _of_all(self, number: int) -> _Stretch:
        """Return two orbits of a round; at its end the odd one, and those that are shorter."""
        size, points = self.table_size, len(self.entrants)
        round_number, place = divmod(number, len(self) // self.rounds)
        full = full_orbits(points, size)
        slot, within = divmod(place, 2 * points * size)
        if slot < full // 2:
            first = 2 * Permutation(full // 2, self.seed, f"{size}/{round_number}")[slot]
            listed = orbits(points, size).full
            pair = {index: listed[index] for index in (first, first + 1)}
            return self._stretch(number - within, round_number, pair, points)
        index = full // 2 * 2
        start = index * points * size
        rest = [(table, points) for table in orbits(points, size).full[index:]]
        rest += orbits(points, size).short
        while place >= start + rest[0][1] * size:
            start += rest.pop(0)[1] * size
            index += 1
        table, tables = rest[0]
        return self._stretch(number - place + start, round_number, {index: table}, tables)

    def _stretch(
        self, start: int, round_number: int, listed: Mapping[int, tuple[int, ...]], tables: int
    ) -> _Stretch:
        """Return a stretch with what is drawn: the circle of its round, seats and first turns.

        `listed` are its tables by their number in the list; each has so many `tables` as it is
        turned.
        """
        label = f"{self.table_size}/{round_number}"
        known = self._circle
        if known is None or known[0] != round_number:
            drawn, _ = Chance(self.seed, f"circle/{label}").shuffled(self.entrants)
            # Kept whole, and read once: another thread may be at another round (`prepare`).
            self._circle = known = round_number, drawn
        members: list[tuple[int, ...]] = []
        for index, table in listed.items():
            seats, _ = Chance(self.seed, f"seats/{label}/{index}").shuffled(table)
            members.append(seats)
        # A shorter orbit is that of what its table is on a shorter circle.
        folded = [sorted({place % tables for place in table}) for table in listed.values()]
        if len(folded) == 1:
            order = even_order(folded[0], tables) or range(tables)
            turns: tuple[Turn, ...] = tuple((0, turn) for turn in order)
        else:
            turns = joint_order(folded, tables)
        return _Stretch(start, tuple(members), turns, known[1])
