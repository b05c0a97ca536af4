"""`kitumaija tournament schedule`: who would play whom, before there is a tournament."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Annotated, Any

import typer

from kitumaija.engine import text_seed
from kitumaija.server.cli.output import out, print_json, print_table, table
from kitumaija.server.cli.parameters import AsJson, parse_duration
from kitumaija.server.schedule.balance import Balance, balance
from kitumaija.server.schedule.plan import plans
from kitumaija.server.schedule.round_robin import RoundRobin
from kitumaija.server.tournament.settings import MATCH_BUDGET_MAX, SEATS_MAX, SEATS_MIN

ENTRANTS_MAX = 100_000
CAPACITY = 8
"""How many matches a bot plays at once if it says nothing else."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """How long matches take that are so long and so many at once."""

    match: timedelta
    at_once: int

    def of(self, balance: Balance) -> timedelta:
        """Return how long the matches of one table size take together."""
        plan = balance.plan
        room = max(1, min(self.at_once, plan.entrants * CAPACITY // plan.table_size))
        return timedelta(seconds=ceil(self.match.total_seconds() * plan.matches / room))


def schedule(
    entrants: Annotated[int, typer.Option("--entrants", min=2, max=ENTRANTS_MAX, help="How many.")],
    seats: Annotated[
        list[int] | None,
        typer.Option(
            "--seats",
            min=SEATS_MIN,
            max=SEATS_MAX,
            help="A table size; may be given more than once; 2 if left out.",
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often all tables are played.")] = 1,
    budget: Annotated[
        int,
        typer.Option(
            min=1, max=MATCH_BUDGET_MAX, help="How many matches all table sizes may have together."
        ),
    ] = MATCH_BUDGET_MAX,
    match_time: Annotated[
        str, typer.Option("--match-time", help="How long a match takes, for the estimate.")
    ] = "1s",
    at_once: Annotated[
        int, typer.Option("--at-once", min=1, help="How many matches run at once.")
    ] = 256,
    first: Annotated[
        int, typer.Option("--list", min=0, help="List so many matches of each table size.")
    ] = 0,
    seed: Annotated[
        str, typer.Option(help="A text to draw the listed matches from; a real draw is another.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Print what a round robin would be: how many matches, how even, and about how long.

    Games and seats are the same for everybody. Pairs meet at as many tables as is said, the least
    and the most; a choice of tables is looked for until the two differ by 1, or for some seconds.
    """
    estimate = Estimate(parse_duration(match_time), at_once)
    try:
        found = plans(entrants, tuple(sorted(set(seats or [2]))), rounds=rounds, budget=budget)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    balances = [
        balance(entrants, plan.table_size, rounds=rounds, budget=plan.matches)
        for plan in found.values()
    ]
    listed = {one.plan.table_size: _listed(one, rounds, text_seed(seed), first) for one in balances}
    if as_json:
        print_json([_plain(one, estimate, listed[one.plan.table_size]) for one in balances])
        return
    columns = [">seats", "tables", ">matches", ">games each", ">in each seat", ">sets"]
    columns += [">pairs meet at", "takes about"]
    rows = [
        [
            str(one.plan.table_size),
            _what(one),
            f"{one.plan.matches:,}",
            f"{one.plan.games:,}",
            f"{one.plan.games // one.plan.table_size:,}",
            f"{one.plan.sets:,}",
            f"{one.fewest:,} to {one.most:,}" if one.spread else f"{one.most:,}",
            str(estimate.of(one)),
        ]
        for one in balances
    ]
    print_table(table(columns, rows, title=f"{entrants} entrants, {rounds} rounds"))
    for matches in listed.values():
        for number, match in enumerate(matches):
            out.print(f"{number}: {' '.join(match)}")


def _listed(one: Balance, rounds: int, seed: bytes, first: int) -> list[tuple[str, ...]]:
    plan = one.plan
    digits = len(str(plan.entrants))
    names = [f"bot-{number:0{digits}}" for number in range(1, plan.entrants + 1)]
    made = RoundRobin(
        names, table_size=plan.table_size, rounds=rounds, budget=plan.matches, seed=seed
    )
    return made[: min(first, len(made))]


def _what(one: Balance) -> str:
    return f"{one.plan.kind}, {one.plan.rounds} rounds" if one.plan.rounds > 1 else one.plan.kind


def _plain(one: Balance, estimate: Estimate, listed: list[tuple[str, ...]]) -> dict[str, Any]:
    plan = one.plan
    return {
        "entrants": plan.entrants,
        "table_size": plan.table_size,
        "tables": plan.kind.value,
        "rounds": plan.rounds,
        "matches": plan.matches,
        "sets": plan.sets,
        "games": plan.games,
        "games_in_each_seat": plan.games // plan.table_size,
        "pairs_meet_at_least": one.fewest,
        "pairs_meet_at_most": one.most,
        "estimate_seconds": estimate.of(one).total_seconds(),
        "listed": [list(match) for match in listed],
    }
