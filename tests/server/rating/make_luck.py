"""Measure what taking luck out saves, and write it into `server/docs/luck.md`.

Run `python -m tests.server.rating.make_luck`, or with `--only TEXT` the rows whose name has that in
it. A row that was measured is kept in `server/docs/luck.json`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial

from tests.server.rating.luck import (
    FIELDS,
    PLAYOUTS_TRIED,
    REFERENCES,
    TURNS_TRIED,
    measure_gain,
    measure_references,
)
from tests.server.rating.luck_covered import COVERED, measure_covered
from tests.support.measured import Figures, Measured, share, table

LUCK = Measured("luck")


def tables(known: Figures) -> str:
    """The tables of the document."""
    gains = [
        [
            *(row.title, row.seats, known[row.name]["matches"]),
            *(_bounded(known[row.name][way]) for way in ("rotations", "reference", "duplicates")),
            f"{known[row.name]['coefficient']:.2f}",
            f"{100 * known[row.name]['by_the_fit']:.0f}",
        ]
        for row in FIELDS
        if row.name in known
    ]
    references = [
        [
            *(row.seats, known[row.name]["matches"], turns),
            f"{cost:.1f}",
            *(f"{100 * part:.1f}" for part in explained),
        ]
        for row in REFERENCES
        if row.name in known
        for turns, cost, explained in zip(
            TURNS_TRIED, known[row.name]["cost"], known[row.name]["explained"], strict=True
        )
    ]
    covered = [
        [
            *(row.entrants, row.seats, row.rounds, known[row.name]["tournaments"]),
            share(known[row.name]["coverage"], known[row.name]["coverage_error"]),
            f"{known[row.name]['half_width']:.0f}",
            f"{known[row.name]['half_width_with_luck']:.0f}",
            f"{known[row.name]['off']:+.1f} ± {2 * known[row.name]['off_error']:.1f}",
            f"{known[row.name]['off_with_luck']:+.1f}",
        ]
        for row in COVERED
        if row.name in known
    ]
    return "\n\n".join(
        [
            "### Matches needed for the same precision, independent matches being 100",
            table(
                "bots, seats, matches, rotations, and reference replays, duplicates, coefficient, "
                "variance of the fit's differences %",
                gains,
            ),
            "### How the reference was chosen",
            table(
                "seats, matches, turns, ms a playout, "
                + ", ".join(f"explained by {count} %" for count in PLAYOUTS_TRIED),
                references,
            ),
            "### Intervals without the luck of the cards",
            table(
                "entrants, seats, sets a bot, tournaments, intervals hold %, ± points, "
                "with the luck, the strongest off by points, with the luck",
                covered,
            ),
        ]
    )


def _bounded(found: Sequence[float]) -> str:
    """A share in per cent with its bounds."""
    middle, low, high = (100 * part for part in found)
    return f"{middle:.0f} ({low:.0f}–{high:.0f})"


def main() -> None:
    """Measure the rows that are asked for, and write down what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only rows whose name has this in it")
    given = parser.parse_args()
    work: dict[str, Callable[[], Figures]] = {
        **{row.name: partial(measure_references, row) for row in REFERENCES},
        **{row.name: partial(measure_gain, row) for row in FIELDS},
        **{row.name: partial(measure_covered, row, 2000) for row in COVERED},
    }
    LUCK.measure(work, tables, only=given.only)


if __name__ == "__main__":
    main()
