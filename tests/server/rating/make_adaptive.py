"""Play adaptive against uniform tournaments, and write it into `server/docs/adaptive.md`.

Run `python -m tests.server.rating.make_adaptive`, or with `--only TEXT` the rows whose name has
that in it. A row that was played is kept in `server/docs/adaptive.json`.
"""

from __future__ import annotations

import argparse
from functools import partial

from tests.server.rating.adaptive import RACES, measure_race
from tests.support.measured import Figures, Measured, share, table

ADAPTIVE = Measured("adaptive")
WAYS = ("uniform", "adaptive")


def tables(known: Figures) -> str:
    """The tables of the document."""
    rows = []
    for race in (race for race in RACES if race.name in known):
        found = known[race.name]
        matches = race.sets * race.seats
        for way, name in enumerate(WAYS):
            wrong = found["wrong"][way]
            error = (wrong * (1 - wrong) / found["tournaments"]) ** 0.5
            needed, low, high = (100 * part for part in found["needed"])
            rows.append(
                [
                    *(race.entrants, race.seats, race.gap, found["tournaments"], name),
                    f"{found['played'][way] * matches:,.0f} of {matches:,}",
                    f"{needed:.0f} ({low:.0f}–{high:.0f})" if way else "100",
                    f"{100 * found['settled'][way]:.0f}",
                    share(wrong, error),
                ]
            )
    return table(
        "entrants, seats, gap, tournaments, tables, matches until settled, of the uniform %, "
        "settled %, wrong %",
        rows,
    )


def main() -> None:
    """Play the rows that are asked for, and write down what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only rows whose name has this in it")
    given = parser.parse_args()
    work = {race.name: partial(measure_race, race) for race in RACES}
    ADAPTIVE.measure(work, tables, only=given.only)


if __name__ == "__main__":
    main()
