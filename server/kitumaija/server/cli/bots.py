"""`kitumaija bot register|list|rotate|disable`: who may play."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from kitumaija.console.text import plain_lines
from kitumaija.server.cli.connection import connected
from kitumaija.server.cli.output import print_json, print_table, table
from kitumaija.server.cli.parameters import (
    DEFAULT_ADDRESS,
    DEFAULT_DATA,
    Address,
    AsJson,
    BotId,
    Data,
    Token,
)
from kitumaija.v1 import bot_pb2 as v1


def add_to(group: typer.Typer) -> None:
    """Add the organizers' bot commands to the group `bot`."""
    group.command("register")(register)
    group.command("list")(list_bots)
    group.command("rotate")(rotate)
    group.command("disable")(disable)


def register(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT", help="The id wanted: a-z, 0-9 and -, beginning with a letter."
        ),
    ],
    name: Annotated[str, typer.Option("--name", help="The name to show; the id if left out.")] = "",
    owner: Annotated[
        str, typer.Option("--owner", help="Who answers for it; the id if left out.")
    ] = "",
    invite: Annotated[
        str, typer.Option("--invite", help="An invite code, in place of the organizer's token.")
    ] = "",
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file", help="Write the token to this new file instead of printing it."
        ),
    ] = None,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Register a bot and print its token. The token is shown this once."""
    request = v1.RegisterBotRequest(bot_id=bot, display_name=name, owner=owner, invite_code=invite)
    with _secret_file(token_file) as write:
        with connected(address, token, data) as server:
            answer = server.call(server.bots.RegisterBot, request)
        if token_file is not None:
            write(answer.token + "\n")
            answer.token = ""
    if as_json:
        print_json(answer)
    elif token_file is not None:
        typer.echo(plain_lines(f"registered {answer.bot.bot_id}; its token is in {token_file}"))
    else:
        typer.echo(plain_lines(answer.token))
        kept = f"registered {answer.bot.bot_id}; keep the token above, it is not shown again"
        typer.echo(plain_lines(kept), err=True)


def list_bots(
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """List the registered bots."""
    bots: list[v1.RegisteredBot] = []
    with connected(address, token, data) as server:
        request = v1.ListBotsRequest(page_size=1000)
        while True:
            page = server.call(server.bots.ListBots, request)
            bots.extend(page.bots)
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
    if as_json:
        print_json(v1.ListBotsResponse(bots=bots))
        return
    print_table(
        table(
            ["bot", "name", "owner", "connected", "registered"],
            (
                [
                    bot.bot_id + (" (disabled)" if bot.disabled else ""),
                    bot.display_name,
                    bot.owner,
                    "yes" if bot.connected else "no",
                    f"{bot.created_at.ToDatetime():%Y-%m-%d %H:%M} UTC",
                ]
                for bot in bots
            ),
        )
    )


def rotate(
    bot: BotId,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Make a new token for a bot and print it. The old one is void at once."""
    with connected(address, token, data) as server:
        answer = server.call(server.bots.RotateToken, v1.RotateTokenRequest(bot_id=bot))
    if as_json:
        print_json(answer)
    else:
        typer.echo(plain_lines(answer.token))


def disable(
    bot: BotId,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Shut a bot out: its token opens nothing any more."""
    with connected(address, token, data) as server:
        answer = server.call(server.bots.DisableBot, v1.DisableBotRequest(bot_id=bot))
    if as_json:
        print_json(answer)
    else:
        typer.echo(plain_lines(f"{answer.bot.bot_id} is shut out"))


@contextmanager
def _secret_file(file: Path | None) -> Iterator[Callable[[str], object]]:
    """Make a new file for the user alone, and yield what writes to it.

    It is made before there is anything to write, for that would be lost if it could not be made;
    and never through a link that somebody has laid there. If nothing comes of it, it is gone.
    """
    if file is None:
        yield lambda _: None
        return
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise typer.BadParameter(
            f"{file} exists; name a new file, so that no token is lost"
        ) from error
    except OSError as error:
        raise typer.BadParameter(f"{file} cannot be made ({error.strerror})") from error
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            yield stream.write
    except BaseException:
        file.unlink(missing_ok=True)
        raise
