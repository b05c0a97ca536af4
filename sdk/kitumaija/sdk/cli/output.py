"""How the authors' commands print: tables for people, JSON for programs, progress on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from kitumaija.console.text import plain, plain_json

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for other programs.")]


def print_json(value: object) -> None:
    """Print plain values as one JSON document, fit for a terminal."""
    typer.echo(plain_json(json.dumps(value, indent=2, ensure_ascii=False)))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; a column whose name begins with `>` is set to the right."""
    table = Table(box=None, pad_edge=False)
    for name in columns:
        right = name.startswith(">")
        table.add_column(
            name.removeprefix(">"), justify="right" if right else "left", no_wrap=right
        )
    for row in rows:
        table.add_row(*(Text(plain(cell)) for cell in row))
    Console(highlight=False).print(table)


@contextmanager
def progress(title: str, total: int) -> Generator[Callable[[int], None]]:
    """Show how far a long work is, on stderr and only where that is a terminal.

    Yields what is called with the number of steps done so far.
    """
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.update(task, completed=done)
