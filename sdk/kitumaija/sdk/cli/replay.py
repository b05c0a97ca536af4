"""`kitumaija replay show|verify`: look at the record of a game, and check it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kitumaija.console.text import plain_json, plain_lines
from kitumaija.engine import ReplayError
from kitumaija.sdk.cli.output import AsJson, print_json
from kitumaija.sdk.cli.story import story
from kitumaija.sdk.records import read_record, verify
from kitumaija.wire.exits import ExitCode
from kitumaija.wire.record import MatchRecord, RecordFormatError, record_to_json

_WANTED = (
    "give a record file in either form, such as `kitumaija arena --records` and the exports of "
    "tournaments hold (an export as a whole is checked by `kitumaija tournament verify`)"
)

RecordFile = Annotated[
    Path, typer.Argument(metavar="RECORD", help="A record file, in either form.")
]


def add_to(group: typer.Typer) -> None:
    """Add the commands to the group `replay`."""
    group.command("show")(show_command)
    group.command("verify")(verify_command)


def show_command(record: RecordFile, as_json: AsJson = False) -> None:
    """Tell a game turn by turn, every card in the open; as JSON, print the record's JSON form."""
    found = _read(record)
    if as_json:
        typer.echo(plain_json(record_to_json(found)))
        return
    try:
        for line in story(found):
            typer.echo(plain_lines(line))
    except ReplayError as error:
        typer.echo(plain_lines(f"{record} is no game under these rules: {error}"), err=True)
        raise typer.Exit(ExitCode.FAILED) from error


def verify_command(
    record: RecordFile,
    commitment: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="What was published before the game, to compare."),
    ] = None,
    root: Annotated[
        str | None,
        typer.Option(
            metavar="HEX",
            help="What the tournament published at its start for this table size "
            "(`kitumaija tournament show`): whether the deal is one of those.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Work everything in a record out again: commitment, path, deal, every decision, the result.

    Exit code 1 if anything differs or it is no record, 2 if the file is not there or cannot be
    read.
    """
    findings = verify(_read(record), published=_published(commitment), root=_published(root))
    ok = all(finding.holds for finding in findings)
    if as_json:
        plain = [{"name": f.name, "holds": f.holds, "text": f.text} for f in findings]
        print_json({"ok": ok, "findings": plain})
    else:
        for finding in findings:
            typer.echo(
                plain_lines(
                    f"{'ok      ' if finding.holds else 'DIFFERS '} {finding.name}: {finding.text}"
                )
            )
    if not ok:
        raise typer.Exit(ExitCode.FAILED)


def _read(path: Path) -> MatchRecord:
    try:
        return read_record(path)
    except RecordFormatError as error:
        typer.echo(plain_lines(f"{path} is no whole record: {error}; {_WANTED}"), err=True)
        raise typer.Exit(ExitCode.FAILED) from error


def _published(text: str | None) -> bytes | None:
    if text is None:
        return None
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise typer.BadParameter(f"'{text}' is no hexadecimal number") from error
