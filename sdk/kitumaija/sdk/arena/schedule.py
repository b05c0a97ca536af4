"""Who sits where in which game: a function of the bots, the table and the seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, count

from kitumaija.engine import Chance, Deal, deal_seed


@dataclass(frozen=True, slots=True)
class Lineup:
    """One set of games: who sits where, and the deal of each game.

    `number` counts the sets from 0. Each of the `rotations` holds the number of the bot at every
    seat; `deals` has as many, which are one and the same in duplicates.
    """

    number: int
    deals: tuple[Deal, ...]
    rotations: tuple[tuple[int, ...], ...]


def lineups(bots: int, seats: int, master: bytes, *, duplicate: bool = True) -> Iterator[Lineup]:
    """Yield sets without end; `master` is 32 bytes.

    With more bots than seats all choices of bots take turns. With fewer each bot sits there several
    times, as evenly as can be. Who sits next to whom is drawn for every set, which
    moves around the table once. Without `duplicate` each of its games has a deal of its own.
    """
    choices = _choices(bots, seats)
    for number in count():
        deal = _deal(master, f"arena/{seats}/{number}")
        line, _ = Chance(deal.key, "seating").shuffled(choices[number % len(choices)])
        rotations = tuple(line[turn:] + line[:turn] for turn in range(seats))
        others = [
            deal if duplicate else _deal(master, f"{deal.deal_id}/{turn}")
            for turn in range(1, seats)
        ]
        yield Lineup(number, (deal, *others), rotations)


def _deal(master: bytes, deal_id: str) -> Deal:
    return Deal(deal_id, deal_seed(master, deal_id))


def _choices(bots: int, seats: int) -> tuple[tuple[int, ...], ...]:
    if bots >= seats:
        return tuple(combinations(range(bots), seats))
    return tuple(tuple((first + place) % bots for place in range(seats)) for first in range(bots))
