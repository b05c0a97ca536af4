"""How the organizers' commands print: tables for people, JSON for programs."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias

import typer
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from rich.console import Console
from rich.highlighter import JSONHighlighter
from rich.measure import Measurement
from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

from kitumaija.console.text import counted, plain, plain_json, plain_lines
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.exits import ExitCode

WIDEST = 10_000
"""The widest that a table may become, in columns."""


class _Plain(Console):
    """A console on which no text moves a cursor or turns others round, whoever wrote it.

    A server is somebody else too: all that it answers is printed here.
    """

    def print(self, *objects: Any, **options: Any) -> None:
        """Print, as `Console` does, texts whose marks are shown as escapes."""
        super().print(*map(_plain, objects), **options)


def _plain(thing: Any) -> Any:
    if isinstance(thing, str):
        return plain_lines(thing)
    if isinstance(thing, Text) and not all(map(str.isprintable, thing.plain.split("\n"))):
        return Text(plain_lines(thing.plain), style=thing.style, no_wrap=thing.no_wrap)
    return thing


out = _Plain(highlight=False)
err = _Plain(stderr=True, highlight=False)


def print_findings(
    sentences: Sequence[str], whole: dict[str, object], summary: str, *, as_json: bool
) -> None:
    """Print what a check found, for people or `whole` for programs; end with 1 if anything."""
    if as_json:
        print_json(whole)
    else:
        for sentence in sentences:
            typer.echo(plain(sentence))
        typer.echo(summary)
    if sentences:
        raise typer.Exit(ExitCode.FAILED)


def print_json(value: Message | Any) -> None:
    """Print a message, or what `json` can take, as one JSON document with every field.

    Names are in it as they are, but for what would move a cursor, which JSON writes as escapes.
    """
    if isinstance(value, Message):
        value = MessageToDict(
            value, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
    indent = 2 if sys.stdout.isatty() else None
    document = plain_json(json.dumps(value, ensure_ascii=False, indent=indent))
    out.print(JSONHighlighter()(Text(document, no_wrap=True)), soft_wrap=True)


def state_name(value: "v1.TournamentState.ValueType") -> str:
    """A tournament's state as a word."""
    return v1.TournamentState.Name(value).removeprefix("TOURNAMENT_STATE_").lower()


def _entrant_mark(state: int) -> str:
    if state == v1.ENTRANT_STATE_WITHDRAWN:
        return " (withdrawn)"
    if state == v1.ENTRANT_STATE_DISQUALIFIED:
        return " (disqualified)"
    if state == v1.ENTRANT_STATE_BENCHED:
        return " (on the bench)"
    return ""


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "") -> Table:
    """A table; a column whose name begins with `>` is set to the right."""
    made = Table(
        title=Text(plain(title)) if title else None,
        title_justify="left",
        box=None,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for name in columns:
        made.add_column(
            name.removeprefix(">"),
            justify="right" if name.startswith(">") else "left",
            no_wrap=name.startswith(">"),
        )
    for row in rows:
        made.add_row(*(Text(plain(cell)) for cell in row))
    return made


def print_table(made: Table, console: Console = out) -> None:
    """Print a table whole: on a terminal that is too narrow its lines wrap, and nothing is cut.

    No line ends in blanks, so that only those lines wrap that are too long themselves, and the
    title is not broken to the width of a table that is narrower.
    """
    title, made.title = made.title, None
    if title:
        console.print(title, style="table.title", soft_wrap=True)
    needed = Measurement.get(console, console.options.update(width=WIDEST), made).maximum
    options = console.options.update(width=max(needed, 1))
    for line in console.render_lines(made, options, pad=False):
        console.print(_trimmed(line), soft_wrap=True, end="")


def _trimmed(line: Sequence[Segment]) -> Segments:
    """The line without the blanks before its end."""
    kept = list(line)
    while kept and not kept[-1].text.strip():
        kept.pop()
    if kept:
        kept[-1] = Segment(kept[-1].text.rstrip(), kept[-1].style)
    return Segments([*kept, Segment.line()])


_Decided: TypeAlias = Literal["points", "out_in_round", "rung", "byes"]


def print_standings(standings: v1.GetStandingsResponse) -> None:
    """Print a tournament's tables, one a table size, and what is to be said with them."""
    for entry in standings.tables:
        out.print()
        print_table(standings_table(entry, standings.title))
        for row in entry.rows:
            if row.faults:
                faults = f"  faults of {row.bot_id}: {fault_list(row.faults)}"
                out.print(Text(faults), soft_wrap=True)
    for remark in standings.remarks:
        out.print(Text(f"! {plain(remark)}"), soft_wrap=True)


def standings_table(entry: v1.StandingsTable, title: str) -> Table:
    """One table: rank, rating, games and how often each bot came in each place."""
    shown = "provisional, " if entry.provisional else ""
    rounds = f"{counted(entry.rounds, 'round')} over, " if entry.HasField("rounds") else ""
    decided: list[_Decided] = [
        name for name in _DECIDED if any(row.HasField(name) for row in entry.rows)
    ]
    places = [f">{place}." for place in range(1, entry.table_size + 1)]
    return table(
        [
            ">#",
            "bot",
            *(_DECIDED[name] for name in decided),
            ">mu",
            ">sigma",
            ">mu−3σ",
            ">games",
            *places,
            ">mean",
            ">forf.",
        ],
        (
            [
                str(row.rank),
                _name(row) + _entrant_mark(row.state),
                *(_decided(row, name) for name in decided),
                f"{row.mu:z.2f}",
                f"{row.sigma:.2f}",
                f"{row.score:z.2f}",
                str(row.games),
                *(str(count) for count in row.places),
                f"{row.mean_place:.2f}" if row.games else "–",
                str(row.forfeits),
            ]
            for row in entry.rows
        ),
        title=f"{title} · tables of {entry.table_size} · "
        f"{shown}{rounds}{entry.rated} of "
        f"{counted(entry.planned, 'match', 'matches')} rated",
    )


_DECIDED: dict[_Decided, str] = {
    "points": ">points",
    "out_in_round": ">out in",
    "rung": ">rung",
    "byes": ">byes",
}
"""The columns of what decides the places where it is not the ratings, by their fields."""


def _decided(row: v1.Standing, name: _Decided) -> str:
    value: int = getattr(row, name)
    return "–" if name == "out_in_round" and not value else str(value)


def fault_list(faults: Iterable[v1.FaultCount]) -> str:
    """What was wrong and how often, such as `3× decision_timeout`; empty for nothing."""
    return ", ".join(f"{fault.count}× {fault.fault}" for fault in faults)


def _name(row: v1.Standing) -> str:
    return row.bot_id if row.display_name == row.bot_id else f"{row.display_name} [{row.bot_id}]"


def confirm_output(as_json: bool, message: Message, sentence: str) -> None:
    """Print what a command did: the message as JSON, or a sentence."""
    if as_json:
        print_json(message)
    else:
        typer.echo(plain_lines(sentence))
