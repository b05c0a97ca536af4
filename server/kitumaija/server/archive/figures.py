"""What is counted while one goes through the matches of a tournament, once.

Its size goes with the pairs of entrants, not with the matches, beyond the first few thousand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import permutations

from kitumaija.server.rating import RatedResult, result_of
from kitumaija.server.store.rows import MatchState, SeatedMatch
from kitumaija.server.tournament.clocktable import Times
from kitumaija.server.tournament.standings import cause_of
from kitumaija.wire.record import TimedGame

FITTED_MAX = 5_000
"""Up to so many matches of a table size are fitted at once for the report: a second or two."""


@dataclass(slots=True)
class SeatCount:
    """What came of one entrant's games in one seat."""

    games: int = 0
    places: int = 0
    """The sum of its places."""
    by_place: Counter[int] = field(default_factory=Counter)
    """How often it came in which place of the games that it played to the end."""
    forfeits: int = 0
    """Games that it forfeited."""


@dataclass(slots=True)
class TableFigures:
    """The matches of one table size that count, pair by pair and seat by seat."""

    table_size: int
    met: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often two were at one table, by either order of the two."""
    ahead: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often the first of two had the better place."""
    seats: dict[tuple[str, int], SeatCount] = field(default_factory=dict)
    """By entrant and seat."""
    unplayed: Counter[str] = field(default_factory=Counter)
    """Why numbers of the schedule were settled without a game."""
    results: list[RatedResult] | None = field(default_factory=list)
    """The results themselves; None where they are more than `FITTED_MAX`."""

    def add(self, seated: SeatedMatch) -> None:
        """Count a match that settles its number."""
        if self.results is not None:
            self.results.append(result_of(seated))
            if len(self.results) > FITTED_MAX:
                self.results = None
        cause = cause_of(seated)
        if cause is not None:
            self.unplayed[cause] += 1
            return
        for seat in seated.seats:
            count = self.seats.setdefault((seat.bot_id, seat.seat), SeatCount())
            count.games += 1
            count.places += seat.place
            if seat.forfeited:
                count.forfeits += 1
            else:
                count.by_place[seat.place] += 1
        for one, other in permutations(seated.seats, 2):
            pair = one.bot_id, other.bot_id
            self.met[pair] += 1
            self.ahead[pair] += one.place < other.place

    @property
    def bots(self) -> frozenset[str]:
        """Who played."""
        return frozenset(bot_id for bot_id, _ in self.seats)

    def in_seat(self, bot_id: str, seat: int) -> SeatCount:
        """Return what came of an entrant's games in a seat."""
        return self.seats.get((bot_id, seat)) or SeatCount()

    def level(self, one: str, other: str) -> int:
        """Return how often two shared a place."""
        return self.met[one, other] - self.ahead[one, other] - self.ahead[other, one]


class Figures:
    """The figures of a whole tournament."""

    def __init__(self, table_sizes: Iterable[int]) -> None:
        self.tables = {size: TableFigures(size) for size in table_sizes}
        self.times = Times()

    def add(self, seated: SeatedMatch, game: TimedGame | None) -> None:
        """Count a match, with its record's times if it has a record."""
        if seated.match.final and seated.match.table_size in self.tables:
            self.tables[seated.match.table_size].add(seated)
        if seated.match.state is MatchState.FINISHED and game is not None:
            self.times.count(game)
