"""Tournaments of innocent bots and of colluding ones: how often the indicators name whom.

The two colluders are the first two bots. What they do when both sit at one table:

* `soft`: they spare each other, and hit the others the harder: both play as if they were stronger.
* `dump`: in a share of the matches that one of the two has lost already, being the last, it plays
  for the other, which takes the first place.
* `gift`: the first gives to the second: it plays weaker, the second stronger by as much.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from kitumaija.server.rating.collusion import RATE, look
from kitumaija.server.rating.fit.comparisons import Comparisons, Floats, Indices
from kitumaija.server.rating.fit.model import POINTS
from tests.support.simulated import WORLDS, Random, compare

FEEDING = 0.5
"""In the world `feeding`, the standard deviation of what one bot's style does for another, as a
logarithm of odds."""

FLIPS = 999
"""How many draws are made of a simulated tournament."""


@dataclass(frozen=True)
class Row:
    """Tournaments of one kind: all tables of so many bots, so many times.

    `strength` is how strongly the first two collude: points for `soft` and `gift`, a share of
    such matches for `dump`, and nothing for innocent bots.
    """

    seats: int
    rounds: int
    world: str = "luce"
    collusion: str = ""
    strength: float = 0.0
    bots: int = 8
    spread: float = 100.0

    @property
    def name(self) -> str:
        """What the row is called; all that it depends on is in it."""
        kind = f"{self.collusion} {self.strength:g}" if self.collusion else "innocent"
        return f"{kind} {self.world} {self.bots}/{self.seats} x{self.rounds}"

    @property
    def sets_together(self) -> int:
        """How many sets each two play together."""
        return comb(self.bots - 2, self.seats - 2) * self.rounds


SIZES = ((3, 6), (4, 4), (6, 6))
"""Seats, and how often all tables are played: about a thousand matches each."""

INNOCENT = tuple(
    Row(seats, rounds, world)
    for world in ("luce", "bell", "moods", "feeding")
    for seats, rounds in SIZES
)
COLLUDING = tuple(
    Row(seats, rounds, collusion=collusion, strength=strength)
    for collusion, strength in (
        ("soft", 40.0),
        ("soft", 80.0),
        ("dump", 0.5),
        ("dump", 1.0),
        ("gift", 80.0),
    )
    for seats, rounds in SIZES
)
ROWS = INNOCENT + COLLUDING


def measure(row: Row, tournaments: int) -> dict[str, Any]:
    """Play so many tournaments of a row, by fixed seeds, and look for colluders in each."""
    digest = hashlib.sha256(row.name.encode()).digest()
    rng = np.random.Generator(np.random.PCG64(int.from_bytes(digest, "little")))
    named = beyond = right = wrong = 0
    estimates: list[float] = []
    for number in range(tournaments):
        found = look(play(rng, row), seed=digest + number.to_bytes(4, "little"), flips=FLIPS)
        standing_out = [(pair.one, pair.other) for pair in found if pair.stands_out]
        beyond += any(pair.chance <= RATE for pair in found)
        named += bool(standing_out)
        right += ("bot-00", "bot-01") in standing_out
        wrong += any(pair != ("bot-00", "bot-01") for pair in standing_out)
        estimates += [
            pair.both.points for pair in found if (pair.one, pair.other) == ("bot-00", "bot-01")
        ]
    return {
        "tournaments": tournaments,
        "named": named / tournaments,
        "beyond_chance": beyond / tournaments,
        "the_two": right / tournaments,
        "others": wrong / tournaments,
        "points": float(np.mean(estimates)),
    }


def play(rng: Random, row: Row) -> Comparisons:
    """Play one tournament."""
    strengths = rng.normal(0, row.spread / POINTS, row.bots)
    tables = np.array(list(combinations(range(row.bots), row.seats)) * row.rounds)
    seated = strengths[tables]
    if row.world == "feeding":
        seated = seated + _feeding(rng, tables, row.bots)
    world = WORLDS["luce" if row.world == "feeding" else row.world]
    both = ((tables == 0).any(axis=1) & (tables == 1).any(axis=1))[:, None]
    help_ = row.strength / POINTS
    if row.collusion == "soft":
        seated = seated + help_ * (both & (tables < 2))
    if row.collusion == "gift":
        seated = seated + help_ * both * ((tables == 1) * 1.0 - (tables == 0))
    scores = world.scores(rng, seated[:, None, :], row.seats)
    if row.collusion == "dump":
        _dump(rng, tables, scores, row.strength)
    return compare(tables, scores, bots=row.bots)


def _feeding(rng: Random, tables: Indices, bots: int) -> Floats:
    """What the others at its table do for each bot: what one gains by another, that one loses."""
    drawn = rng.normal(0, FEEDING, (bots, bots))
    gain = (drawn - drawn.T) / 2**0.5
    sums: Floats = gain[tables[:, :, None], tables[:, None, :]].sum(axis=2) / (tables.shape[1] - 1)
    return sums


def _dump(rng: Random, tables: Indices, scores: Floats, share: float) -> None:
    """Let whoever of the two is the last make the other the first."""
    for table in np.flatnonzero((tables == 0).any(axis=1) & (tables == 1).any(axis=1)):
        one, other = (int(np.flatnonzero(tables[table] == bot)[0]) for bot in (0, 1))
        for match in np.flatnonzero(rng.random(scores.shape[1]) < share):
            played = scores[table, match]
            last = int(played.argmin())
            if last in {one, other}:
                played[other if last == one else one] = played.max() + 1
