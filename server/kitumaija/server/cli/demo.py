"""`kitumaija demo`: a whole tournament on this machine, over real gRPC."""

import tempfile
import zipfile
from pathlib import Path
from typing import Annotated

import typer

from kitumaija.console.children import Allowance, Children
from kitumaija.console.commands import FORM
from kitumaija.console.text import counted
from kitumaija.server.choices import HandsVisible
from kitumaija.server.cli.connection import Server, connected, say
from kitumaija.server.cli.creating import parse_pairs
from kitumaija.server.cli.local import begin, command_of, never_there, start_bots, start_server
from kitumaija.server.cli.names import bot_ids
from kitumaija.server.cli.output import err, print_json, print_standings
from kitumaija.server.cli.parameters import AsJson, BotCpu, BotMemory, allowance_of
from kitumaija.server.cli.progress import follow
from kitumaija.server.cli.watching import all_matches, get_standings
from kitumaija.server.cli.wreckage import Wreckage
from kitumaija.server.settable.messages import message_of
from kitumaija.server.settable.table import HANDS_VISIBLE, ROUNDS, TABLE_SIZES
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.exits import ExitCode

TOURNAMENT = "demo"
SAMPLES = tuple(
    f"sample:{name}"
    for name in ("smallest", "observer", "rememberer", "timekeeper", "gambler", "async_bot")
)
LIMITS = ("startup=20s", "per_decision=100ms", "bank=2s", "margin=50ms")
# Bots that play badly go round and round: an end comes before whoever looks on has seen enough.
OPTIONS = ("turns_per_player=30",)


def demo(
    guests: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT...",
            help="A bot that plays beside six sample bots: path/to/file.py:Class, sample:NAME, "
            f"hostile:NAME for one that misbehaves (`kitumaija bot zoo`), or {FORM}.",
            show_default=False,
        ),
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            "--bot", help="A bot, named alike; with this, those that are named play alone."
        ),
    ] = None,
    seats: Annotated[
        list[int] | None,
        typer.Option(
            "--seats", help="A table size; may be given more than once; 2 and 4 if left out."
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(help="How often the round robin is played.")] = 1,
    to: Annotated[
        Path | None,
        typer.Option(
            "--data", help="A new directory for all of it. A temporary one, kept, if left out."
        ),
    ] = None,
    bot_cpu: BotCpu = "",
    bot_memory: BotMemory = "",
    as_json: AsJson = False,
) -> None:
    """Play a round robin among sample bots: a server, a process for each bot, the standings."""
    sources = [*([] if bot else SAMPLES), *(bot or ())]
    sources += [source for source in guests or () if source not in sources]
    bots = bot_ids(sources)
    for source in sources:
        command_of(source)
    allowance = allowance_of(bot_cpu, bot_memory)
    if to is not None and to.exists():
        raise typer.BadParameter(f"{to} exists; name a new directory")
    data = to or Path(tempfile.mkdtemp(prefix="kitumaija-demo-"))
    try:
        with Children(data / "logs") as children:
            state = _play(
                children, data, bots, seats or [2, 4], rounds, allowance=allowance, as_json=as_json
            )
    except KeyboardInterrupt:
        # Whatever was decided is on the disk.
        say(f"stopped; `kitumaija serve --data {data}` would go on with it")
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    if state != v1.TOURNAMENT_STATE_FINISHED:
        raise typer.Exit(ExitCode.FAILED)


def _play(
    children: Children,
    data: Path,
    bots: dict[str, str],
    seats: list[int],
    rounds: int,
    *,
    allowance: Allowance,
    as_json: bool,
) -> "v1.TournamentState.ValueType":
    """Play the whole tournament and print what came of it; return how it ended."""
    address = start_server(children, data)
    with connected(address, None, data) as server:
        err.print(f"a server listens at {address}; all of this is kept in {data}", soft_wrap=True)
        start_bots(children, server, bots, allowance=allowance)
        tournament = begin(
            children,
            server,
            v1.CreateTournamentRequest(
                tournament_id=TOURNAMENT,
                title="Kitumaija demo",
                settings=message_of(
                    {
                        TABLE_SIZES.path: tuple(seats),
                        ROUNDS.path: rounds,
                        HANDS_VISIBLE.path: HandsVisible.AFTER_MATCH,
                        **parse_pairs("options", OPTIONS),
                        **parse_pairs("limits", LIMITS),
                    }
                ),
            ),
            bots,
            never_there=never_there(bots),
        )
        err.print(
            f"{counted(len(bots), 'bot')}, a process each; "
            f"{counted(tournament.matches.planned, 'match', 'matches')}"
            f" at tables of {' and '.join(map(str, tournament.settings.table_sizes))}"
        )
        wreckage = Wreckage(children)
        state = follow(server, tournament, looked=wreckage.look)
        standings = get_standings(server, TOURNAMENT)
        matches = all_matches(server, TOURNAMENT)
        failed = wreckage.attach(matches, data / "failed")
        record = _keep_record(server, data, matches)
    if as_json:
        print_json(standings)
    else:
        print_standings(standings)
    if failed:
        err.print(
            f"\n{counted(failed, 'match', 'matches')} failed; what their bots said last is in "
            f"{data / 'failed'}",
            soft_wrap=True,
        )
    if record is not None:
        err.print(f"\nA game to look at:  kitumaija replay show {record}", soft_wrap=True)
    return state


def _keep_record(server: Server, data: Path, matches: list[v1.Match]) -> Path | None:
    """Export the tournament and unpack the record of its last match at the largest table.

    None if no match was played.
    """
    archive = data / f"{TOURNAMENT}.zip"
    with archive.open("wb") as file:
        request = v1.ExportTournamentRequest(tournament_id=TOURNAMENT)
        for piece in server.stream(server.tournaments.ExportTournament, request):
            file.write(piece.chunk)
    played = [match for match in matches if match.state == v1.MATCH_STATE_FINISHED]
    if not played:
        return None
    wanted = max(played, key=lambda match: (match.table_size, match.number)).match_id
    with zipfile.ZipFile(archive) as pack:
        entry = next(name for name in pack.namelist() if wanted in name and name.endswith(".kitu"))
        path = data / f"{wanted}.kitu"
        path.write_bytes(pack.read(entry))
    return path
