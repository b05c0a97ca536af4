"""What the authors' commands ask for on the command line, each in one place."""

from __future__ import annotations

from dataclasses import fields
from datetime import timedelta
from typing import Annotated

import typer

from kitumaija.console.children import Allowance
from kitumaija.console.sizes import parse_size
from kitumaija.engine import GameOptions
from kitumaija.sdk.loading import FORMS
from kitumaija.wire.times import Limits, parse_duration

_LIMITS = tuple(field.name for field in fields(Limits))
_OPTIONS = tuple(GameOptions().as_dict())

BotName = Annotated[str, typer.Argument(metavar="BOT", help=f"{FORMS}.", show_default=False)]
OnlineBotName = Annotated[
    str,
    typer.Argument(
        metavar="BOT",
        help=f"{FORMS}; or hostile:NAME for one that misbehaves (`kitumaija bot zoo` lists them).",
        show_default=False,
    ),
]
Limit = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=TIME",
        help=f"A limit of time, such as per_decision=20ms. Names: {', '.join(_LIMITS)}.",
    ),
]
Option = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help=f"An option of the rules, such as pickup=always. Names: {', '.join(_OPTIONS)}.",
    ),
]
BotCpu = Annotated[
    str,
    typer.Option(
        "--bot-cpu",
        metavar="TIME",
        help="CPU time that the process of a cmd: bot may use, with all that it starts, such as "
        "60s; as much as there is if left out.",
        show_default=False,
    ),
]
BotMemory = Annotated[
    str,
    typer.Option(
        "--bot-memory",
        metavar="SIZE",
        help="Memory that it may have in use at a time, such as 512MiB; as much as there is if "
        "left out.",
        show_default=False,
    ),
]
RealTime = Annotated[
    bool,
    typer.Option(
        "--real-time",
        help="Let bots hear the machine's clock. Without it time is counted, "
        "so that the same seed gives the same games.",
    ),
]


def limits_of(pairs: list[str] | None) -> Limits:
    """Return the limits that texts such as ``bank=5s`` stand for.

    Raises `typer.BadParameter`.
    """
    given = {name: _duration(value) for name, value in _pairs(pairs, _LIMITS)}
    try:
        return Limits(**given)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def options_of(pairs: list[str] | None) -> GameOptions:
    """Return the options of the rules that texts such as ``pickup=always`` stand for.

    Raises `typer.BadParameter`.
    """
    given = {
        name: int(value) if value.isdecimal() else value for name, value in _pairs(pairs, _OPTIONS)
    }
    try:
        return GameOptions.from_dict(given)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def allowance_of(cpu: str, memory: str) -> Allowance:
    """Return what the process of a bot may use; an empty text is no limit.

    Raises `typer.BadParameter`.
    """
    try:
        return Allowance(
            cpu_seconds=parse_duration(cpu).total_seconds() if cpu else 0.0,
            memory_bytes=parse_size(memory) if memory else 0,
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _pairs(pairs: list[str] | None, names: tuple[str, ...]) -> list[tuple[str, str]]:
    parted: list[tuple[str, str]] = []
    for text in pairs or ():
        name, _, value = text.partition("=")
        name = name.replace("-", "_")
        if name not in names or not value:
            raise typer.BadParameter(f"got '{text}', wanted NAME=VALUE of: {', '.join(names)}")
        parted.append((name, value))
    return parted


def _duration(text: str) -> timedelta:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
