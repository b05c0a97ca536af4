"""Fitted strengths as the commands show them: cells of a table, and JSON values."""

import math
from typing import Any

from rich.text import Text

from kitumaija.server.cli.output import out
from kitumaija.server.rating.fit import Fit, Fitted

HEADS = (">strength", ">95 % from", ">to", ">rank")
"""The columns of `cells`."""


def cells(row: Fitted) -> list[str]:
    """A bot's strength, its bounds and its ranks."""
    ranks = str(row.best) if row.best == row.worst else f"{row.best}–{row.worst}"
    return [
        f"{row.strength:+z.0f}",
        bound(row.low),
        bound(row.high),
        ranks,
    ]


def bound(value: float) -> str:
    """An end of an interval, in points; a dash where there is none."""
    return f"{value:+z.0f}" if math.isfinite(value) else "–"


def print_alike(found: Fit) -> None:
    """Print who cannot be told apart."""
    for group in found.alike:
        out.print(Text(f"  not told apart: {', '.join(group)}"))


def as_dict(found: Fit) -> dict[str, Any]:
    """The strengths and what follows from them, as JSON values; what is infinite is null."""
    return {
        "rows": [
            {
                "rank": row.rank,
                "bot_id": row.bot_id,
                "strength": row.strength,
                "low": _finite(row.low),
                "high": _finite(row.high),
                "best_rank": row.best,
                "worst_rank": row.worst,
                "sets": row.sets,
            }
            for row in found.rows
        ],
        "above": {
            row.bot_id: {
                other.bot_id: chance
                for other, chance in zip(found.rows, chances, strict=True)
                if other is not row
            }
            for row, chances in zip(found.rows, found.above, strict=True)
        },
        "not_told_apart": found.alike,
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
