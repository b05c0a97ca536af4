"""Play the simulated tournaments and write what came of them into `server/docs/calibration.md`.

Run `python -m tests.server.rating.make_calibration`, or with `--only TEXT` the rows whose name has
that in it. A row that was played is kept in `server/docs/calibration.json`, so that the work can be
done in pieces; the tables are written of all that is there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from tests.architecture.checkout import ROOT
from tests.server.rating.calibration import (
    BINS,
    ORDERS,
    ROWS,
    STOPS,
    measure,
    measure_orders,
    measure_stops,
)

FIGURES = ROOT / "server/docs/calibration.json"
DOCUMENT = ROOT / "server/docs/calibration.md"
BEGIN, END = (
    "<!-- made by `make calibration`: begin -->",
    "<!-- made by `make calibration`: end -->",
)


def figures() -> dict[str, Any]:
    """What was measured, by the name of the row."""
    known: dict[str, Any] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return known


def tables(known: dict[str, Any]) -> str:
    """The tables of the document."""
    rows = [row for row in ROWS if row.name in known]
    stops = [row for row in STOPS if row.name in known]
    held = [
        [
            *(row.world, row.entrants, row.seats, row.rounds, row.spread),
            _share(known[row.name]["coverage"], known[row.name]["coverage_error"]),
            f"{known[row.name]['half_width']:.0f}",
            _share(known[row.name]["wrong_verdict"], known[row.name]["wrong_verdict_error"]),
            _share(known[row.name]["ranks_hold"]),
        ]
        for row in rows
    ]
    came_true = [
        [
            *(row.world, row.entrants, row.seats),
            *(
                f"{true / count:.3f}" if count else "–"
                for count, true in zip(
                    known[row.name]["chances"], known[row.name]["came_true"], strict=True
                )
            ),
        ]
        for row in rows
        if sum(known[row.name]["chances"])
    ]
    stopped = [
        [
            *(row.entrants, row.seats, row.rounds),
            f"top {row.first}{' in order' if row.in_order else ''}",
            row.alike,
            "–" if row.alike == "all" else row.spread,
            _share(known[row.name]["wrong"], known[row.name]["wrong_error"]),
            _share(known[row.name]["settled"]),
            _share(known[row.name]["played"]),
        ]
        for row in stops
    ]
    return "\n\n".join(
        [
            "### Intervals, verdicts and ranks",
            _table(
                "world, entrants, seats, sets a bot, spread, intervals hold %, ± points, "
                "a wrong verdict %, all ranks hold %",
                held,
            ),
            "### Chances to be stronger that came true",
            _table(
                "world, entrants, seats, "
                + ", ".join(f"said {low:g} to {high:g}" for low, high in pairwise(BINS)),
                came_true,
            ),
            "### Stopping early",
            _table(
                "entrants, seats, sets a bot, goal, alike, spread, wrong %, stopped %, "
                "matches played %",
                stopped,
            ),
            "### The same results in other orders",
            _table(
                "results, orders, official mu: spread, of it all alike, official orders of the "
                "bots, fits",
                [
                    [
                        *(known[ORDERS][name] for name in ("results", "orders")),
                        *(f"{known[ORDERS][name]:.3f}" for name in ("spread", "together")),
                        *(known[ORDERS][name] for name in ("official_orders", "fits")),
                    ]
                ]
                if ORDERS in known
                else [],
            ),
        ]
    )


def _table(heads: str, rows: Iterable[Sequence[object]]) -> str:
    names = heads.split(", ")
    lines = [names, ["---"] * len(names), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _share(value: float, error: float | None = None) -> str:
    """A share in per cent, with twice its standard error."""
    shown = f"{100 * value:.2f}"
    return shown if error is None else f"{shown} ± {200 * error:.2f}"


def with_tables(document: str, made: str) -> str:
    """The document with these tables in the place of those that it had."""
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{made}\n\n{END}{after}"


def main() -> None:
    """Play the rows that are asked for, and write down what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only rows whose name has this in it")
    parser.add_argument("--tournaments", type=int, default=2000)
    given = parser.parse_args()
    work: dict[str, Callable[[], dict[str, Any]]] = {
        **{row.name: partial(measure, row, given.tournaments) for row in ROWS},
        # Each of these is looked at twenty times.
        **{row.name: partial(measure_stops, row, given.tournaments // 2) for row in STOPS},
        ORDERS: measure_orders,
    }
    for name, measured in work.items():
        if given.only not in name:
            continue
        begun = time.process_time()
        found = measured()
        # Read just before it is written: pieces may be played side by side.
        known = {**(figures() if FIGURES.exists() else {}), name: found}
        _write(known)
        sys.stdout.write(f"{name}: {time.process_time() - begun:.0f} s of CPU, {found}\n")
        sys.stdout.flush()
    # A row that was changed has another name, and the old figures go.
    _write({name: found for name, found in figures().items() if name in work})
    document = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(with_tables(document, tables(figures())), encoding="utf-8")


def _write(known: dict[str, Any]) -> None:
    FIGURES.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
