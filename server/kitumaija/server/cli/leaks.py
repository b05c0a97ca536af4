"""`kitumaija server check-leaks`: whether anything that is sent gives hidden cards away."""

import asyncio
import secrets
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from kitumaija.console.text import counted
from kitumaija.server.cli.connection import say
from kitumaija.server.cli.output import out, print_json, print_table, table
from kitumaija.server.cli.parameters import AsJson
from kitumaija.server.cli.progress import bar_of_matches
from kitumaija.wire.exits import ExitCode

if TYPE_CHECKING:
    from kitumaija.server.leaks import Report, Round

app = typer.Typer(no_args_is_help=True, help="The server itself: whether it keeps its promises.")

CANNOT_SHOW = (
    "Not shown: what time gives away, which is measured and judged by nobody;",
    "what everybody may know, as the cards of a match at its end, and who played it;",
    "courses that were not played: more games play more.",
)


@app.callback()
def server() -> None:
    """The server itself: whether it keeps its promises."""


@app.command("check-leaks")
def check_leaks(
    games: Annotated[
        int,
        typer.Option(
            "--games", min=1, max=1_000_000, help="How many matches to play, each in two worlds."
        ),
    ] = 40,
    seats: Annotated[
        list[int] | None,
        typer.Option(
            "--seats",
            min=2,
            max=10,
            help="A table size; may be given more than once; all from 2 to 10 if left out.",
        ),
    ] = None,
    seed: Annotated[
        str,
        typer.Option(
            "--seed",
            help="What all chance follows from; the same seed plays the same. Drawn if left out.",
            show_default=False,
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Play matches in pairs of worlds that are the same to one bot; compare every byte it is sent.

    It starts throwaway servers of its own on this machine and needs none that runs. Exit code 1 if
    anything leaks.
    """
    from kitumaija.server.leaks import rounds
    from kitumaija.server.leaks.bots import Stuck

    chosen = seed or secrets.token_hex(8)
    try:
        report = _checked(list(rounds(games, seed=chosen, seats=seats or ())), games)
    except Stuck as error:
        say(f"the check could not be finished: {error}")
        raise typer.Exit(ExitCode.FAILED) from error
    except KeyboardInterrupt:
        say("stopped; nothing of the check is left")
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    if as_json:
        print_json(_as_dict(report, chosen))
    else:
        _print(report, chosen)
    if report.findings:
        raise typer.Exit(ExitCode.FAILED)


def _checked(played: "list[Round]", games: int) -> "Report":
    from kitumaija.server.leaks import Check, check, sampled_worlds

    with (
        tempfile.TemporaryDirectory(prefix="kitumaija-leaks-") as folder,
        bar_of_matches(passing=True) as progress,
    ):
        bar = progress.add_task("playing in pairs of worlds", total=games)
        looked: Callable[[Report], object] = lambda found: progress.advance(  # noqa: E731
            bar, found.pairs.total()
        )
        how = Check(sampled_worlds, Path(folder), time.perf_counter_ns)
        return asyncio.run(check(played, how, looked))


def _as_dict(report: "Report", seed: str) -> dict[str, Any]:
    return {
        "ok": not report.findings,
        "seed": seed,
        "pairs": dict(sorted(report.pairs.items())),
        "pairs_alike": report.alike,
        "cards_moved": report.moved,
        "pairs_blind": report.blind,
        "seats_swapped": report.swapped,
        "messages": dict(sorted(report.messages.items())),
        "bytes": report.bytes,
        "timing": {
            "decisions": len(report.here),
            "told_apart": report.told_apart,
        },
        "findings": [
            {
                "round": finding.round.number,
                "seats": finding.round.seats,
                "ending": finding.round.ending.value,
                "seat": finding.seat,
                "source": finding.source.value,
                "kind": finding.kind,
                "field": finding.field,
                "sentence": finding.sentence,
            }
            for finding in report.findings
        ],
    }


def _print(report: "Report", seed: str) -> None:
    print_table(
        table(
            ["what was compared", ">how many"],
            ([kind, str(count)] for kind, count in sorted(report.messages.items())),
        )
    )
    out.print()
    ends = ", ".join(f"{count} {ending}" for ending, count in sorted(report.pairs.items()))
    total = report.pairs.total()
    out.print(
        Text(
            f"{counted(total, 'pair')} of matches in {counted(report.rounds, 'tournament')}: {ends}"
        )
    )
    if report.alike:
        out.print(
            Text(f"in {report.alike} of them the watcher had seen every card: no other world")
        )
    out.print(
        Text(
            f"{report.moved / max(1, total):.0f} cards of 52 lay elsewhere in the other world; "
            f"{counted(report.messages.total(), 'message')} with {report.bytes} bytes compared"
        )
    )
    out.print(
        Text(
            f"{counted(report.blind, 'pair was', 'pairs were')} blind; behind "
            f"{counted(report.swapped, 'seat')} whose bot was not to "
            "be known there sat another in the other world"
        )
    )
    apart = report.told_apart
    if apart is not None:
        out.print(
            Text(
                f"of {counted(len(report.here), 'pair')} of times to the watcher's next decision "
                "the first "
                f"world's was longer in {apart:.1%}"
            )
        )
    for line in CANNOT_SHOW:
        out.print(Text(line))
    for finding in report.findings:
        out.print(Text(f"! {finding.sentence}"))
    verdict = counted(len(report.findings), "leak") if report.findings else "no leak was found"
    out.print(Text(f"{verdict} (--seed {seed})"))
