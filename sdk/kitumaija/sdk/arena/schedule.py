"""Who sits where in which game: a function of the bots, the table and the seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, count

from kitumaija.engine import Chance, Deal, deal_seed


@dataclass(frozen=True, slots=True)
class Lineup:
    """One deal, and the line-ups that play it: each holds the number of the bot at every seat."""

    deal: Deal
    rotations: tuple[tuple[int, ...], ...]


def lineups(bots: int, seats: int, master: bytes) -> Iterator[Lineup]:
    """Yield deals and line-ups without end; `master` is 32 bytes.

    With more bots than seats all choices of bots take turns. With fewer each bot sits there several
    times, as evenly as can be. Who sits next to whom is drawn for every deal, and each line-up
    moves around the table once.
    """
    choices = _choices(bots, seats)
    for number in count():
        deal_id = f"arena/{seats}/{number}"
        deal = Deal(deal_id, deal_seed(master, deal_id))
        line, _ = Chance(deal.key, "seating").shuffled(choices[number % len(choices)])
        rotations = tuple(line[turn:] + line[:turn] for turn in range(seats))
        yield Lineup(deal, rotations)


def _choices(bots: int, seats: int) -> tuple[tuple[int, ...], ...]:
    if bots >= seats:
        return tuple(combinations(range(bots), seats))
    return tuple(tuple((first + place) % bots for place in range(seats)) for first in range(bots))
