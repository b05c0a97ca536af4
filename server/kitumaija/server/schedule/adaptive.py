"""An adaptive tournament: tables of those who keep what is asked from being known.

Who they are follows from results, which no schedule knows of: whoever draws a round brings a
`Chooser` along that does (`rating/fit/choosing.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from kitumaija.server.schedule.seating import Round, Seats

OPENING = 4
"""Sets of everybody, before anybody is chosen: of fewer nobody knows how they scatter."""

Chooser: TypeAlias = Callable[[Sequence[str], int], Sequence[Seats]]
"""Chooses so many tables of those who are there; none where they are too few to tell apart."""


def tables_per_round(asked: int, there: int, *, table_size: int) -> int:
    """Return how many tables a round has: as asked for, or as many as all fill where 0 is."""
    return asked or max(1, there // table_size)


def fewest_matches(entrants: int, *, table_size: int) -> int:
    """Return how many matches the first sets of everybody are."""
    return -(-OPENING * entrants // table_size) * table_size


def adaptive_round(there: Sequence[str], *, tables: int, choose: Chooser) -> Round | None:
    """Return a round of so many tables; None where none are chosen.

    A bot may sit at several of them. Who sits at none sits out: so the round says who was there.
    """
    chosen = tuple(choose(there, tables)) if tables > 0 else ()
    if not chosen:
        return None
    seated = {name for seats in chosen for name in seats}
    return Round(chosen, tuple(name for name in there if name not in seated))
