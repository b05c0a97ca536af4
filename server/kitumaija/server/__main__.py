"""`python -m kitumaija.server`: the organizers' commands without the authors' ones."""

import typer

from kitumaija.server.cli import register


def main() -> None:
    """Run the command that the arguments name."""
    root = typer.Typer(no_args_is_help=True, help="Kitumaija: the organizers' commands.")
    bots = typer.Typer(no_args_is_help=True, help="Bots: register them, list them.")
    root.add_typer(bots, name="bot")
    register(root, {"bot": bots})
    root(prog_name="kitumaija")


if __name__ == "__main__":
    main()
