"""Indicators of collusion as JSON, of the table sizes that have more than two seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from kitumaija.server.archive.figures import Figures
from kitumaija.server.rating.collusion import (
    BOTS_MAX,
    RATE,
    SEATS_MIN,
    WARNING,
    PairHelp,
    find,
    pair_as_dict,
)
from kitumaija.server.tournament.standings import Standings

Indicators: TypeAlias = Mapping[int, tuple[PairHelp, ...] | None]
"""The pairs by table size, the most striking first; None where there is too much to look at."""


def indicators_of(found: Standings, figures: Figures) -> Indicators:
    """Look for pairs that help each other, at each table size with more than two seats."""
    sizes = [table.table_size for table in found.tables if table.table_size >= SEATS_MIN]
    seed = found.tournament.master_commitment
    made: dict[int, tuple[PairHelp, ...] | None] = {}
    for size in sizes:
        counted = figures.tables[size]
        few = counted.results is not None and len(counted.bots) <= BOTS_MAX
        made[size] = (
            find(counted.results or (), table_size=size, seed=seed, tables=len(sizes))
            if few
            else None
        )
    return made


def collusion_json(found: Standings, indicators: Indicators) -> dict[str, Any]:
    """Return the indicators as JSON values."""
    return {
        "title": found.tournament.title,
        "warning": WARNING,
        "rate": RATE,
        "tables": [
            {
                "table_size": size,
                "pairs": None if pairs is None else [pair_as_dict(pair) for pair in pairs],
            }
            for size, pairs in indicators.items()
        ],
    }
