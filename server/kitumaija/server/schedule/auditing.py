"""What a run of matches gave each entrant, counted match by match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations


@dataclass(slots=True)
class Audit:
    """What a run of matches gave each entrant."""

    games: Counter[str] = field(default_factory=Counter)
    """Games by entrant."""
    seats: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Games by entrant and seat."""
    meetings: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Games by pair of entrants, the smaller id first."""


def audit(matches: Iterable[Sequence[str]]) -> Audit:
    """Count who played how often, in which seat and against whom."""
    counted = Audit()
    for seats in matches:
        counted.games.update(seats)
        counted.seats.update((entrant, seat) for seat, entrant in enumerate(seats))
        counted.meetings.update(combinations(sorted(seats, key=str.encode), 2))
    return counted
