"""What the organizers' commands ask for on the command line, each in one place."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from kitumaija.console.children import Allowance
from kitumaija.console.sizes import parse_size
from kitumaija.wire import times as wire_times

DEFAULT_ADDRESS = "127.0.0.1:4800"
DEFAULT_DATA = Path("kitumaija-data")
ORGANIZER_TOKEN_FILE = "organizer.token"
TLS_CA = "KITUMAIJA_TLS_CA"
"""The variable that names a file of certificates (PEM) to trust in place of the machine's."""
CLIENT_CERT, CLIENT_KEY = "KITUMAIJA_CLIENT_CERT", "KITUMAIJA_CLIENT_KEY"
"""The variables that name the certificate and key (PEM) to show to a server that wants them."""

Address = Annotated[
    str,
    typer.Option(
        "--address",
        envvar="KITUMAIJA_ADDRESS",
        help="Where the server listens, as HOST:PORT, or https://HOST:PORT where it speaks TLS; "
        f"{TLS_CA} may name a file of certificates to trust, {CLIENT_CERT} and {CLIENT_KEY} the "
        "pair to show.",
    ),
]
Token = Annotated[
    str | None,
    typer.Option(
        "--token",
        envvar="KITUMAIJA_ORGANIZER_TOKEN",
        help="The organizer's token. Without it, the file organizer.token of --data is read.",
        show_default=False,
    ),
]
Data = Annotated[
    Path,
    typer.Option(
        "--data",
        envvar="KITUMAIJA_DATA",
        help="The server's data directory.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for other programs.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; it goes into the audit log.")]
TournamentId = Annotated[str, typer.Argument(metavar="TOURNAMENT", help="The tournament's id.")]
BotId = Annotated[str, typer.Argument(metavar="BOT", help="The bot's id.")]


BotCpu = Annotated[
    str,
    typer.Option(
        "--bot-cpu",
        metavar="TIME",
        help="CPU time that the process of a bot may use, with all that it starts, such as 60s; as "
        "much as there is if left out.",
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


def parse_duration(text: str) -> timedelta:
    """The duration that a text such as `1s`, `250ms` or `1.5m` stands for.

    Raises `typer.BadParameter` naming what was got and what is wanted.
    """
    try:
        return wire_times.parse_duration(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def organizer_token(token: str | None, data: Path) -> str:
    """The organizer's token: the one given, else the one in the server's data directory.

    Empty where there is neither: reading needs none.
    """
    if token is not None:
        return token
    path = data / ORGANIZER_TOKEN_FILE
    try:
        return path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise typer.BadParameter(
            f"{path} cannot be read ({error.strerror}); give the token with --token"
        ) from error
