"""Documents with tables of what was measured, which a command makes piece by piece.

The figures of a document stand beside it as JSON, by the name of the row that they belong to, so
that rows can be measured one by one, side by side, in any order; the tables are written of all that
is there.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tests.architecture.checkout import ROOT

Figures: TypeAlias = dict[str, Any]
"""What was measured, by the name of the row."""


@dataclass(frozen=True)
class Measured:
    """The document `server/docs/NAME.md`, whose tables `make NAME` makes."""

    name: str

    @property
    def document(self) -> str:
        """The document as it is."""
        return self._document.read_text(encoding="utf-8")

    def figures(self) -> Figures:
        """What is known so far."""
        if not self._figures.exists():
            return {}
        known: Figures = json.loads(self._figures.read_text(encoding="utf-8"))
        return known

    def with_tables(self, document: str, made: str) -> str:
        """The document with these tables in the place of those that it had."""
        begin, end = (f"<!-- made by `make {self.name}`: {word} -->" for word in ("begin", "end"))
        before, _, rest = document.partition(begin)
        _, _, after = rest.partition(end)
        return f"{before}{begin}\n\n{made}\n\n{end}{after}"

    def measure(
        self,
        work: Mapping[str, Callable[[], Figures]],
        tables: Callable[[Figures], str],
        *,
        only: str,
    ) -> None:
        """Measure the rows that have `only` in their name, and write down what came of them."""
        for name, measured in work.items():
            if only not in name:
                continue
            begun = _cpu_time()
            found = measured()
            # Read just before it is written: pieces may be measured side by side.
            self._write({**self.figures(), name: found})
            sys.stdout.write(f"{name}: {_cpu_time() - begun:.0f} s of CPU, {found}\n")
            sys.stdout.flush()
        # A row that was changed has another name, and the old figures go.
        self._write({name: found for name, found in self.figures().items() if name in work})
        made = self.with_tables(self.document, tables(self.figures()))
        self._document.write_text(made, encoding="utf-8")

    @property
    def _document(self) -> Path:
        return ROOT / f"server/docs/{self.name}.md"

    @property
    def _figures(self) -> Path:
        return ROOT / f"server/docs/{self.name}.json"

    def _write(self, known: Figures) -> None:
        text = json.dumps(known, indent=1, sort_keys=True)
        self._figures.write_text(text + "\n", encoding="utf-8")


def table(heads: str, rows: Iterable[Sequence[object]]) -> str:
    """A table; the heads are parted by a comma and a space."""
    names = heads.split(", ")
    lines = [names, ["---"] * len(names), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def share(value: float, error: float | None = None) -> str:
    """A share in per cent, with twice its standard error."""
    shown = f"{100 * value:.2f}"
    return shown if error is None else f"{shown} ± {200 * error:.2f}"


def _cpu_time() -> float:
    """The seconds of CPU that this process and the ended ones which it began have taken."""
    return sum(os.times()[:4])
