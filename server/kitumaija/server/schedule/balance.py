"""How even a round robin is, without playing through it."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from kitumaija.server.schedule.families import family
from kitumaija.server.schedule.plan import Kind, Plan, plan


@dataclass(frozen=True, slots=True)
class Balance:
    """A plan, and at how many tables the pairs meet that meet least and most often.

    Games and seats are the same for everybody.
    """

    plan: Plan
    fewest: int
    most: int

    @property
    def spread(self) -> int:
        """By how many tables the meetings of two pairs differ at the most."""
        return self.most - self.fewest


def balance(entrants: int, table_size: int, *, rounds: int, budget: int | None = None) -> Balance:
    """Return the balance of the round robin that `plan` returns; raises like it.

    A choice of tables is searched for, which takes some seconds at the most for a few dozen
    entrants.
    """
    made = plan(entrants, table_size, rounds=rounds, budget=budget)
    if made.kind is Kind.ALL_TABLES:
        meet = comb(entrants - 2, table_size - 2) * made.rounds
        return Balance(made, meet, meet)
    meetings = family(entrants, table_size, made.orbits).meetings[1:]
    return Balance(made, min(meetings), max(meetings))
