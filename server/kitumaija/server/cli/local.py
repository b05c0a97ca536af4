"""A whole tournament on this machine: a server, a process for each bot, and its course."""

import json
import subprocess
import sys
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import typer

from kitumaija.console.children import UNLIMITED, Allowance, Child, Children
from kitumaija.console.commands import CommandError, is_command, parse_command
from kitumaija.server.cli.connection import Server
from kitumaija.server.cli.watching import get
from kitumaija.server.cli.wreckage import tell
from kitumaija.v1 import bot_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.exits import ExitCode

# How long the bots may take to load, and how often it is looked if they have.
CONNECT_SECONDS = 60.0
LOOK_SECONDS = 0.1
HOSTILE = "hostile:"
"""What a misbehaving bot's name begins with."""


@dataclass(frozen=True, slots=True)
class Animal:
    """What the SDK says of one of its misbehaving bots."""

    name: str
    """As a bot is named: `hostile:NAME`."""
    what: str
    fault: str | None
    """The fault that it must get; None for none."""
    also: frozenset[str]
    """Those that it may get beside."""
    dials_in: bool
    """Whether it is ever seen as connected."""


def zoo() -> dict[str, Animal]:
    """The misbehaving bots by name, in the SDK's order; asked of the SDK as a process."""
    listing = [sys.executable, "-m", "kitumaija.sdk.testing.hostile"]
    told = json.loads(subprocess.run(listing, capture_output=True, check=True).stdout)
    return {
        entry["name"]: Animal(
            name=entry["name"],
            what=entry["what"],
            fault=entry["fault"],
            also=frozenset(entry["also"]),
            dials_in=entry["dials_in"],
        )
        for entry in told
    }


def never_there(bots: Mapping[str, str]) -> set[str]:
    """Those of the bots, by id, that never connect: it is what they misbehave in."""
    if not any(source.startswith(HOSTILE) for source in bots.values()):
        return set()
    animals = zoo()
    return {
        name for name, source in bots.items() if source in animals and not animals[source].dials_in
    }


def start_server(children: Children, data: Path) -> str:
    """Start a server on a free port of this machine, as the child `server`; its address."""
    module = [sys.executable, "-m", "kitumaija.server"]
    arguments = ["serve", "--port", "0", "--data", str(data), "--json"]
    child = children.start("server", [*module, *arguments], read_output=True)
    line = child.read_line()
    if not line:
        stop(child, "the server did not start")
    address: str = json.loads(line)["address"]
    return address


def command_of(source: str) -> list[str]:
    """Return the command that runs a bot, which its environment tells where to dial.

    Raises `typer.BadParameter` for a command that cannot be started.
    """
    if not is_command(source):
        return [sys.executable, "-m", "kitumaija.sdk", source]
    try:
        return list(parse_command(source).words)
    except CommandError as error:
        raise typer.BadParameter(str(error)) from None


def start_bots(
    children: Children,
    server: Server,
    bots: Mapping[str, str],
    *,
    allowance: Allowance = UNLIMITED,
) -> None:
    """Register bots, given by id with where their code is, and start a child for each."""
    for name, source in bots.items():
        request = bot_pb2.RegisterBotRequest(bot_id=name)
        token = server.call(server.bots.RegisterBot, request).token
        environment = {"KITUMAIJA_ADDRESS": server.address, "KITUMAIJA_TOKEN": token}
        command = command_of(source)
        children.start(name, command, environment=environment, allowance=allowance)


def begin(
    children: Children,
    server: Server,
    request: v1.CreateTournamentRequest,
    bots: Iterable[str],
    *,
    never_there: Collection[str] = (),
) -> v1.Tournament:
    """Make a tournament, enter the bots, wait for all but those `never_there`, and start it."""
    tournaments, tournament_id = server.tournaments, request.tournament_id
    server.call(tournaments.CreateTournament, request)
    server.call(tournaments.OpenTournament, v1.OpenTournamentRequest(tournament_id=tournament_id))
    first, *more = bots
    entering = v1.EnterTournamentRequest(
        tournament_id=tournament_id, bot_id=first, more_bot_ids=more
    )
    server.call(tournaments.EnterTournament, entering)
    _wait_for_bots(children, server, tournament_id, never_there)
    server.call(tournaments.CloseTournament, v1.CloseTournamentRequest(tournament_id=tournament_id))
    starting = v1.StartTournamentRequest(
        tournament_id=tournament_id, allow_absent=bool(never_there)
    )
    server.call(tournaments.StartTournament, starting)
    return get(server, tournament_id)


def stop(child: Child, sentence: str) -> NoReturn:
    """End the command because of a child, with what that said last."""
    tell(child, sentence)
    raise typer.Exit(ExitCode.FAILED)


def _wait_for_bots(
    children: Children, server: Server, tournament_id: str, never_there: Collection[str]
) -> None:
    away: list[str] = []
    until = time.monotonic() + CONNECT_SECONDS
    while time.monotonic() < until:
        entrants = get(server, tournament_id).entrants
        away = [
            entrant.bot_id
            for entrant in entrants
            if not entrant.connected and entrant.bot_id not in never_there
        ]
        if not away:
            return
        for child in children.ended():
            stop(child, f"{child.name} ended before it connected")
        time.sleep(LOOK_SECONDS)
    stop(children[away[0]], f"{', '.join(away)} did not connect in {CONNECT_SECONDS:g} s")
