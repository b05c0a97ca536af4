"""`kitumaija tournament schedule`: who would play whom, before there is a tournament."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Annotated, Any

import typer

from kitumaija.console.text import counted
from kitumaija.engine import text_seed
from kitumaija.server.choices import (
    MATCH_BUDGET_MAX,
    ROUNDS_MAX,
    SEATS_MAX,
    SEATS_MIN,
    Format,
)
from kitumaija.server.cli.listing import Listed, list_matches, print_matches
from kitumaija.server.cli.output import print_json, print_table, table
from kitumaija.server.cli.parameters import AsJson, parse_duration
from kitumaija.server.cli.rounds import show_adaptive, show_gauntlet, show_rounds
from kitumaija.server.schedule.balance import Balance, balance
from kitumaija.server.schedule.gauntlet import Gauntlet
from kitumaija.server.schedule.plan import plans
from kitumaija.server.schedule.round_formats import RoundFormat
from kitumaija.server.schedule.round_robin import RoundRobin

ENTRANTS_MAX = 100_000
ENTRANTS_SEATED_MAX = 1_000
ROUNDS_SHOWN = 10
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
            help="A table size; of a round robin more than one may be given; 2 if left out.",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=ROUNDS_MAX,
            help="How often all tables are played, once if left out; of the other formats how many "
            "rounds, 10 if left out; a knockout and an adaptive tournament have no number of them.",
        ),
    ] = None,
    budget: Annotated[
        int,
        typer.Option(
            min=1, max=MATCH_BUDGET_MAX, help="How many matches all table sizes may have together."
        ),
    ] = MATCH_BUDGET_MAX,
    played_as: Annotated[
        Format,
        typer.Option(
            "--format",
            help="Who meets whom; where that depends on results, they are made up. Of an adaptive "
            "tournament only how long it is at the most.",
        ),
    ] = Format.ROUND_ROBIN,
    challengers: Annotated[
        int, typer.Option(min=1, help="How many of the entrants run a gauntlet.")
    ] = 1,
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
        str, typer.Option(help="A text to draw from; a tournament draws another.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Print who would meet whom: how many matches, how even, and about how long they take.

    Of a round robin games and seats are the same for everybody. Pairs meet at as many tables as is
    said, the least and the most; a choice of tables is looked for until the two differ by 1, or for
    some seconds.
    """
    sizes = tuple(sorted(set(seats or [SEATS_MIN])))
    estimate = Estimate(parse_duration(match_time), at_once)
    names = _names(entrants)
    drawn_from = text_seed(seed)
    try:
        if played_as is Format.ROUND_ROBIN:
            found = plans(entrants, sizes, rounds=rounds or 1, budget=budget)
            balances = [
                balance(entrants, plan.table_size, rounds=rounds or 1, budget=plan.matches)
                for plan in found.values()
            ]
            listed = [_listed(one, rounds or 1, names, drawn_from, first) for one in balances]
            _print_round_robins(balances, listed, estimate, as_json=as_json)
            return
        size, *more = sizes
        if more:
            raise typer.BadParameter(f"a {played_as} has one table size, got {len(sizes)}")
        if played_as is Format.GAUNTLET:
            made = Gauntlet(
                names[:challengers],
                names[challengers:],
                table_size=size,
                seed=drawn_from,
                budget=budget,
            )
            show_gauntlet(made, first=first, as_json=as_json)
            return
        if played_as is Format.ADAPTIVE:
            show_adaptive(entrants, table_size=size, budget=budget, as_json=as_json)
            return
        if entrants > ENTRANTS_SEATED_MAX:
            raise typer.BadParameter(
                f"a {played_as} is shown of up to {ENTRANTS_SEATED_MAX} entrants, got {entrants}"
            )
        until = entrants if played_as is Format.KNOCKOUT else ROUNDS_SHOWN
        show_rounds(
            RoundFormat(played_as),
            names,
            table_size=size,
            rounds=rounds or until,
            seed=drawn_from,
            as_json=as_json,
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _names(entrants: int) -> list[str]:
    digits = len(str(entrants))
    return [f"bot-{number:0{digits}}" for number in range(1, entrants + 1)]


def _print_round_robins(
    balances: list[Balance],
    listed: list[list[Listed]],
    estimate: Estimate,
    *,
    as_json: bool,
) -> None:
    if as_json:
        print_json(
            [_plain(one, estimate, matches) for one, matches in zip(balances, listed, strict=True)]
        )
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
    print_table(table(columns, rows, title=counted(balances[0].plan.entrants, "entrant")))
    for matches in listed:
        print_matches(matches)


def _listed(one: Balance, rounds: int, names: list[str], seed: bytes, first: int) -> list[Listed]:
    plan = one.plan
    made = RoundRobin(
        names, table_size=plan.table_size, rounds=rounds, budget=plan.matches, seed=seed
    )
    return list_matches(made, first)


def _what(one: Balance) -> str:
    return f"{one.plan.kind}, {one.plan.rounds} rounds" if one.plan.rounds > 1 else one.plan.kind


def _plain(one: Balance, estimate: Estimate, listed: list[Listed]) -> dict[str, Any]:
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
        "listed": [one.as_dict() for one in listed],
    }
