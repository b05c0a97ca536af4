"""`kitumaija check`: does a bot, in whatever language, do what the protocol asks of it?"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kitumaija.sdk.cli.output import AsJson, print_json, print_table
from kitumaija.sdk.cli.parameters import Limit, limits_of
from kitumaija.sdk.clocks import real_clock
from kitumaija.sdk.errors import UsageError
from kitumaija.sdk.loading import ALL_FORMS, HOSTILE, command_of, load
from kitumaija.sdk.testing.checks import Checked, check_bot
from kitumaija.wire.exits import ExitCode

if TYPE_CHECKING:
    from kitumaija.sdk.bot import BotFactory
    from kitumaija.sdk.check.exam import LocalGames
    from kitumaija.sdk.check.report import Report, Result
    from kitumaija.sdk.check.step import Step
    from kitumaija.wire.times import Limits

TABLES = (2, 3, 4, 10)


def check_command(
    bot: Annotated[
        str | None,
        typer.Argument(
            metavar="[BOT]",
            help=f"{ALL_FORMS}. Left out: your bot is waited for.",
            show_default=False,
        ),
    ] = None,
    listen: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            help="Where to wait for a bot that you start yourself; port 0 is one that is free.",
            show_default=False,
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="STEP", help="Run this step, and those named by further --only."),
    ] = None,
    list_steps: Annotated[
        bool, typer.Option("--list", help="List the steps, and run none.")
    ] = False,
    games: Annotated[
        int, typer.Option(help="Local games of a Python bot, at tables of 2, 3, 4 and 10.")
    ] = 80,
    limit: Limit = None,
    junit: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the report as JUnit XML, too.", dir_okay=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Lead a bot through all that the protocol asks of it, step by step.

    The checker is the server that the bot dials. It starts the bot, as often as it takes, or waits
    for one that you start. A Python bot plays local games under all options, too; --limit is for
    those. Exit code 1 if a step fails.
    """
    from kitumaija.sdk.check.steps import catalogue

    try:
        steps = catalogue.named(only) if only else catalogue.ALL
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--only") from None
    if list_steps:
        _list(steps, as_json=as_json)
        return
    if bot is not None and listen is not None:
        raise typer.BadParameter("a bot that is named is started; --listen is for one that is not")
    limits = limits_of(limit)
    shown = _Shown(as_json=as_json)
    if bot is None:
        report = _listen(listen or "127.0.0.1:0", steps, shown)
    else:
        report = _start(bot, steps, shown, games=games, limits=limits)
    _show(report, bot or "bot", junit=junit, as_json=as_json)
    if not report.ok:
        raise typer.Exit(ExitCode.FAILED)


class _Shown:
    """What is shown while the steps go on: on standard error where the report is JSON."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json

    def line(self, text: str) -> None:
        typer.echo(text, err=self._as_json)

    def step(self, result: Result) -> None:
        from kitumaija.sdk.check.render import failure_of, line_of
        from kitumaija.sdk.check.report import Outcome

        self.line(line_of(result))
        if result.outcome is Outcome.FAILED:
            self.line(f"\n{failure_of(result)}\n")


def _start(bot: str, steps: Sequence[Step], shown: _Shown, *, games: int, limits: Limits) -> Report:
    from kitumaija.sdk.check.session import check_command_line, python_bot

    command = command_of(bot)
    python = command is None and not bot.startswith(HOSTILE)
    local = _local_games(load(bot), games, limits) if python else None
    words = python_bot(bot) if command is None else command.words
    return asyncio.run(
        check_command_line(
            words, steps, new_token=secrets.token_urlsafe, heard=shown.step, local=local
        )
    )


def _local_games(bot: BotFactory, games: int, limits: Limits) -> LocalGames:
    def play() -> Checked:
        # What a bot prints must not get into the report.
        with contextlib.redirect_stdout(sys.stderr):
            return check_bot(
                bot,
                seeds=range(-(-games // len(TABLES))),
                seats=TABLES,
                limits=limits,
                clock=real_clock,
            )

    return play


def _listen(listen: str, steps: Sequence[Step], shown: _Shown) -> Report:
    from kitumaija.sdk.check.session import check_whoever_dials

    port = listen.rpartition(":")[2]
    if ":" not in listen or not port.isdecimal() or int(port) > 65_535:
        raise typer.BadParameter(
            f"got '{listen}', wanted HOST:PORT, such as 127.0.0.1:4801", param_hint="--listen"
        )
    token = secrets.token_urlsafe()

    def ready(address: str) -> None:
        for everywhere in ("0.0.0.0:", "[::]:"):
            address = address.replace(everywhere, "localhost:")
        shown.line("Waiting for a bot; start yours with these settings:\n")
        shown.line(f"  export KITUMAIJA_ADDRESS={address}\n  export KITUMAIJA_TOKEN={token}\n")

    try:
        return asyncio.run(
            check_whoever_dials(listen, steps, token=token, heard=shown.step, ready=ready)
        )
    except RuntimeError as error:
        raise UsageError(f"cannot listen at {listen}: {error}") from error


def _show(report: Report, bot: str, *, junit: Path | None, as_json: bool) -> None:
    from kitumaija.sdk.check.junit import junit_of
    from kitumaija.sdk.check.render import summary_of

    if junit is not None:
        junit.write_text(junit_of(report, bot), encoding="utf-8")
    if as_json:
        print_json(report.as_dict())
    else:
        typer.echo(summary_of(report))


def _list(steps: Sequence[Step], *, as_json: bool) -> None:
    if as_json:
        print_json([{"step": step.id, "sentence": step.sentence} for step in steps])
    else:
        print_table(["step", "what a sound bot does"], [[step.id, step.sentence] for step in steps])
