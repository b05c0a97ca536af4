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
    Row,
    measure,
    measure_orders,
)
from tests.server.rating.engine_calibration import (
    DIALS,
    ENGINE_ROWS,
    ENGINE_STOPS,
    EngineRow,
    EngineStops,
    measure_engine,
    measure_engine_stops,
)
from tests.server.rating.stopping import STOPS, Stops, measure_stops
from tests.support.cores import cores
from tests.support.measured import Figures, Measured, share, table

CALIBRATION = Measured("calibration")


def tables(known: Figures) -> str:
    """The tables of the document."""
    return "\n\n".join(
        [
            "### Intervals, verdicts and ranks",
            table(
                "world, entrants, seats, sets a bot, spread, intervals hold %, ± points, "
                "a wrong verdict %, all ranks hold %",
                _held(known),
            ),
            "### Players that play the game",
            table(
                "entrants, seats, sets a bot, sets are, tournaments, games in the bank, "
                "intervals hold %, ± points, a wrong verdict %, all ranks hold %, "
                "model off by at most %",
                _held_by_engine(known),
            ),
            "### The strengths of those players",
            table(
                "rule %, chance %, "
                + ", ".join(f"points at {row.seats} seats" for row in _banks(known)),
                _levels(known),
            ),
            "### Chances to be stronger that came true",
            table(
                "world, entrants, seats, "
                + ", ".join(f"said {low:g} to {high:g}" for low, high in pairwise(BINS)),
                _came_true(known),
            ),
            "### Stopping early",
            table(
                "entrants, seats, sets a bot, goal, alike, spread, wrong %, stopped %, "
                "matches played %",
                _stopped(known),
            ),
            "### The same results in other orders",
            table(
                "results, orders, official mu: spread, of it all alike, official orders of the "
                "bots, fits",
                _orders(known),
            ),
        ]
    )


def _held(known: Figures) -> list[list[object]]:
    return [
        [row.world, row.entrants, row.seats, row.rounds, row.spread, *_rightness(known[row.name])]
        for row in ROWS
        if row.name in known
    ]


def _held_by_engine(known: Figures) -> list[list[object]]:
    return [
        [
            *(row.entrants, row.seats, row.rounds, "played anew" if row.anew else "drawn"),
            *(known[row.name][name] for name in ("tournaments", "games")),
            *_rightness(known[row.name]),
            f"{100 * known[row.name]['misfit']:.1f}",
        ]
        for row in ENGINE_ROWS
        if row.name in known
    ]


def _rightness(found: Figures) -> list[str]:
    return [
        share(found["coverage"], found["coverage_error"]),
        f"{found['half_width']:.0f}",
        share(found["wrong_verdict"], found["wrong_verdict_error"]),
        share(found["ranks_hold"]),
    ]


def _banks(known: Figures) -> list[EngineRow]:
    """A row of each bank that is known."""
    rows = [row for row in ENGINE_ROWS if row.name in known and not row.anew]
    return list({row.seats: row for row in rows}.values())


def _levels(known: Figures) -> list[list[object]]:
    return [
        [
            *(f"{100 * part:.0f}" for part in (dial.rule, dial.chance)),
            *(
                f"{known[row.name]['levels'][level]:+.0f} ± "
                f"{2 * known[row.name]['level_errors'][level]:.0f}"
                for row in _banks(known)
            ),
        ]
        for level, dial in enumerate(DIALS)
    ]


def _came_true(known: Figures) -> list[list[object]]:
    worlds: list[tuple[str, Row | EngineRow]] = [
        *((row.world, row) for row in ROWS),
        *(("engine", row) for row in ENGINE_ROWS if not row.anew),
    ]
    return [
        [
            *(world, row.entrants, row.seats),
            *(
                f"{true / count:.3f}" if count else "–"
                for count, true in zip(
                    known[row.name]["chances"], known[row.name]["came_true"], strict=True
                )
            ),
        ]
        for world, row in worlds
        if row.name in known and sum(known[row.name]["chances"])
    ]


def _stopped(known: Figures) -> list[list[object]]:
    rows: list[tuple[Stops | EngineStops, str, str, object]] = [
        (row, f"top {row.first}{' in order' if row.in_order else ''}", row.alike, row.spread)
        for row in STOPS
    ]
    rows += [(row, f"top {row.first}", f"engine, {row.levels}", "–") for row in ENGINE_STOPS]
    return [
        [
            *(row.entrants, row.seats, row.rounds, goal, alike),
            "–" if alike == "all" else spread,
            share(known[row.name]["wrong"], known[row.name]["wrong_error"]),
            share(known[row.name]["settled"]),
            share(known[row.name]["played"]),
        ]
        for row, goal, alike, spread in rows
        if row.name in known
    ]


def _orders(known: Figures) -> list[list[object]]:
    if ORDERS not in known:
        return []
    found = known[ORDERS]
    return [
        [
            *(found[name] for name in ("results", "orders")),
            *(f"{found[name]:.3f}" for name in ("spread", "together")),
            *(found[name] for name in ("official_orders", "fits")),
        ]
    ]


def main() -> None:
    """Play the rows that are asked for, and write down what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only rows whose name has this in it")
    parser.add_argument("--tournaments", type=int, default=2000, help="at most so many a row")
    parser.add_argument("--jobs", type=int, default=cores(), help="processes; all cores by default")
    given = parser.parse_args()
    most, jobs = given.tournaments, given.jobs
    work: dict[str, Callable[[], Figures]] = {
        **{row.name: partial(measure, row, most, jobs=jobs) for row in ROWS},
        # Each of these is looked at twenty times.
        **{row.name: partial(measure_stops, row, most // 2, jobs=jobs) for row in STOPS},
        **{
            row.name: partial(measure_engine, row, min(most, row.tournaments), jobs=jobs)
            for row in ENGINE_ROWS
        },
        **{
            row.name: partial(measure_engine_stops, row, most // 2, jobs=jobs)
            for row in ENGINE_STOPS
        },
        ORDERS: measure_orders,
    }
    CALIBRATION.measure(work, tables, only=given.only)


if __name__ == "__main__":
    main()
