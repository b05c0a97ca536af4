"""What comes out of many games: places, and how often one bot beats another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import fsum

from kitumaija.sdk.arena.stats import Estimate, estimate


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """What is kept of one game."""

    bots: tuple[int, ...]
    """The number of the bot at every seat."""
    places: tuple[int, ...]
    termination: str
    decisions: int
    late: tuple[int, ...]
    """How many decisions took too long, by seat."""
    problems: tuple[tuple[int, str], ...]
    """The seat and the text of every error of a bot."""


@dataclass(frozen=True, slots=True)
class Row:
    """One bot's games. A bot that sits at a table twice plays it twice."""

    name: str
    games: int
    mean_place: float
    places: tuple[int, ...]
    """How often it had each place, from the first."""
    late: int
    """How many of its decisions took too long."""
    errors: int
    """How many of its decisions were errors: exceptions or illegal answers."""
    first_error: str


@dataclass(frozen=True, slots=True)
class Against:
    """How often one bot beats another, where a shared place counts half."""

    name: str
    other: str
    sets: int
    beats: Estimate


@dataclass(frozen=True, slots=True)
class Standings:
    """The outcome of an arena; the best bot first, by its mean place.

    `duplicate` says whether the games of a set had the same deal.
    """

    seats: int
    games: int
    sets: int
    duplicate: bool
    decisions: int
    terminations: Mapping[str, int]
    rows: tuple[Row, ...]
    against: tuple[Against, ...]

    def beats(self, name: str, other: str) -> Estimate:
        """Return how often one bot beats another; raises `KeyError` if they never met."""
        for pair in self.against:
            if (pair.name, pair.other) == (name, other):
                return pair.beats
        raise KeyError(f"{name} and {other} never met")

    def as_dict(self) -> dict[str, object]:
        """Return everything as plain values for JSON."""
        return {
            "seats": self.seats,
            "games": self.games,
            "sets": self.sets,
            "duplicate": self.duplicate,
            "decisions": self.decisions,
            "terminations": dict(self.terminations),
            "standings": [
                {
                    "name": row.name,
                    "games": row.games,
                    "mean_place": row.mean_place,
                    "places": list(row.places),
                    "late": row.late,
                    "errors": row.errors,
                    "first_error": row.first_error,
                }
                for row in self.rows
            ],
            "beats": [
                {
                    "name": pair.name,
                    "other": pair.other,
                    "sets": pair.sets,
                    "share": pair.beats.share,
                    "low": pair.beats.low,
                    "high": pair.beats.high,
                }
                for pair in self.against
            ],
        }


def standings(
    names: Sequence[str], seats: int, sets: Iterable[Sequence[GamePlayed]], *, duplicate: bool
) -> Standings:
    """Count the games of all sets."""
    tally = _Tally(len(names), seats)
    for games in sets:
        tally.add(games)
    return tally.standings(names, duplicate=duplicate)


class _Tally:
    def __init__(self, bots: int, seats: int) -> None:
        self._seats = seats
        self._games = self._sets = self._decisions = 0
        self._terminations: Counter[str] = Counter()
        self._places = [[0] * seats for _ in range(bots)]
        self._late = [0] * bots
        self._problems: list[list[str]] = [[] for _ in range(bots)]
        self._beats: dict[tuple[int, int], list[float]] = {}

    def add(self, games: Sequence[GamePlayed]) -> None:
        self._sets += 1
        scores: dict[tuple[int, int], list[float]] = {}
        for game in games:
            self._games += 1
            self._decisions += game.decisions
            self._terminations[game.termination] += 1
            for bot, place, late in zip(game.bots, game.places, game.late, strict=True):
                self._places[bot][place - 1] += 1
                self._late[bot] += late
            for seat, text in game.problems:
                self._problems[game.bots[seat]].append(text)
            for (bot, place), (other, behind) in permutations(
                zip(game.bots, game.places, strict=True), 2
            ):
                if bot != other:
                    score = 0.5 if place == behind else float(place < behind)
                    scores.setdefault((bot, other), []).append(score)
        for pair, values in scores.items():
            self._beats.setdefault(pair, []).append(fsum(values) / len(values))

    def standings(self, names: Sequence[str], *, duplicate: bool) -> Standings:
        rows = [self._row(bot, name) for bot, name in enumerate(names)]
        rows.sort(key=lambda row: (row.mean_place, row.name))
        order = {row.name: number for number, row in enumerate(rows)}
        against = [
            Against(names[bot], names[other], len(values), estimate(values))
            for (bot, other), values in self._beats.items()
        ]
        against.sort(key=lambda pair: (order[pair.name], order[pair.other]))
        return Standings(
            seats=self._seats,
            games=self._games,
            sets=self._sets,
            duplicate=duplicate,
            decisions=self._decisions,
            terminations=dict(sorted(self._terminations.items())),
            rows=tuple(rows),
            against=tuple(against),
        )

    def _row(self, bot: int, name: str) -> Row:
        places = self._places[bot]
        games = sum(places)
        total = sum(place * times for place, times in enumerate(places, start=1))
        problems = self._problems[bot]
        return Row(
            name=name,
            games=games,
            mean_place=total / games if games else 0.0,
            places=tuple(places),
            late=self._late[bot],
            errors=len(problems),
            first_error=problems[0] if problems else "",
        )
