"""`kitumaija check`: does a bot hold out against odd positions?"""

from __future__ import annotations

from typing import Annotated

import typer

from kitumaija.sdk.cli.output import AsJson, print_json
from kitumaija.sdk.cli.parameters import BotName, Limit, limits_of
from kitumaija.sdk.clocks import real_clock
from kitumaija.sdk.errors import BotError
from kitumaija.sdk.loading import load
from kitumaija.sdk.testing.checks import check_bot
from kitumaija.wire.exits import ExitCode


def check_command(
    bot: BotName,
    games: Annotated[int, typer.Option(help="Games to play, at tables of 2, 3, 4 and 10.")] = 80,
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """Play a bot against random players under all options of the rules, and watch its clock.

    Exit code 1 if it raises, answers illegally or takes too long.
    """
    tables = (2, 3, 4, 10)
    try:
        found = check_bot(
            load(bot),
            seeds=range(-(-games // len(tables))),
            seats=tables,
            limits=limits_of(limit),
            clock=real_clock,
        )
    except BotError as error:
        if as_json:
            print_json({"ok": False, "error": str(error)})
        else:
            typer.echo(str(error), err=True)
        raise typer.Exit(ExitCode.FAILED) from error
    ok = not found.late
    if as_json:
        print_json(
            {
                "ok": ok,
                "games": found.games,
                "decisions": found.decisions,
                "late": found.late,
                "slowest_seconds": found.slowest.total_seconds(),
            }
        )
    else:
        typer.echo(
            f"{found.games} games, {found.decisions} decisions, all of them legal; "
            f"{found.late} took too long, the slowest {found.slowest.total_seconds() * 1e3:.1f} ms"
        )
    if not ok:
        raise typer.Exit(ExitCode.FAILED)
