"""Play the simulated tournaments and write what came of them into `server/docs/calibration.md`.

Run `python -m tests.server.rating.make_calibration`, or with `--only TEXT` the rows whose name has
that in it. A row that was played is kept in `server/docs/calibration.json`, so that the work can be
done in pieces; the tables are written of all that is there.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from itertools import pairwise

from tests.server.rating.calibration import (
    BINS,
    ORDERS,
    ROWS,
    STOPS,
    measure,
    measure_orders,
    measure_stops,
)
from tests.support.measured import Figures, Measured, share, table

CALIBRATION = Measured("calibration")


def tables(known: Figures) -> str:
    """The tables of the document."""
    rows = [row for row in ROWS if row.name in known]
    stops = [row for row in STOPS if row.name in known]
    held = [
        [
            *(row.world, row.entrants, row.seats, row.rounds, row.spread),
            share(known[row.name]["coverage"], known[row.name]["coverage_error"]),
            f"{known[row.name]['half_width']:.0f}",
            share(known[row.name]["wrong_verdict"], known[row.name]["wrong_verdict_error"]),
            share(known[row.name]["ranks_hold"]),
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
            share(known[row.name]["wrong"], known[row.name]["wrong_error"]),
            share(known[row.name]["settled"]),
            share(known[row.name]["played"]),
        ]
        for row in stops
    ]
    return "\n\n".join(
        [
            "### Intervals, verdicts and ranks",
            table(
                "world, entrants, seats, sets a bot, spread, intervals hold %, ± points, "
                "a wrong verdict %, all ranks hold %",
                held,
            ),
            "### Chances to be stronger that came true",
            table(
                "world, entrants, seats, "
                + ", ".join(f"said {low:g} to {high:g}" for low, high in pairwise(BINS)),
                came_true,
            ),
            "### Stopping early",
            table(
                "entrants, seats, sets a bot, goal, alike, spread, wrong %, stopped %, "
                "matches played %",
                stopped,
            ),
            "### The same results in other orders",
            table(
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


def main() -> None:
    """Play the rows that are asked for, and write down what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only rows whose name has this in it")
    parser.add_argument("--tournaments", type=int, default=2000)
    given = parser.parse_args()
    work: dict[str, Callable[[], Figures]] = {
        **{row.name: partial(measure, row, given.tournaments) for row in ROWS},
        # Each of these is looked at twenty times.
        **{row.name: partial(measure_stops, row, given.tournaments // 2) for row in STOPS},
        ORDERS: measure_orders,
    }
    CALIBRATION.measure(work, tables, only=given.only)


if __name__ == "__main__":
    main()
