"""`python -m kitumaija.server`: the organizers' commands without the authors' ones."""

import typer

from kitumaija.console.garbage import search_rarely
from kitumaija.server.cli import register


def commands() -> typer.Typer:
    """The organizers' commands, in a root of their own."""
    root = typer.Typer(
        no_args_is_help=True,
        help="Kitumaija: the organizers' commands.",
        pretty_exceptions_enable=False,
    )
    bots = typer.Typer(no_args_is_help=True, help="Bots: register them, list them.")
    root.add_typer(bots, name="bot")
    replays = typer.Typer(no_args_is_help=True, help="Stored games: explain them.")
    root.add_typer(replays, name="replay")
    register(root, {"bot": bots, "replay": replays})
    return root


if __name__ == "__main__":
    search_rarely()
    commands()(prog_name="kitumaija")
