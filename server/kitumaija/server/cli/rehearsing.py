"""`kitumaija tournament rehearse`: a tournament's plan, played with bots of every bad manner."""

import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from google.protobuf.json_format import MessageToDict
from rich.text import Text

from kitumaija.console.children import Children
from kitumaija.console.text import counted
from kitumaija.server.cli.connection import connected, say
from kitumaija.server.cli.creating import Limits, Rules, gathered
from kitumaija.server.cli.local import Animal, begin, start_bots, start_server, zoo
from kitumaija.server.cli.names import bot_ids
from kitumaija.server.cli.output import err, out, print_json, print_table, state_name, table
from kitumaija.server.cli.parameters import DEFAULT_ADDRESS, DEFAULT_DATA, Address, AsJson, Data
from kitumaija.server.cli.progress import follow, settled
from kitumaija.server.cli.rehearsal_plan import MATCHES_MAX, choose_bots, fit
from kitumaija.server.cli.watching import all_matches, get
from kitumaija.server.settable.messages import message_of
from kitumaija.server.settable.table import TABLE_SIZES
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.exits import ExitCode

TOURNAMENT = "rehearsal"
_NOT_THERE = {"no_show", "startup_timeout"}
"""The faults of who was not there when a match began."""


@dataclass(frozen=True, slots=True)
class Found:
    """What became of one bot."""

    bot_id: str
    source: str
    animal: Animal | None
    """What is known of a bot that misbehaves on purpose."""
    faults: Counter[str]
    tried: bool = True
    """Whether it was there in a match with a fair bot. Matches among bots that misbehave may end
    by the other's fault before it comes to its own."""

    @property
    def as_expected(self) -> bool:
        """Whether it got what it must and nothing else: nothing, if it is a fair bot."""
        got = set(self.faults)
        if self.animal is None or self.animal.fault is None:
            return not got
        fits = got <= {self.animal.fault} | self.animal.also
        return fits and (self.animal.fault in got or self.excused)

    @property
    def excused(self) -> bool:
        """Whether it need not have got the fault that it must get: it had no occasion to."""
        return self.animal is not None and self.animal.fault is not None and not self.tried


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What a rehearsal came to."""

    tournament: v1.Tournament
    found: tuple[Found, ...]
    took: timedelta
    left: tuple[str, ...]
    """The children that still ran when all was over."""

    @property
    def ok(self) -> bool:
        """Whether all came as it should."""
        return (
            self.tournament.state == v1.TOURNAMENT_STATE_FINISHED
            and not self.left
            and all(one.as_expected for one in self.found)
        )


def rehearse(
    like: Annotated[
        str,
        typer.Option(
            "--like",
            metavar="TOURNAMENT",
            help="Take all settings from this tournament, a draft or not, of the server at "
            "--address, instead of --file, --seats, --limit and --option.",
        ),
    ] = "",
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            metavar="FILE",
            help="Take the settings from this file, as of `kitumaija tournament create --file`; "
            "the bots are those of --bot.",
            show_default=False,
        ),
    ] = None,
    seats: Annotated[
        list[int] | None,
        typer.Option("--seats", help="A table size; may be given more than once; 2 if left out."),
    ] = None,
    limit: Limits = None,
    option: Rules = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            "--bot",
            help="A bot: sample:NAME, hostile:NAME (`kitumaija bot zoo`) or path/to/file.py. If "
            f"left out, fair and misbehaving ones, as many as {MATCHES_MAX} matches allow.",
        ),
    ] = None,
    address: Address = DEFAULT_ADDRESS,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Play a tournament's plan on a throwaway server, with bots that misbehave, and say what came.

    Exit code 1 if a bot got another fault than it must, if the tournament did not finish, or if
    anything of it is left.
    """
    if like:
        if file or seats or limit or option:
            raise typer.BadParameter(
                f"--like {like} takes all settings from there: leave out --file, --seats, --limit "
                "and --option, or leave out --like"
            )
        with connected(address, None, data) as server:
            real = get(server, like)
        settings = v1.TournamentSettings()
        settings.CopyFrom(real.settings)
    else:
        real = None
        pairs = {"limits": limit, "options": option}
        values = gathered(file, {TABLE_SIZES: seats or None}, pairs)
        settings = message_of({TABLE_SIZES.path: TABLE_SIZES.default, **values})
    animals = zoo()
    bots = bot_ids(bot or choose_bots(settings, animals))
    fit(settings, list(bots))
    try:
        result = _play(settings, bots, animals)
    except KeyboardInterrupt:
        say("stopped; nothing of the rehearsal is left")
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    if as_json:
        print_json(_as_dict(result, real))
    else:
        _print(result, real)
    if not result.ok:
        raise typer.Exit(ExitCode.FAILED)


