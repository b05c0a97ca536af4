"""The organizers' commands of `kitumaija`.

The root command belongs to the bot authors' package; it finds :func:`register` by the entry point
group `kitumaija.commands` and lets it add what an organizer needs.
"""

from collections.abc import Mapping
from importlib.util import find_spec

import typer

from kitumaija.console.quiet import silence_grpc

__all__ = ["register"]

NEEDED = (
    *("alembic", "cryptography", "grpc_health", "grpc_reflection", "mpmath", "numpy"),
    *("prometheus_client", "pydantic", "pydantic_settings", "sqlalchemy", "structlog", "trueskill"),
)
"""What comes with the extra `server`, and is loaded by a command that works with it."""


def register(root: typer.Typer, groups: Mapping[str, typer.Typer]) -> None:
    """Add the organizers' commands to `root`, and to the `groups` shared with the authors.

    Raises `ModuleNotFoundError` where something is missing that one of them needs.
    """
    for name in NEEDED:
        if find_spec(name) is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    silence_grpc()
    # Imported here: `kitumaija --help` of an author who has no server installed must not need it.
    from kitumaija.server.cli import (
        bench,
        bots,
        certs,
        demo,
        explaining,
        leaks,
        ratings,
        serve,
        stores,
        tournaments,
    )

    root.command("serve")(serve.serve)
    root.command("demo")(demo.demo)
    bots.add_to(groups["bot"])
    groups["replay"].command("explain")(explaining.explain)
    root.add_typer(tournaments.app, name="tournament")
    root.add_typer(ratings.app, name="ratings")
    root.add_typer(stores.app, name="store")
    root.add_typer(leaks.app, name="server")
    root.add_typer(certs.app, name="certs")
    root.add_typer(bench.app, name="bench")
