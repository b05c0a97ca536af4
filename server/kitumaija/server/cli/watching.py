"""`kitumaija tournament list|show|watch|standings|matches|export`: what there is to see of it."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from kitumaija.console.text import plain
from kitumaija.server.cli.connection import Server, connected
from kitumaija.server.cli.creating import settings_table
from kitumaija.server.cli.output import (
    fault_list,
    out,
    print_json,
    print_standings,
    print_table,
    state_name,
    table,
)
from kitumaija.server.cli.parameters import (
    DEFAULT_ADDRESS,
    DEFAULT_DATA,
    Address,
    AsJson,
    Data,
    Token,
    TournamentId,
)
from kitumaija.server.cli.progress import follow, waiting
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.exits import ExitCode

PAGE = 1000


def list_all(
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """List the tournaments, newest first."""
    found: list[v1.Tournament] = []
    request = v1.ListTournamentsRequest(page_size=PAGE)
    with connected(address, token, data) as server:
        while True:
            page = server.call(server.tournaments.ListTournaments, request)
            found.extend(page.tournaments)
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
    if as_json:
        print_json(v1.ListTournamentsResponse(tournaments=found))
        return
    rows = (
        [
            entry.tournament_id,
            entry.title,
            state_name(entry.state),
            f"{entry.matches.finished} of {entry.matches.planned}",
            f"{entry.created_at.ToDatetime():%Y-%m-%d %H:%M} UTC",
        ]
        for entry in found
    )
    print_table(table(["tournament", "title", "state", ">matches", "created"], rows))


def show(
    tournament: TournamentId,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Show a tournament: its settings and its entrants."""
    with connected(address, token, data) as server:
        found = get(server, tournament)
    if as_json:
        print_json(found)
        return
    print_table(settings_table(found))
    if found.HasField("bench_wait"):
        out.print(Text(f"! {found.tournament_id} {waiting(found.bench_wait)}"), soft_wrap=True)
    out.print()
    rows = (
        [
            entrant.bot_id,
            entrant.display_name,
            entrant.owner,
            v1.EntrantState.Name(entrant.state).removeprefix("ENTRANT_STATE_").lower(),
            entrant.reason,
            "yes" if entrant.connected else "no",
            str(entrant.no_shows),
        ]
        for entrant in found.entrants
    )
    print_table(table(["bot", "name", "owner", "state", "reason", "connected", ">no shows"], rows))


def watch(
    tournament: TournamentId,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Follow a tournament to its end, then print the standings. Exit code 1 if it was cancelled."""
    with connected(address, token, data) as server:
        found = get(server, tournament)
        state = follow(server, found, as_json=as_json)
        if not as_json:
            print_standings(get_standings(server, tournament))
    if state == v1.TOURNAMENT_STATE_CANCELLED:
        raise typer.Exit(ExitCode.FAILED)


def standings(
    tournament: TournamentId,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Print the standings, one table for each table size."""
    with connected(address, token, data) as server:
        found = get_standings(server, tournament)
    if as_json:
        print_json(found)
    else:
        print_standings(found)


def matches(
    tournament: TournamentId,
    bot: Annotated[str, typer.Option("--bot", help="Only matches of this bot.")] = "",
    seats: Annotated[int, typer.Option("--seats", help="Only this table size; 0 for all.")] = 0,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """List the matches that were started, in schedule order."""
    with connected(address, token, data) as server:
        found = list(all_matches(server, tournament, bot=bot, seats=seats))
    if as_json:
        print_json(v1.ListMatchesResponse(matches=found))
        return
    for match in found:
        out.print(Text(_match_line(match)), soft_wrap=True)


def export(
    tournament: TournamentId,
    to: Annotated[
        Path | None,
        typer.Option("--to", help="The file to write; TOURNAMENT.zip if left out."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Write everything of a finished tournament to a ZIP file: standings, matches, records."""
    path = to or Path(f"{tournament}.zip")
    if path.exists() and not force:
        raise typer.BadParameter(f"{path} exists; name another with --to, or give --force")
    part = path.with_name(path.name + ".part")
    try:
        part.unlink(missing_ok=True)  # Of an earlier try; and it may be a link of somebody's.
        with connected(address, token, data) as server, part.open("xb") as file:
            request = v1.ExportTournamentRequest(tournament_id=tournament)
            for piece in server.stream(server.tournaments.ExportTournament, request):
                file.write(piece.chunk)
        part.replace(path)
    except OSError as error:
        raise typer.BadParameter(
            f"{path} cannot be written ({error.strerror}); name another file with --to"
        ) from error
    finally:
        with suppress(OSError):
            part.unlink()
    size = path.stat().st_size
    if as_json:
        print_json({"file": str(path), "bytes": size})
    else:
        typer.echo(f"{path}: {size} bytes")


def get(server: Server, tournament: str) -> v1.Tournament:
    """The tournament."""
    request = v1.GetTournamentRequest(tournament_id=tournament)
    found: v1.Tournament = server.call(server.tournaments.GetTournament, request).tournament
    return found


def get_standings(server: Server, tournament: str) -> v1.GetStandingsResponse:
    """The standings of the tournament."""
    request = v1.GetStandingsRequest(tournament_id=tournament)
    found: v1.GetStandingsResponse = server.call(server.tournaments.GetStandings, request)
    return found


def all_matches(
    server: Server, tournament: str, *, bot: str = "", seats: int = 0
) -> list[v1.Match]:
    """All matches of the tournament that were started, page after page."""
    request = v1.ListMatchesRequest(
        tournament_id=tournament, bot_id=bot, table_size=seats, page_size=PAGE
    )
    found: list[v1.Match] = []
    while True:
        page = server.call(server.tournaments.ListMatches, request)
        found.extend(page.matches)
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


def _match_line(match: v1.Match) -> str:
    state = v1.MatchState.Name(match.state).removeprefix("MATCH_STATE_").lower()
    place = f", round {match.round}" if match.round else ""
    place += f", number {match.number}" if match.attempt else ""
    if match.attempt > 1:
        place += f", attempt {match.attempt}"
    words = f"{match.match_id}  {match.table_size} seats{place}: {state}"
    if match.reason:
        words += f" ({plain(match.reason)})"
    return f"{words} · {' · '.join(_seat(seat) for seat in match.seats)}"


def _seat(seat: v1.MatchSeat) -> str:
    words = f"{seat.place}. {seat.bot_id}" if seat.place else seat.bot_id
    if seat.forfeited:
        words += " forfeited"
    return words + (f" ({fault_list(seat.faults)})" if seat.faults else "")
