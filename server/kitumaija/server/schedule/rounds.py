"""Rounds as a schedule: those drawn so far, and what follows when the last of them is over.

Each table of a round is played as a set, once for every rotation of its seats: first all tables in
their first rotation, then all in their second, and so on. Of an adaptive tournament, in whose
rounds the same bots may sit at several tables, one table after the other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kitumaija.server.schedule.adaptive import Chooser
from kitumaija.server.schedule.round_formats import RoundFormat, matches_to_come, next_round
from kitumaija.server.schedule.schedule import Schedule
from kitumaija.server.schedule.seating import NOBODY, Played, Round, Seats, names_of


@dataclass(frozen=True, slots=True)
class RoundRules:
    """What is fixed of such a format before its first round.

    `rounds` is how many there are at the most, which a knockout and an adaptive tournament do not
    ask, and `budget` how many matches. `owners` may leave out whom nobody else belongs to. `tables`
    is how many an adaptive tournament chooses at a time, 0 as many as all fill.
    """

    played_as: RoundFormat
    table_size: int
    rounds: int
    budget: int
    seed: bytes
    owners: Mapping[str, str] = field(default_factory=lambda: NOBODY)
    tables: int = 0

    @property
    def adaptive(self) -> bool:
        """Whether tables are chosen by what is open, and not drawn by points, rounds or rungs."""
        return self.played_as is RoundFormat.ADAPTIVE


class Rounds(Schedule):
    """The rounds drawn so far. All but the last are over; the last may be.

    `entrants` are all who ever entered, in that order. `rounds` are the rounds with the points of
    those that are over. Raises `ValueError` if one but the last has none, or a round no table.
    """

    def __init__(
        self,
        rules: RoundRules,
        entrants: Iterable[str],
        rounds: Iterable[tuple[Round, Mapping[str, int] | None]] = (),
    ) -> None:
        self.rules = rules
        self.table_size = rules.table_size
        self.entrants = tuple(entrants)
        self.played: list[Played] = []
        self.open: Round | None = None
        """The round that is played now."""
        self._rounds: list[Round] = []
        self._starts: list[int] = []
        self._length = 0
        for drawn, points in rounds:
            self.add(drawn)
            if points is not None:
                self.close(points)

    def __len__(self) -> int:
        return self._length

    @property
    def complete(self) -> bool:
        """Whether the last round is over and no other was drawn."""
        return self.open is None

    @property
    def planned(self) -> int:
        """How many matches there are, with those still to be drawn if nobody leaves or comes.

        Of an adaptive tournament, which may end long before: as many as its budget has room for.
        """
        if self.rules.adaptive:
            return self.rules.budget - self.rules.budget % self.table_size
        if self.open is None:
            return self._length
        there = len(names_of(self.open))
        return self._length + matches_to_come(
            self.rules.played_as,
            there,
            table_size=self.table_size,
            rounds=self.rules.rounds - self.drawn,
            room=self.rules.budget - self._length,
        )

    @property
    def fewest_seats(self) -> int:
        """Tables of a knockout are of several sizes, its last one often of two."""
        return 2 if self.rules.played_as is RoundFormat.KNOCKOUT else self.table_size

    @property
    def drawn(self) -> int:
        """How many rounds were drawn."""
        return len(self._rounds)

    def first_of(self, round_number: int) -> int:
        """Return the number of the first match of a round, which count from 0."""
        return self._starts[round_number]

    def add(self, drawn: Round) -> None:
        """Add the next round, drawn by `next_after` here or elsewhere."""
        if self.open is not None:
            raise ValueError(f"round {self.drawn} is not over, and another one follows it")
        if not drawn.tables or not all(drawn.tables):
            raise ValueError(f"round {self.drawn + 1} has no table, or an empty one")
        self.open = drawn
        self._rounds.append(drawn)
        self._starts.append(self._length)
        self._length += sum(map(len, drawn.tables))

    def enter(self, entrant: str) -> None:
        """Take in one who comes later, for the rounds that are drawn from now on."""
        self.entrants = (*self.entrants, entrant)

    def close(self, points: Mapping[str, int]) -> None:
        """Note that the last round is over, with everybody's points of it."""
        if self.open is None:
            raise ValueError("no round is open")
        self.played.append(Played(self.open, points))
        self.open = None

    def next_after(
        self,
        points: Mapping[str, int] | None,
        away: Collection[str] = (),
        choose: Chooser | None = None,
    ) -> Round | None:
        """Return the round that follows if the last one, if there is one, ends with these points.

        None if there is none: all rounds were played, a knockout has its winner, too few are there,
        or the budget has no room for it. An adaptive tournament's tables are chosen by `choose`,
        which knows the results of all rounds so far. Changes nothing.
        """
        played = list(self.played)
        if self.open is not None:
            played.append(Played(self.open, points or {}))
        rules = self.rules
        unbounded = rules.played_as is RoundFormat.KNOCKOUT or rules.adaptive
        if not unbounded and len(played) >= rules.rounds:
            return None
        found = next_round(
            rules.played_as,
            self.entrants,
            table_size=rules.table_size,
            seed=rules.seed,
            rounds=played,
            away=away,
            owners=rules.owners,
            tables=rules.tables,
            room=rules.budget - self._length,
            choose=choose,
        )
        if found is None or self._length + sum(map(len, found.tables)) > rules.budget:
            return None
        return found

    def match(self, number: int) -> Seats:
        """Return who sits in each seat of a match; raises `IndexError` outside the rounds."""
        drawn, _, place, rotation = self._find(number)
        seats = drawn.tables[place]
        return (*seats[rotation:], *seats[:rotation])

    def round_of(self, number: int) -> int:
        """Return the round of a match, from 0; raises `IndexError` outside the rounds."""
        self._check(number)
        return bisect_right(self._starts, number) - 1

    def set_of(self, number: int) -> Sequence[int]:
        """Return the numbers of the set that a match belongs to (`Schedule`)."""
        drawn, start, place, rotation = self._find(number)
        if self.rules.adaptive:
            return range(number - rotation, number - rotation + len(drawn.tables[place]))
        found: list[int] = []
        for rotation in range(len(drawn.tables[place])):
            found.append(start + sum(len(seats) > rotation for seats in drawn.tables[:place]))
            start += sum(len(seats) > rotation for seats in drawn.tables)
        return found

    def games(self) -> Mapping[str, int]:
        """Return how many games the rounds drawn so far give each entrant (`Schedule`)."""
        counted = Counter(dict.fromkeys(self.entrants, 0))
        for drawn in self._rounds:
            for seats in drawn.tables:
                counted.update(dict.fromkeys(seats, len(seats)))
        return counted

    def missed(self) -> Mapping[str, Sequence[int]]:
        """Return the rounds that entrants had no part in between two in which they had."""
        found: dict[str, list[int]] = {}
        since: dict[str, int] = {}
        for number, drawn in enumerate(self._rounds):
            for name in names_of(drawn):
                before = since.get(name, number - 1)
                if before < number - 1:
                    found.setdefault(name, []).extend(range(before + 1, number))
                since[name] = number
        return dict(sorted(found.items()))

    def _find(self, number: int) -> tuple[Round, int, int, int]:
        """Return the round of a match, its first number, and the match's table and rotation."""
        which = self.round_of(number)
        drawn, start = self._rounds[which], self._starts[which]
        within = number - start
        if self.rules.adaptive:
            return drawn, start, *divmod(within, self.table_size)
        least = min(map(len, drawn.tables))
        rotation, place = divmod(within, len(drawn.tables))
        if rotation < least:
            return drawn, start, place, rotation
        within -= least * len(drawn.tables)
        rotation = least
        while True:
            larger = [one for one, seats in enumerate(drawn.tables) if len(seats) > rotation]
            if within < len(larger):
                return drawn, start, larger[within], rotation
            within -= len(larger)
            rotation += 1
