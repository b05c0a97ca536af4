"""`kitumaija ratings show|fit|collusion|rebuild`: by tournament and table size."""

from typing import Annotated

import typer

from kitumaija.console.text import counted
from kitumaija.server.cli.connection import connected, say
from kitumaija.server.cli.output import out, print_json, print_table, table
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
from kitumaija.wire.exits import ExitCode

app = typer.Typer(no_args_is_help=True, help="Ratings: show them, or compute them anew.")


@app.command()
def show(
    tournament: TournamentId,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Show mu and sigma of every entrant, one table for each table size."""
    with connected(address, token, data) as server:
        answer = server.call(
            server.tournaments.GetStandings, v1.GetStandingsRequest(tournament_id=tournament)
        )
    if as_json:
        print_json(
            [
                {
                    "table_size": entry.table_size,
                    "provisional": entry.provisional,
                    "rated": entry.rated,
                    "planned": entry.planned,
                    "ratings": [
                        {"bot_id": row.bot_id, "mu": row.mu, "sigma": row.sigma, "games": row.games}
                        for row in entry.rows
                    ],
                }
                for entry in answer.tables
            ]
        )
        return
    for entry in answer.tables:
        out.print()
        title = f"{answer.title} · tables of {entry.table_size}"
        title += f" · {entry.rated} of {counted(entry.planned, 'match', 'matches')}"
        rows = (
            [row.bot_id, f"{row.mu:z.6f}", f"{row.sigma:.6f}", f"{row.score:z.6f}", str(row.games)]
            for row in entry.rows
        )
        print_table(table(["bot", ">mu", ">sigma", ">mu−3σ", ">games"], rows, title=title))


@app.command()
def fit(
    tournament: TournamentId,
    above: Annotated[
        bool,
        typer.Option("--above", help="Print too how surely each bot is stronger than each other."),
    ] = False,
    places: Annotated[
        bool,
        typer.Option("--places", help="Print too how often each bot came where, seat by seat."),
    ] = False,
    until: Annotated[
        str,
        typer.Option(
            "--until",
            metavar="GOAL",
            help="Say too whether this is known yet, such as 'top 3 settled at 95 %' or "
            "'order of top 3 settled at 95 %'. However often one asks, the error rate holds.",
        ),
    ] = "",
    luck: Annotated[
        bool,
        typer.Option(
            "--luck",
            help="Print too the strengths without the luck of the cards, of a tournament that is "
            "over: each deal is played by a simple player in every seat, some 10 ms a match.",
        ),
    ] = False,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Fit strengths to all results at once, with 95 % intervals, for each table size.

    The order of the results plays no part. The fit stands beside the official ratings and changes
    nothing in them.
    """
    from kitumaija.server.cli.fitting import FittedTable, goal_of
    from kitumaija.server.cli.luck import cards_of
    from kitumaija.server.cli.watching import all_matches, get, get_standings
    from kitumaija.server.rating.fit.comparisons import NO_CARDS

    goal = goal_of(until, "--until") if until else None
    with connected(address, token, data) as server:
        found = get(server, tournament)
        if luck and not found.master_seed:
            say(f"{tournament} is not over yet; until then its deals are secret, and so is luck")
            raise typer.Exit(ExitCode.REFUSED)
        standings = get_standings(server, tournament)
        played = all_matches(server, tournament)
    cards = cards_of(found, played) if luck else None
    tables = [
        FittedTable.of(
            entry,
            played,
            found.master_commitment,
            goal,
            None if cards is None else cards.get(entry.table_size, NO_CARDS),
        )
        for entry in standings.tables
    ]
    if as_json:
        print_json([made.as_dict() for made in tables])
        return
    for made in tables:
        made.show(standings.title, above=above, places=places)


@app.command()
def collusion(
    tournament: TournamentId,
    whole: Annotated[
        bool, typer.Option("--all", help="Print every pair, not only the most striking.")
    ] = False,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Look for pairs that help each other at tables of three and more. No proof of anything.

    A pair stands out that did better against the others when both sat at one table, each of the
    two, beyond what chance explains: at most 5 in 100 tournaments of innocent bots have one.
    """
    from kitumaija.server.cli.collusion import Suspects, sizes_with_pairs
    from kitumaija.server.cli.watching import all_matches, get, get_standings
    from kitumaija.server.rating.collusion import WARNING

    with connected(address, token, data) as server:
        seed = get(server, tournament).master_commitment
        standings = get_standings(server, tournament)
        entries = sizes_with_pairs(standings)
        if not entries:
            raise typer.BadParameter(
                f"{tournament} has no tables of three or more: with two at a table there is nobody "
                "whom they could hold together against"
            )
        played = list(all_matches(server, tournament))
    try:
        made = [Suspects.of(entry, played, seed, len(entries)) for entry in entries]
    except ValueError as error:
        raise typer.BadParameter(f"{tournament}: {error}") from None
    if as_json:
        print_json([each.as_dict() for each in made])
        return
    for each in made:
        each.show(standings.title, whole=whole)
    out.print()
    out.print(WARNING, soft_wrap=True)


@app.command()
def rebuild(
    tournament: TournamentId,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Compute a tournament's ratings anew from its results alone."""
    request = v1.RebuildRatingsRequest(tournament_id=tournament)
    with connected(address, token, data) as server:
        answer = server.call(server.tournaments.RebuildRatings, request)
    if as_json:
        print_json(answer)
        return
    verdict = "some numbers were wrong and are put right" if answer.changed else "nothing changed"
    typer.echo(f"{counted(answer.results, 'result')} rated; {verdict}")
