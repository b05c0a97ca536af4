"""The root of `kitumaija` and the groups that authors and organizers share."""

from __future__ import annotations

from importlib.metadata import version
from inspect import getdoc
from typing import Annotated

import typer

from kitumaija.sdk.cli import arena, bot, check, replay
from kitumaija.sdk.cli.extensions import extend


def build() -> typer.Typer:
    """Return the whole command: the authors' part, and what is installed beside it."""
    root = typer.Typer(
        name="kitumaija",
        help="Bots play the card game Kitumaija: write one, play here, play on a server.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    root.callback()(_root)
    root.command("arena")(arena.arena_command)
    root.command("check")(check.check_command)
    groups = {
        "bot": typer.Typer(no_args_is_help=True, help="Run a bot; register bots on a server."),
        "replay": typer.Typer(no_args_is_help=True, help="Look at the record of a game."),
    }
    bot.add_to(groups["bot"])
    replay.add_to(groups["replay"])
    for name, group in groups.items():
        root.add_typer(group, name=name)
    extend(root, groups)
    _flow(root)
    return root


def _flow(group: typer.Typer) -> None:
    """Have the paragraphs of all help wrapped where a terminal ends, and not where the source does.

    typer joins the lines of the first paragraph of a docstring alone.
    """
    for command in group.registered_commands:
        text = command.help or getdoc(command.callback) or ""
        paragraphs = text.split("\n\n")
        command.help = "\n\n".join(" ".join(each.split()) for each in paragraphs)
    for entry in group.registered_groups:
        if entry.typer_instance is not None:
            _flow(entry.typer_instance)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"kitumaija {version('kitumaija')}")
        raise typer.Exit


def _root(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Say the version."),
    ] = False,
) -> None:
    """Bots play the card game Kitumaija: write one, play here, play on a server."""
