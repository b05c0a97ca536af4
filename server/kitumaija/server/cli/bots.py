"""`kitumaija bot register|list|rotate|disable`: who may play."""

from pathlib import Path
from typing import Annotated

import typer

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
    if token_file is not None and token_file.exists():
        raise typer.BadParameter(f"{token_file} exists; name a new file, so that no token is lost")
    request = v1.RegisterBotRequest(bot_id=bot, display_name=name, owner=owner, invite_code=invite)
    with connected(address, token, data) as server:
        answer = server.call(server.bots.RegisterBot, request)
    if token_file is not None:
        token_file.touch(mode=0o600)
        token_file.write_text(answer.token + "\n", encoding="utf-8")
        answer.token = ""
    if as_json:
        print_json(answer)
    elif token_file is not None:
        typer.echo(f"registered {answer.bot.bot_id}; its token is in {token_file}")
    else:
        typer.echo(answer.token)
        typer.echo(
            f"registered {answer.bot.bot_id}; keep the token above, it is not shown again", err=True
        )


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
        typer.echo(answer.token)


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
        typer.echo(f"{answer.bot.bot_id} is shut out")
