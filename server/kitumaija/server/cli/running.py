"""`kitumaija tournament open|enter|close|start|pause|…`: what an organizer does with one."""

from typing import Annotated

import typer

from kitumaija.console.text import counted
from kitumaija.server.cli.connection import Server, connected, say
from kitumaija.server.cli.creating import settings_table
from kitumaija.server.cli.output import confirm_output, print_json, print_table
from kitumaija.server.cli.parameters import (
    DEFAULT_ADDRESS,
    DEFAULT_DATA,
    Address,
    AsJson,
    BotId,
    Data,
    Reason,
    Token,
    TournamentId,
)
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.exits import ExitCode


def open_entries(
    tournament: TournamentId,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Open a draft for entries. Its settings are final from here on."""
    with connected(address, token, data) as server:
        request = v1.OpenTournamentRequest(tournament_id=tournament)
        answer = server.call(server.tournaments.OpenTournament, request)
    confirm_output(as_json, answer, f"{tournament} is open for entries")


def enter(
    tournament: TournamentId,
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT…", help="The ids of the bots to enter.")
    ],
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Enter one or more bots, all or none. With a bot's own token, that bot can be entered."""
    first, *more = bots
    request = v1.EnterTournamentRequest(tournament_id=tournament, bot_id=first, more_bot_ids=more)
    with connected(address, token, data) as server:
        answer = server.call(server.tournaments.EnterTournament, request)
    if as_json:
        entrants = [answer.entrant, *answer.more_entrants]
        print_json(v1.Tournament(tournament_id=tournament, entrants=entrants))
        return
    for bot in bots:
        typer.echo(f"{bot} is entered")


def close(
    tournament: TournamentId,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Close the entries. Connected bots reveal their share in the shuffling."""
    with connected(address, token, data) as server:
        answer = _close(server, tournament)
    confirm_output(
        as_json,
        answer,
        f"{tournament} is closed with {counted(len(answer.tournament.entrants), 'entrant')}",
    )


def start(
    tournament: TournamentId,
    allow_absent: Annotated[
        bool, typer.Option("--allow-absent", help="Start although a bot is not connected.")
    ] = False,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Close the entries if they are open, print the plan and start."""
    with connected(address, token, data) as server:
        get = v1.GetTournamentRequest(tournament_id=tournament)
        found = server.call(server.tournaments.GetTournament, get).tournament
        if found.state == v1.TOURNAMENT_STATE_OPEN:
            _refuse_too_early(found, allow_absent=allow_absent)
            _close(server, tournament)
        request = v1.StartTournamentRequest(tournament_id=tournament, allow_absent=allow_absent)
        started = server.call(server.tournaments.StartTournament, request).tournament
    if as_json:
        print_json(started)
        return
    print_table(settings_table(started))
    typer.echo(
        f"{tournament} runs: {counted(len(started.entrants), 'entrant')}, "
        f"{counted(started.matches.planned, 'match', 'matches')}"
    )


def pause(
    tournament: TournamentId,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Start no more matches until resumed; those that run are played out."""
    with connected(address, token, data) as server:
        request = v1.PauseTournamentRequest(tournament_id=tournament)
        answer = server.call(server.tournaments.PauseTournament, request)
    confirm_output(as_json, answer, f"{tournament} pauses")


def resume(
    tournament: TournamentId,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Go on after a pause."""
    with connected(address, token, data) as server:
        request = v1.ResumeTournamentRequest(tournament_id=tournament)
        answer = server.call(server.tournaments.ResumeTournament, request)
    confirm_output(as_json, answer, f"{tournament} goes on")


def cancel(
    tournament: TournamentId,
    reason: Reason = "",
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """End a tournament for good; what was played stays."""
    with connected(address, token, data) as server:
        request = v1.CancelTournamentRequest(tournament_id=tournament, reason=reason)
        answer = server.call(server.tournaments.CancelTournament, request)
    confirm_output(as_json, answer, f"{tournament} is cancelled")


def withdraw(
    tournament: TournamentId,
    bot: BotId,
    reason: Reason = "",
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Take a bot out at its own wish. What it played stays rated, the rest is cancelled."""
    with connected(address, token, data) as server:
        request = v1.WithdrawEntrantRequest(tournament_id=tournament, bot_id=bot, reason=reason)
        answer = server.call(server.tournaments.WithdrawEntrant, request)
    confirm_output(as_json, answer, f"{bot} is withdrawn from {tournament}")


def disqualify(
    tournament: TournamentId,
    bot: BotId,
    reason: Annotated[str, typer.Option("--reason", help="Why; it must be said.")],
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Take a bot out by the organizer's decision. What it played stays rated."""
    with connected(address, token, data) as server:
        request = v1.DisqualifyEntrantRequest(tournament_id=tournament, bot_id=bot, reason=reason)
        answer = server.call(server.tournaments.DisqualifyEntrant, request)
    confirm_output(as_json, answer, f"{bot} is disqualified from {tournament}")


def bench(
    tournament: TournamentId,
    bot: BotId,
    reason: Reason = "",
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Take a bot out for a while. Its matches wait, except those that run; all others go on."""
    with connected(address, token, data) as server:
        request = v1.BenchEntrantRequest(tournament_id=tournament, bot_id=bot, reason=reason)
        answer = server.call(server.tournaments.BenchEntrant, request)
    confirm_output(as_json, answer, f"{bot} is on the bench of {tournament}")


def bring_back(
    tournament: TournamentId,
    bot: BotId,
    reason: Reason = "",
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Let a bot return from the bench. The matches that waited for it are played now."""
    with connected(address, token, data) as server:
        request = v1.ReturnEntrantRequest(tournament_id=tournament, bot_id=bot, reason=reason)
        answer = server.call(server.tournaments.ReturnEntrant, request)
    confirm_output(as_json, answer, f"{bot} plays in {tournament} again")


def void(
    tournament: TournamentId,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="The match's id.")],
    reason: Annotated[str, typer.Option("--reason", help="Why; it must be said.")],
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Declare a played match void: it is played again, and the ratings forget it."""
    with connected(address, token, data) as server:
        request = v1.VoidMatchRequest(tournament_id=tournament, match_id=match, reason=reason)
        answer = server.call(server.tournaments.VoidMatch, request)
    confirm_output(as_json, answer, f"{match} of {tournament} is void and will be played again")


def _refuse_too_early(tournament: v1.Tournament, *, allow_absent: bool) -> None:
    """End the command before it closes entries, which no command opens again, for no start."""
    name, seats = tournament.tournament_id, max(tournament.settings.table_sizes)
    playing = [one for one in tournament.entrants if one.state == v1.ENTRANT_STATE_ENTERED]
    away = [one.bot_id for one in playing if not one.connected]
    if len(playing) < seats:
        say(
            f"{name} has {counted(len(playing), 'entrant')} and needs {seats}, as many as its "
            "largest table"
            " has seats; it is still open: enter more"
        )
    elif away and not allow_absent:
        say(
            f"{', '.join(away)} of {name} are not connected; it is still open: connect or withdraw"
            " them, or start with --allow-absent"
        )
    else:
        return
    raise typer.Exit(ExitCode.REFUSED)


def _close(server: Server, tournament: str) -> v1.CloseTournamentResponse:
    request = v1.CloseTournamentRequest(tournament_id=tournament)
    answer: v1.CloseTournamentResponse = server.call(server.tournaments.CloseTournament, request)
    return answer