def _play(
    settings: v1.TournamentSettings, bots: dict[str, str], animals: Mapping[str, Animal]
) -> Rehearsal:
    """Play it all in a directory that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="kitumaija-rehearsal-") as folder:
        data = Path(folder)
        with (
            Children(data / "logs") as children,
            connected(start_server(children, data), None, data) as server,
        ):
            start_bots(children, server, bots)
            away = {
                name
                for name, source in bots.items()
                if source in animals and not animals[source].dials_in
            }
            request = v1.CreateTournamentRequest(
                tournament_id=TOURNAMENT, title="Rehearsal", settings=settings
            )
            tournament = begin(children, server, request, bots, never_there=away)
            err.print(
                f"{counted(len(bots), 'bot')}, a process each; "
                f"{counted(tournament.matches.planned, 'match', 'matches')}, which by their limits "
                f"take {_clock(_longest(tournament))} at most"
            )
            began = time.monotonic()
            follow(server, tournament)
            took = timedelta(seconds=time.monotonic() - began)
            played = all_matches(server, TOURNAMENT)
            faults, tried = (
                _faults(played),
                _tried(played, {name for name, source in bots.items() if source not in animals}),
            )
            over = get(server, TOURNAMENT)
        still = {"server", *bots} - {child.name for child in children.ended()}
    return Rehearsal(
        tournament=over,
        found=tuple(
            Found(
                *(name, source, animals.get(source), faults.get(name, Counter())),
                tried=name in tried,
            )
            for name, source in bots.items()
        ),
        took=took,
        left=tuple(sorted(still)),
    )


def _faults(matches: Iterable[v1.Match]) -> dict[str, Counter[str]]:
    """The faults of every bot, those that kept a match from beginning included."""
    found: dict[str, Counter[str]] = {}
    for match in matches:
        for seat in match.seats:
            counts = found.setdefault(seat.bot_id, Counter())
            for fault in seat.faults:
                counts[fault.fault] += fault.count
    return found


def _tried(matches: Iterable[v1.Match], fair: Collection[str]) -> set[str]:
    """Who was there in a match that was played with a fair bot."""
    found: set[str] = set()
    for match in matches:
        there = {
            seat.bot_id
            for seat in match.seats
            if not {fault.fault for fault in seat.faults} & _NOT_THERE
        }
        if match.state == v1.MATCH_STATE_FINISHED and not there.isdisjoint(fair):
            found |= there
    return found


def _longest(tournament: v1.Tournament) -> timedelta | None:
    if not tournament.HasField("longest_tournament"):
        return None
    return tournament.longest_tournament.ToTimedelta()


def _clock(time_span: timedelta | None) -> str:
    if time_span is None:
        return "longer than can be said"
    return str(timedelta(seconds=round(time_span.total_seconds())))


def _expected(result: Rehearsal, real: v1.Tournament | None) -> timedelta | None:
    """How long the real tournament would take with matches like these, as it is entered now."""
    done = settled(result.tournament.matches)
    if real is None or not real.matches.planned or not done:
        return None
    return result.took / done * real.matches.planned


def _as_dict(result: Rehearsal, real: v1.Tournament | None) -> dict[str, Any]:
    longest, expected = _longest(result.tournament), _expected(result, real)
    return {
        "ok": result.ok,
        "state": state_name(result.tournament.state),
        "settings": MessageToDict(result.tournament.settings, preserving_proto_field_name=True),
        "matches": MessageToDict(
            result.tournament.matches,
            preserving_proto_field_name=True,
            always_print_fields_with_no_presence=True,
        ),
        "seconds": round(result.took.total_seconds(), 3),
        "seconds_at_most": None if longest is None else longest.total_seconds(),
        "real": None
        if real is None
        else {
            "tournament_id": real.tournament_id,
            "matches": real.matches.planned,
            "seconds_expected": None if expected is None else round(expected.total_seconds(), 1),
        },
        "bots": [
            {
                "bot_id": one.bot_id,
                "source": one.source,
                "must": one.animal.fault if one.animal else None,
                "may": sorted(one.animal.also) if one.animal else [],
                "faults": dict(sorted(one.faults.items())),
                "met_a_fair_bot": one.tried,
                "as_expected": one.as_expected,
            }
            for one in result.found
        ],
        "left": list(result.left),
    }


def _print(result: Rehearsal, real: v1.Tournament | None) -> None:
    print_table(
        table(
            ["", "bot", "what it does", "the fault it must get", "what it got"],
            (
                [
                    "" if one.as_expected else "!",
                    one.source,
                    one.animal.what if one.animal else "plays fair",
                    (one.animal and one.animal.fault) or "none",
                    ", ".join(f"{count}× {fault}" for fault, count in sorted(one.faults.items()))
                    or ("none: it met no fair bot" if one.excused else "none"),
                ]
                for one in result.found
            ),
        )
    )
    counts = result.tournament.matches
    out.print()
    out.print(
        Text(
            f"{counted(counts.finished, 'match', 'matches')} finished, {counts.void} void, "
            f"{counts.cancelled} cancelled "
            f"with a bot that left, of {counts.planned}; "
            f"the tournament is {state_name(result.tournament.state)}"
        ),
        soft_wrap=True,
    )
    longest = _clock(_longest(result.tournament))
    out.print(f"took {_clock(result.took)}, of {longest} that it may take at most", soft_wrap=True)
    expected = _expected(result, real)
    if real is not None and expected is not None:
        out.print(
            Text(
                f"{real.tournament_id} with its "
                f"{counted(real.matches.planned, 'match', 'matches')} would take "
                f"{_clock(expected)} if its bots were as bad as these"
            ),
            soft_wrap=True,
        )
    if result.left:
        out.print(Text(f"! still running: {', '.join(result.left)}"), soft_wrap=True)
    else:
        out.print("nothing of it is left: no process, no file")
    out.print("all as it should be" if result.ok else "! not as it should be: see the lines with !")
