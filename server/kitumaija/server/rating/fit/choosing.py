"""Matches spent where they count: tables of those whose order at the goal's boundary is open.

To know who the three best are nobody needs to know who is the fortieth. After some sets of
everybody, further tables go to the bots that keep the goal from being settled: of the pairs that
must be apart (`settling`), those whose difference is the fewest standard errors. It is in the
spirit of LUCB (Kalyanakrishnan, Tewari, Auer and Stone, 2012), for tables in the place of single
draws, and for standard errors that are estimated.

What is chosen follows from the results so far, the goal and the seed. The verdict whether the goal
is reached is `settling`'s, at looks that are planned by number of matches and so do not depend on
what is chosen; how often it is wrong all the same was measured: `server/docs/adaptive.md`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from statistics import NormalDist

import numpy as np

from kitumaija.engine import Chance
from kitumaija.server.rating.fit.comparisons import Comparisons, Floats, Indices
from kitumaija.server.rating.fit.model import strengths
from kitumaija.server.rating.fit.settling import Goal, deviations, to_compare
from kitumaija.server.rating.fit.widening import support

OPENING = 4
"""Sets of everybody, before anybody is chosen: of fewer nobody knows how they scatter."""

_BOUND = 3.0
"""About how many standard errors a verdict asks for, as long as not all is played."""

_NORMAL = NormalDist()


def choose_tables(
    comparisons: Comparisons,
    goal: Goal,
    *,
    contenders: Collection[str],
    table_size: int,
    tables: int,
    seed: bytes,
) -> tuple[tuple[str, ...], ...]:
    """Choose who sits at the next `tables`, of the contenders: those who can be among the best.

    As long as anybody has had less than OPENING sets, that is who has had the fewest; then it is
    who keeps the goal open. Nobody sits at a table twice; a bot may sit at many. Who is level in
    everything comes in an order drawn from the seed. Raises ValueError for fewer contenders than
    seats, or for no more than the goal asks for.
    """
    names = sorted(set(contenders), key=str.encode)
    if len(names) < max(table_size, goal.first + 1):
        raise ValueError(
            f"got {len(names)} bots that can be among the best; wanted {table_size} or more for a "
            f"table, and more than the {goal.first} that are looked for"
        )
    index = {name: bot for bot, name in enumerate(comparisons.bots)}
    had = np.array([comparisons.sets_of[index[name]] if name in index else 0 for name in names])
    if had.min() < OPENING:
        chosen = _fewest(had, _orders(names, comparisons.sets, seed), table_size)
    else:
        chosen = _most_open(
            _Open.of(comparisons, goal, np.array([index[name] for name in names]), had),
            _orders(names, comparisons.sets, seed),
            table_size,
        )
    return tuple(tuple(names[bot] for bot in table) for table in islice(chosen, tables))


def _orders(names: Sequence[str], sets: int, seed: bytes) -> Iterator[Indices]:
    """Yield orders of the bots, one a table."""
    for table in count():
        order, _ = Chance(seed, f"adaptive/{sets}/{table}").shuffled(range(len(names)))
        yield np.array(order)


def _fewest(had: Indices, orders: Iterator[Indices], table_size: int) -> Iterator[list[int]]:
    """Yield tables of those who have had the fewest sets, counting these on."""
    so_far = had.copy()
    for order in orders:
        table = order[np.argsort(so_far[order], kind="stable")][:table_size]
        so_far[table] += 1
        yield table.tolist()


def _most_open(pairs: _Open, orders: Iterator[Indices], table_size: int) -> Iterator[list[int]]:
    """Yield tables of those whose pairs are the least apart, as if these tables had been played."""
    more = np.zeros_like(pairs.had)
    for order in orders:
        nearest = pairs.apart(more).min(axis=1)
        table = order[np.argsort(nearest[order], kind="stable")][:table_size]
        more[table] += 1
        yield table.tolist()


@dataclass(frozen=True, slots=True, eq=False)
class _Open:
    """The pairs that have to be apart: their squared distances in standard errors, both ways.

    Of whom little has been seen is widened as it is for the verdict. What need not be apart is
    infinitely far. `had` counts the sets of each bot.
    """

    squares: Floats
    had: Indices

    @classmethod
    def of(cls, comparisons: Comparisons, goal: Goal, bots: Indices, had: Indices) -> _Open:
        """Find them out for these bots, of those in the comparisons."""
        fitted = strengths(comparisons)
        widened = support(comparisons, fitted).widening(_NORMAL.cdf(-_BOUND), _BOUND)[bots]
        spread = deviations(comparisons, fitted)[np.ix_(bots, bots)]
        spread *= np.maximum.outer(widened, widened)
        own = fitted[bots]
        squares = np.full(spread.shape, np.inf)
        order = np.argsort(-own, kind="stable").tolist()
        for a, b in to_compare(order, goal):
            squares[a, b] = squares[b, a] = ((own[a] - own[b]) / spread[a, b]) ** 2
        return cls(squares, had)

    def apart(self, more: Indices) -> Floats:
        """How far apart they would be if each bot had so many sets more and nothing else changed.

        A standard error's square is taken to fall as the number of sets of each of the two grows.
        """
        before, after = 1 / self.had, 1 / (self.had + more)
        gain: Floats = np.add.outer(before, before) / np.add.outer(after, after)
        return self.squares * gain
