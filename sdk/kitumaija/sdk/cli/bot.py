"""`kitumaija bot run` and `bot zoo`: play on a server, and what is there to play against it."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kitumaija.sdk.cli.output import AsJson, print_json, print_table
from kitumaija.sdk.cli.parameters import OnlineBotName
from kitumaija.sdk.online import ADDRESS, PATIENCE, TOKEN, run
from kitumaija.wire.limits import DEFAULT_CAPACITY


class Reaction(StrEnum):
    """What becomes of an error in the bot."""

    FALLBACK = "fallback"
    RAISE = "raise"


def add_to(group: typer.Typer) -> None:
    """Add the authors' commands to the group `bot`."""
    group.command("run")(run_command)
    group.command("zoo")(zoo_command)


def run_command(
    bot: OnlineBotName,
    address: Annotated[
        str | None,
        typer.Option(envvar=ADDRESS, help="host:port, or https://host:port.", show_default=False),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(envvar=TOKEN, help="The bot's token.", show_default=False),
    ] = None,
    capacity: Annotated[int, typer.Option(help="Matches at once.")] = DEFAULT_CAPACITY,
    bot_version: Annotated[
        str | None, typer.Option(help="The bot's version; its class's if left out.")
    ] = None,
    on_error: Annotated[
        Reaction, typer.Option(help="An error in the bot: answer for it and go on, or stop.")
    ] = Reaction.FALLBACK,
    tls_ca: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Certificates to trust (PEM).")
    ] = None,
    tls_cert: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The bot's own certificate (PEM), for who wants one."),
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(metavar="FILE", help="Its key (PEM).")] = None,
    patience: Annotated[
        float, typer.Option(metavar="SECONDS", help="How long the server may be out of reach.")
    ] = PATIENCE.total_seconds(),
) -> None:
    """Play on a server until Ctrl-C."""
    run(
        bot,
        address=address,
        token=token,
        capacity=capacity,
        version=bot_version,
        on_error="raise" if on_error is Reaction.RAISE else "fallback",
        tls_ca=tls_ca,
        tls_cert=tls_cert,
        tls_key=tls_key,
        patience=timedelta(seconds=patience),
    )


def zoo_command(as_json: AsJson = False) -> None:
    """List the misbehaving bots, to rehearse with on a server of your own."""
    from kitumaija.sdk.testing.hostile import ZOO

    if as_json:
        print_json([species.as_dict() for species in ZOO])
        return
    print_table(
        ["bot", "what it does", "the fault that it gets"],
        [[species.source, species.what, species.fault or "none"] for species in ZOO],
    )
