"""Sets of real games among players of known strength, and tournaments drawn from them.

A bank holds, for every table that players of some levels can make up, many sets: a game for each
rotation of the seats, each on a deal of its own, played by the production engine. A tournament
takes whole sets from it, each as likely as another, and may take one twice. So the bank is all the
world there is, and the strengths that the fit tends to in endless tournaments follow from it by
counting, with no error: how often each comes in before each, over all tables that the entrants can
make up.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations_with_replacement

import numpy as np

from kitumaija.engine import text_seed
from kitumaija.server.rating.fit.comparisons import Floats, Indices
from tests.support.cores import by_number
from tests.support.dialled import Dial, play
from tests.support.simulated import Random, Simulated, compare, draw_tables, nearest


@dataclass(frozen=True, eq=False)
class Bank:
    """Sets by the levels of those who sit at a table.

    A level is a number in `dials`. `tables` are (tables, seats), the levels of each ascending;
    `places` are (tables, sets, games, seats): where each came in, in the order of the table's
    levels and not of the seats.
    """

    dials: tuple[Dial, ...]
    tables: Indices
    places: Indices

    @classmethod
    def played(cls, name: str, dials: Sequence[Dial], *, seats: int, sets: int, jobs: int) -> Bank:
        """Play so many sets of every table, with all chance from `name`."""
        tables = list(combinations_with_replacement(range(len(dials)), seats))
        work = partial(_table_played, name, tuple(dials), tables, sets)
        places = by_number(work, len(tables), jobs=jobs)
        return cls(tuple(dials), np.array(tables), np.array(places))

    @property
    def levels(self) -> int:
        """How many levels there are."""
        return len(self.dials)

    @property
    def sets(self) -> int:
        """How many sets there are of each table."""
        return len(self.places[0])

    def tournament(self, rng: Random, levels: Indices, *, rounds: int) -> Simulated:
        """Draw a tournament of entrants of these levels."""
        tables, scores = self.draw(rng, levels, rounds=rounds)
        return Simulated(self.truth(levels), compare(tables, scores, bots=len(levels)))

    def draw(self, rng: Random, levels: Indices, *, rounds: int) -> tuple[Indices, Floats]:
        """Draw the sets of a tournament: entrants (sets, seats), scores (sets, matches, seats)."""
        tables = self._seated(rng, levels, rounds)
        weights = self.levels ** np.arange(tables.shape[1])
        codes = self.tables @ weights
        rows = np.argsort(codes)[np.searchsorted(np.sort(codes), levels[tables] @ weights)]
        taken = self.places[rows, rng.integers(self.sets, size=len(rows))]
        return tables, -taken.astype(np.float64)

    def played_anew(self, name: str, rng: Random, levels: Indices, *, rounds: int) -> Simulated:
        """Play a tournament of games that are not in the bank; what is true is as the bank says."""
        tables = self._seated(rng, levels, rounds)
        places = [
            _set_played(f"{name}/{number}", [self.dials[level] for level in levels[table]])
            for number, table in enumerate(tables)
        ]
        scores = -np.array(places, dtype=np.float64)
        return Simulated(self.truth(levels), compare(tables, scores, bots=len(levels)))

    def _seated(self, rng: Random, levels: Indices, rounds: int) -> Indices:
        """The entrants by table, in the order of their levels."""
        tables = draw_tables(rng, len(levels), seats=self.tables.shape[1], rounds=rounds)
        # A table's own order is drawn, so of equals each is as likely to be the one as the other.
        order = np.argsort(levels[tables], axis=1, kind="stable")
        seated: Indices = np.take_along_axis(tables, order, axis=1)
        return seated

    def truth(self, levels: Indices) -> Floats:
        """What the fit tends to for entrants of these levels, who meet at random tables.

        Equals get the very same. Raises DoesNotConverge where one level of the bank has never lost
        to those below: the bank is too small.
        """
        # All pairs meet equally often in the long run, whatever their levels.
        found = nearest(self.shares(levels)[np.ix_(levels, levels)])
        count = np.bincount(levels, minlength=self.levels)
        of_level: Floats = np.bincount(levels, found, minlength=self.levels) / np.maximum(1, count)
        return of_level[levels]

    def shares(self, levels: Indices) -> Floats:
        """How often one of each level comes in before one of each, among these entrants.

        It is one half where none of them sit at a table, and for those of one level.
        """
        present = Counter(levels.tolist())
        met = np.zeros((self.levels, self.levels))
        before = np.zeros_like(met)
        for table, won in zip(self.tables, self._ahead, strict=True):
            # In so many ways the entrants can make up this table.
            ways = math.prod(
                math.comb(present[level], count) for level, count in Counter(table.tolist()).items()
            )
            np.add.at(met, np.ix_(table, table), ways)
            np.add.at(before, np.ix_(table, table), ways * won)
        shares = np.where(met > 0, before / np.maximum(met, 1), 0.5)
        np.fill_diagonal(shares, 0.5)
        return shares

    @cached_property
    def _ahead(self) -> Floats:
        """How often each of a table comes in before each, by table."""
        gaps = self.places[..., None, :] - self.places[..., :, None]
        found: Floats = ((gaps > 0) + (gaps == 0) / 2).mean(axis=(1, 2))
        return found

    def other(self, rng: Random) -> Bank:
        """A bank that might have been: as many sets of every table, drawn from these."""
        drawn = rng.integers(self.sets, size=(len(self.tables), self.sets))
        return replace(self, places=self.places[np.arange(len(self.tables))[:, None], drawn])


def _table_played(
    name: str, dials: tuple[Dial, ...], tables: Sequence[tuple[int, ...]], sets: int, number: int
) -> list[list[list[int]]]:
    """Play the sets of one table: places by set, game and player."""
    table = tables[number]
    title = f"{name}/{''.join(map(str, table))}"
    return [_set_played(f"{title}/{of}", [dials[level] for level in table]) for of in range(sets)]


def _set_played(title: str, dials: Sequence[Dial]) -> list[list[int]]:
    """Play a set, a game for each rotation of an order that is drawn."""
    seats = len(dials)
    order = list(range(seats))
    random.Random(title).shuffle(order)
    found = []
    for turned in range(seats):
        line = order[turned:] + order[:turned]
        game = f"{title}/{turned}"
        places = play(text_seed(game), [dials[player] for player in line], game)
        by_player = dict(zip(line, places, strict=True))
        found.append([by_player[player] for player in range(seats)])
    return found
