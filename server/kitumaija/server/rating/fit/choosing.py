"""Matches spent where they count: tables of those whose order at the goal's boundary is open.

To know who the three best are nobody needs to know who is the fortieth. After some sets of
everybody, further tables go to the bots that keep the goal from being settled: of the pairs that
must be apart (`settling`), those whose difference is the fewest standard errors. It is in the
spirit of LUCB (Kalyanakrishnan, Tewari, Auer and Stone, 2012), for tables in the place of single
draws, and for standard errors that are estimated.

What is chosen follows from the results so far, the goal and the seed. The verdict whether the goal
is reached is `settling`'s, at looks that are planned by number of matches and so do not depend on
what is chosen; how often it is wrong all the same was measured: `server/docs/adaptive.md`.

Whoever verifies a tournament chooses again, and has to come to the same tables. So all that is
decided by is the same to the last bit on every machine (`exact`); it is rounded besides, so that
bots of whom the results say the same are level, and not apart by what was added up first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from statistics import NormalDist
from types import MappingProxyType

import numpy as np

from kitumaija.engine import Chance
from kitumaija.server.goal import Goal
from kitumaija.server.rating.fit.comparisons import Comparisons, Floats, Indices
from kitumaija.server.rating.fit.model import strengths
from kitumaija.server.rating.fit.settling import deviations, to_compare
from kitumaija.server.rating.fit.widening import Support, support
from kitumaija.server.schedule.adaptive import OPENING
from kitumaija.server.schedule.seating import NOBODY

_BOUND = 3.0
"""About how many standard errors a verdict asks for, as long as not all is played."""

_NORMAL = NormalDist()

NOTHING: Mapping[str, int] = MappingProxyType({})

_DIGITS = 9
"""Strengths, and distances, that agree to so many digits after the point are equal."""

_WIDENING_DIGITS = 6
"""To so many digits a factor is rounded that is computed by a library's logarithms and tangents:
these are right to many more, and none of the factors is near a boundary between two roundings."""


def choose_tables(
    comparisons: Comparisons,
    goal: Goal,
    *,
    contenders: Collection[str],
    table_size: int,
    tables: int,
    seed: bytes,
    owners: Mapping[str, str] = NOBODY,
    sat: Mapping[str, int] = NOTHING,
) -> tuple[tuple[str, ...], ...]:
    """Choose who sits at the next `tables`, of the contenders: those who can be among the best.

    As long as anybody has had less than OPENING sets, that is who has had the fewest; then it is
    who keeps the goal open. `sat` says how many sets somebody sat down to where that is more
    than say anything: who forfeits all of his games is not waited for. Nobody sits at a table
    twice; a bot may sit at many. Two of one owner sit at one only where there are too few
    others; `owners` may leave out whom nobody else belongs to. Who is level in everything comes
    in an order drawn from the seed. Raises ValueError for fewer contenders than seats, or for
    no more than the goal asks for.
    """
    names = sorted(set(contenders), key=str.encode)
    if len(names) < max(table_size, goal.first + 1):
        raise ValueError(
            f"got {len(names)} bots that can be among the best; wanted {table_size} or more for a "
            f"table, and more than the {goal.first} that are looked for"
        )
    index = {name: bot for bot, name in enumerate(comparisons.bots)}
    said = {name: int(comparisons.sets_of[bot]) for name, bot in index.items()}
    had = [max(said.get(name, 0), sat.get(name, 0)) for name in names]
    known = [name for name in names if name in index]
    opening = min(had) < OPENING or len(known) < max(table_size, goal.first + 1)
    names = names if opening else known
    seating = _Seating(tuple(owners.get(name, name) for name in names), table_size)
    orders = _orders(names, comparisons.sets, seed)
    if opening:
        chosen = _fewest(np.array(had), orders, seating)
    else:
        bots = np.array([index[name] for name in names])
        chosen = _most_open(_Open.of(comparisons, goal, bots), orders, seating)
    return tuple(tuple(names[bot] for bot in table) for table in islice(chosen, tables))


def _orders(names: Sequence[str], sets: int, seed: bytes) -> Iterator[Indices]:
    """Yield orders of the bots, one a table."""
    for table in count():
        order, _ = Chance(seed, f"adaptive/{sets}/{table}").shuffled(range(len(names)))
        yield np.array(order)


@dataclass(frozen=True, slots=True)
class _Seating:
    """Fills a table of so many seats with the first who fit; `owners` is whose each bot is."""

    owners: tuple[str, ...]
    table_size: int

    def first(self, order: Indices) -> list[int]:
        """Return the first of an order, those of one owner apart as long as there are others."""
        table: list[int] = []
        late: list[int] = []
        for bot in order.tolist():
            taken = any(self.owners[bot] == self.owners[other] for other in table)
            (late if taken else table).append(bot)
            if len(table) == self.table_size:
                break
        return (table + late)[: self.table_size]


def _fewest(had: Indices, orders: Iterator[Indices], seating: _Seating) -> Iterator[list[int]]:
    """Yield tables of those who have had the fewest sets, counting these on."""
    so_far = had.copy()
    for order in orders:
        table = seating.first(order[np.argsort(so_far[order], kind="stable")])
        so_far[table] += 1
        yield table


def _most_open(pairs: _Open, orders: Iterator[Indices], seating: _Seating) -> Iterator[list[int]]:
    """Yield tables of those whose pairs are the least apart, as if these tables had been played."""
    more = np.zeros_like(pairs.had)
    for order in orders:
        nearest = np.round(pairs.apart(more).min(axis=1), _DIGITS)
        table = seating.first(order[np.argsort(nearest[order], kind="stable")])
        more[table] += 1
        yield table


@dataclass(frozen=True, slots=True, eq=False)
class _Open:
    """The pairs that have to be apart: their squared distances in standard errors, both ways.

    Of whom little has been seen is widened as it is for the verdict. What need not be apart is
    infinitely far. `had` counts the sets of each bot.
    """

    squares: Floats
    had: Indices

    @classmethod
    def of(cls, comparisons: Comparisons, goal: Goal, bots: Indices) -> _Open:
        """Find them out for these bots, of those in the comparisons."""
        fitted = strengths(comparisons)
        widened = widenings(support(comparisons, fitted))[bots]
        spread = deviations(comparisons, fitted)[np.ix_(bots, bots)]
        spread *= np.maximum.outer(widened, widened)
        own = np.round(fitted[bots], _DIGITS)
        squares = np.full(spread.shape, np.inf)
        order = np.argsort(-own, kind="stable").tolist()
        for a, b in to_compare(order, goal):
            apart = (own[a] - own[b]) / spread[a, b]
            squares[a, b] = squares[b, a] = apart * apart
        return cls(squares, comparisons.sets_of[bots])

    def apart(self, more: Indices) -> Floats:
        """How far apart they would be if each bot had so many sets more and nothing else changed.

        A standard error's square is taken to fall as the number of sets of each of the two grows.
        """
        before, after = 1 / self.had, 1 / (self.had + more)
        gain: Floats = np.add.outer(before, before) / np.add.outer(after, after)
        return self.squares * gain


def widenings(rests_on: Support) -> Floats:
    """The factor of each bot for how little has been seen of it, as of `Support.widening`."""
    return np.round(rests_on.widening(_NORMAL.cdf(-_BOUND), _BOUND), _WIDENING_DIGITS)
