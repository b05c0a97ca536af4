"""`kitumaija arena`: which of some bots is how strong, played here and without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kitumaija.console.commands import is_command
from kitumaija.console.text import counted
from kitumaija.sdk.arena import Estimate, Standings, arena
from kitumaija.sdk.cli.output import AsJson, print_json, print_table, progress
from kitumaija.sdk.cli.parameters import (
    BotCpu,
    BotMemory,
    Limit,
    Option,
    RealTime,
    allowance_of,
    limits_of,
    options_of,
)
from kitumaija.sdk.loading import ALL_FORMS
from kitumaija.wire.exits import ExitCode


def arena_command(
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT...", help=f"{ALL_FORMS}.", show_default=False)
    ],
    seats: Annotated[int, typer.Option(help="Players at the table, 2-10.")] = 2,
    games: Annotated[
        int, typer.Option(help="Games to play, rounded up: the bots move around the table.")
    ] = 100,
    duplicate: Annotated[
        bool | None,
        typer.Option(
            "--duplicate/--fresh-deals",
            help="Play every deal from every seat, so that cards favour nobody, or every game with "
            "a deal of its own, as a server does. If left out, duplicates where every game has "
            "fresh bots.",
            show_default=False,
        ),
    ] = None,
    fresh_bots: Annotated[
        bool,
        typer.Option(
            "--fresh-bots",
            help="Start the process of a cmd: bot anew for every game, so that it can remember "
            "nothing. Slow.",
        ),
    ] = False,
    seed: Annotated[str, typer.Option(help="The same seed gives the same games.")] = "1",
    jobs: Annotated[
        int, typer.Option(help="Processes to play in, beside the one that counts.")
    ] = 1,
    limit: Limit = None,
    option: Option = None,
    real_time: RealTime = False,
    records: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep the record of every game here."),
    ] = None,
    bot_cpu: BotCpu = "",
    bot_memory: BotMemory = "",
    as_json: AsJson = False,
) -> None:
    """Let bots play many games here, and say who beats whom how often.

    They play in processes of their own, of which nothing is left when the command ends.
    A cmd: bot is a process that dials in as it would on a server, in the time of the machine's
    clock. Exit code 1 if a bot raised, answered illegally or crashed.
    """
    with progress("games", -(-games // seats) * seats) as played:
        result = arena(
            bots,
            seats=seats,
            games=games,
            seed=seed,
            duplicate=duplicate,
            options=options_of(option),
            limits=limits_of(limit),
            real_time=real_time,
            jobs=jobs,
            records=records,
            fresh_bots=fresh_bots,
            allowance=allowance_of(bot_cpu, bot_memory),
            progress=played,
        )
    if as_json:
        print_json(result.as_dict())
    else:
        _print(result, remembering=not fresh_bots and any(map(is_command, bots)))
    if any(row.errors for row in result.rows):
        raise typer.Exit(ExitCode.FAILED)


def _print(result: Standings, *, remembering: bool) -> None:
    """Print the standings; `remembering` says whether there are bots that play many games."""
    places = [f">{_ordinal(place)}" for place in range(1, result.seats + 1)]
    print_table(
        ["bot", ">games", ">mean place", *places, ">late", ">errors"],
        [
            [
                row.name,
                str(row.games),
                f"{row.mean_place:.3f}",
                *map(str, row.places),
                str(row.late),
                str(row.errors),
            ]
            for row in result.rows
        ],
    )
    ended = ", ".join(f"{count} by {name}" for name, count in result.terminations.items())
    dealt = (
        "duplicates: the games of a set have one deal (only here, never on a server)"
        if result.duplicate
        else "every game has a deal of its own, as on a server"
    )
    typer.echo(
        f"\n{counted(result.games, 'game')} in {counted(result.sets, 'set')}, "
        f"{counted(result.decisions, 'decision')}"
    )
    typer.echo(dealt)
    if remembering:
        typer.echo("a cmd: bot plays game after game in one process, so no deal is played twice")
    typer.echo(f"ended: {ended}\n")
    order = [row.name for row in result.rows]
    print_table(
        ["bot", "against", ">beats it", "95 % interval"],
        [
            [pair.name, pair.other, f"{pair.beats.share:.3f}", interval(pair.beats)]
            for pair in result.against
            if order.index(pair.name) < order.index(pair.other)
        ],
    )
    for row in result.rows:
        if row.first_error:
            which = f"first of {row.errors} errors" if row.errors > 1 else "only error"
            typer.echo(f"\nthe {which}: {row.first_error}", err=True)


def interval(estimate: Estimate) -> str:
    """Return an interval as text."""
    return f"{estimate.low:.3f} – {estimate.high:.3f}"


def _ordinal(place: int) -> str:
    return f"{place}{({1: 'st', 2: 'nd', 3: 'rd'}).get(place, 'th')}"
