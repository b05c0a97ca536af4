"""A gauntlet: challengers each play the same field, and never each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import comb
from typing import TypeAlias

from kitumaija.engine import Chance
from kitumaija.server.schedule.families import family
from kitumaija.server.schedule.permutation import Permutation
from kitumaija.server.schedule.plan import BudgetTooSmall
from kitumaija.server.schedule.schedule import Schedule
from kitumaija.server.schedule.turns import even_order

_Orders: TypeAlias = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
"""Tables, as places on the circle of the field, each with the order in which it is turned."""


class Gauntlet(Schedule):
    """The matches of one table size, by number from 0: the entrants in the order of their seats.

    At each table sits one challenger with `table_size - 1` of the field. Every challenger meets the
    same tables of the field, in every rotation of the seats: all of them if they fit the `budget`
    of matches, else as many times a family of tables, turned round the circle of the field, as
    fits. So all challengers have equally many games, all of the field equally many, and each of
    them equally many in each seat; two of the field meet about equally often. One table of the
    field is played by all challengers before the next, and all tables before the next rotation.

    Raises `ValueError` for nobody on one side or an entrant named twice, and `BudgetTooSmall`.
    """

    __slots__ = (
        *("_chosen", "_orders", "_shuffle", "_tables"),
        *("challengers", "field", "seed", "table_size"),
    )

    def __init__(
        self,
        challengers: Iterable[str],
        field: Iterable[str],
        *,
        table_size: int,
        seed: bytes,
        budget: int | None = None,
    ) -> None:
        self.challengers = tuple(sorted(challengers, key=str.encode))
        self.field, _ = Chance(seed, f"circle/{table_size}/gauntlet").shuffled(
            sorted(field, key=str.encode)
        )
        self.table_size = table_size
        self.seed = seed
        if len({*self.challengers, *self.field}) < len(self.challengers) + len(self.field):
            raise ValueError("an entrant is named twice")
        points = len(self.field)
        count = tables_of_field(len(self.challengers), points, table_size=table_size, budget=budget)
        self._tables = count
        self._chosen = count < comb(points, table_size - 1)
        self._orders: _Orders | None = None
        self._shuffle = Permutation(count, seed, f"{table_size}/gauntlet")

    def __len__(self) -> int:
        return self._tables * len(self.challengers) * self.table_size

    def match(self, number: int) -> tuple[str, ...]:
        """Return who sits in each seat of a match; raises `IndexError` outside the schedule."""
        self._check(number)
        place, challenger = divmod(number, len(self.challengers))
        rotation, place = divmod(place, self._tables)
        mates = (self.field[member] for member in self._members(place))
        chance = Chance(self.seed, f"seats/{self.table_size}/gauntlet/{place}")
        order, _ = chance.shuffled(range(self.table_size))
        table = (self.challengers[challenger], *mates)
        seats = [table[one] for one in order]
        return (*seats[rotation:], *seats[:rotation])

    def set_of(self, number: int) -> range:
        """Return the numbers of the set that a match belongs to: the rotations of its table."""
        self._check(number)
        stride = self._tables * len(self.challengers)
        return range(number % stride, len(self), stride)

    def games(self) -> Mapping[str, int]:
        """Return how many games each entrant has, by the side that it is on (`Schedule`)."""
        of_challenger = len(self) // len(self.challengers)
        of_field = len(self) * (self.table_size - 1) // len(self.field)
        return {
            **dict.fromkeys(self.challengers, of_challenger),
            **dict.fromkeys(self.field, of_field),
        }

    def _members(self, place: int) -> tuple[int, ...]:
        """Return who of the field sits at a table, by their places on the circle."""
        points = len(self.field)
        if not self._chosen:
            return _subset(self._shuffle[place], self.table_size - 1)
        slot, turn = divmod(place, points)
        table, order = self._families()[slot]
        return tuple((member + order[turn]) % points for member in table)

    def _families(self) -> _Orders:
        """Return the tables that are chosen, each with the order of its turns.

        They are searched for when the first match is asked for (`prepare`): to count needs none.
        """
        if self._orders is None:
            points = len(self.field)
            tables = family(points, self.table_size - 1, self._tables // points).tables
            self._orders = tuple(
                (table, even_order(table, points) or tuple(range(points))) for table in tables
            )
        return self._orders


def tables_of_field(
    challengers: int, field: int, *, table_size: int, budget: int | None = None
) -> int:
    """Return how many tables of the field each of so many challengers meets within a budget.

    They are all tables, or as many whole turns of the field's circle as fit. Raises `ValueError`
    where one side is too small, and `BudgetTooSmall`.
    """
    mates = table_size - 1
    if not challengers or not 1 <= mates <= field:
        raise ValueError(
            f"a gauntlet at tables of {table_size} needs a challenger and a field of at least "
            f"{max(1, mates)}, got {challengers} and {field}"
        )
    each = challengers * table_size
    count = comb(field, mates)
    if budget is None or budget >= count * each:
        return count
    # A field of which no fewer tables are even, all of them are needed.
    least = field if 2 <= mates < field else count
    if budget < least * each:
        raise BudgetTooSmall(challengers + field, (table_size,), budget, least * each)
    return budget // (field * each) * field


def _subset(rank: int, size: int) -> tuple[int, ...]:
    """Return the `rank`-th set of `size` numbers, in the order of their largest, the next, …."""
    chosen: list[int] = []
    for wanted in range(size, 0, -1):
        candidate = wanted - 1
        # C(candidate + 1, wanted) subsets lie wholly at or below `candidate`.
        while comb(candidate + 1, wanted) <= rank:
            candidate += 1
        rank -= comb(candidate, wanted)
        chosen.append(candidate)
    return tuple(reversed(chosen))
