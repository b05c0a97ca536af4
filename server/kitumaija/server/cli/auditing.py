"""`kitumaija tournament audit`: who did what with a tournament, when and why."""

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.text import Text

from kitumaija.console.text import plain
from kitumaija.server.cli.connection import Server, connected
from kitumaija.server.cli.output import out, print_json
from kitumaija.server.cli.parameters import (
    DEFAULT_ADDRESS,
    DEFAULT_DATA,
    Address,
    AsJson,
    Data,
    Token,
    TournamentId,
)
from kitumaija.v1 import tournament_pb2 as v1

PAGE = 500


def audit(
    tournament: TournamentId,
    last: Annotated[
        int, typer.Option("--last", min=0, help="Only so many, the newest; 0 for all.")
    ] = 0,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """List what was done with a tournament by those who may, newest first. For the organizer."""
    with connected(address, token, data) as server:
        entries = list(_entries(server, tournament, last))
    if as_json:
        print_json(v1.ListAuditEntriesResponse(entries=entries))
        return
    for entry in entries:
        out.print(Text(_line(entry)), soft_wrap=True)


def _entries(server: Server, tournament: str, last: int) -> Iterator[v1.AuditEntry]:
    """The entries, page after page; as many as `last` says."""
    request = v1.ListAuditEntriesRequest(
        tournament_id=tournament, page_size=min(last or PAGE, PAGE)
    )
    told = 0
    while True:
        page = server.call(server.tournaments.ListAuditEntries, request)
        for entry in page.entries:
            if last and told == last:
                return
            told += 1
            yield entry
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def _line(entry: v1.AuditEntry) -> str:
    when = entry.at.ToDatetime().isoformat(sep=" ", timespec="seconds")
    words = f"{when} UTC  {plain(entry.actor)}: {plain(entry.action)} {plain(entry.subject)}"
    if entry.reason:
        words += f" ({plain(entry.reason)})"
    detail = ", ".join(
        f"{plain(name)} {plain(entry.detail[name])}" for name in sorted(entry.detail)
    )
    return f"{words} · {detail}" if detail else words
