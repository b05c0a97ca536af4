"""Play the simulated tournaments and write what came of them into `server/docs/collusion.md`.

Run `python -m tests.server.rating.make_collusion`, or with `--only TEXT` the rows whose name has
that in it. A row that was played is kept in `server/docs/collusion.json`.
"""

from __future__ import annotations

import argparse
from functools import partial
from math import sqrt

from tests.server.rating.collusion_power import COLLUDING, INNOCENT, ROWS, measure
from tests.support.measured import Figures, Measured, share, table

COLLUSION = Measured("collusion")


def tables(known: Figures) -> str:
    """The tables of the document."""
    innocent = [
        [
            row.world,
            row.seats,
            row.sets_together,
            _share(known[row.name], "named"),
            _share(known[row.name], "beyond_chance"),
            known[row.name]["tournaments"],
        ]
        for row in INNOCENT
        if row.name in known
    ]
    colluding = [
        [
            f"{row.collusion} {row.strength:g}",
            row.seats,
            row.sets_together,
            _share(known[row.name], "the_two"),
            _share(known[row.name], "others"),
            f"{known[row.name]['points']:+.0f}",
            known[row.name]["tournaments"],
        ]
        for row in COLLUDING
        if row.name in known
    ]
    return "\n\n".join(
        [
            "### Innocent bots",
            table(
                "world, seats, sets together, a pair is named %, beyond chance %, tournaments",
                innocent,
            ),
            "### Two colluders",
            table(
                "what they do, seats, sets together, the two are named %, others are named %, "
                "help found, tournaments",
                colluding,
            ),
        ]
    )


def _share(figures: Figures, name: str) -> str:
    value = figures[name]
    return share(value, sqrt(value * (1 - value) / figures["tournaments"]))


def main() -> None:
    """Play the rows that are asked for, and write down what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only rows whose name has this in it")
    parser.add_argument("--tournaments", type=int, default=1000)
    given = parser.parse_args()
    work = {row.name: partial(measure, row, given.tournaments) for row in INNOCENT}
    work |= {row.name: partial(measure, row, given.tournaments // 4) for row in COLLUDING}
    assert len(work) == len(ROWS)
    COLLUSION.measure(work, tables, only=given.only)


if __name__ == "__main__":
    main()
