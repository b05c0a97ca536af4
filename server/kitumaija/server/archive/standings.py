"""The standings as JSON, CSV and Markdown.

Numbers are rounded to six digits, as they are for the order of a table: so that whoever computes
them anew on another machine, whose last binary digit may differ, gets the same bytes.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from kitumaija.console.text import counted
from kitumaija.server.archive.escaping import csv_cell, markdown, markdown_row
from kitumaija.server.tournament.standings import StandingRow, Standings, StandingsTable

DIGITS = 6


def standings_json(found: Standings) -> dict[str, Any]:
    """Return the standings as JSON values."""
    return {
        "title": found.tournament.title,
        "remarks": list(found.remarks),
        "tables": [
            {
                "table_size": table.table_size,
                "rated": table.rated,
                "planned": table.planned,
                "provisional": table.provisional,
                "rounds": table.rounds,
                **_verdict_json(table),
                "rows": [_row_json(row, table.table_size) for row in table.rows],
            }
            for table in found.tables
        ],
    }


def _verdict_json(table: StandingsTable) -> dict[str, Any]:
    """Return what was found out; nothing where there is nothing to be said of it."""
    found = table.verdict
    if found is None:
        return {}
    return {
        "verdict": {"look": found.look, "matches": found.matches, "best": list(found.best)},
    }


def standings_csv(found: Standings) -> str:
    """Return the standings as CSV: one line a table size and bot.

    A cell with a text that a spreadsheet would take for a formula begins with an apostrophe. Marks
    that turn the direction of text, or cannot be seen, are shown as escapes; `standings.json` has
    every text as it is.
    """
    most = max((table.table_size for table in found.tables), default=0)
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    places = [f"place_{place}" for place in range(1, most + 1)]
    writer.writerow([*_COLUMNS, *places])
    for table in found.tables:
        for row in table.rows:
            values = _row_json(row, table.table_size)
            cells = [
                csv_cell(json.dumps(value) if isinstance(value, dict) else value)
                for value in (table.table_size, *(values[name] for name in _COLUMNS[1:]))
            ]
            writer.writerow([*cells, *values["places"], *[""] * (most - table.table_size)])
    return text.getvalue()


def standings_markdown(found: Standings) -> str:
    """Return the standings as Markdown tables."""
    lines = [f"# {markdown(found.tournament.title)}", ""]
    for table in found.tables:
        ordinals = [f"#{place}" for place in range(1, table.table_size + 1)]
        head = ["rank", "bot", "name", *decided_by(table)]
        head += ["mu", "sigma", "mu − 3 sigma", "games", *ordinals]
        head += ["mean place", "forfeits", "state"]
        lines += [
            f"## Tables of {table.table_size}",
            "",
            f"{table.rated} of {counted(table.planned, 'match is', 'matches are')} rated.",
            "",
            markdown_row(head),
            markdown_row(["---"] * len(head)),
        ]
        for row in table.rows:
            values = _row_json(row, table.table_size)
            mean = values["mean_place"]
            lines.append(
                markdown_row(
                    [
                        str(row.rank),
                        row.bot.bot_id,
                        markdown(row.bot.display_name),
                        *decided(row),
                        f"{values['mu']:z.3f}",
                        f"{values['sigma']:.3f}",
                        f"{values['score']:z.3f}",
                        str(values["games"]),
                        *(str(count) for count in values["places"]),
                        "–" if mean is None else f"{mean:.3f}",
                        str(values["forfeits"]),
                        values["state"],
                    ]
                )
            )
        lines.append("")
    lines += [f"- {markdown(remark)}" for remark in found.remarks]
    return "\n".join(lines).rstrip() + "\n"


def decided_by(table: StandingsTable) -> list[str]:
    """Return the heads of the columns of what decides the places, where it is not the ratings."""
    names = {
        name for row in table.rows for name, value in _placed(row).items() if value is not None
    }
    return [name for name in _DECIDED if name in names]


def decided(row: StandingRow) -> list[str]:
    """Return the cells of these columns; who is still in a knockout has gone out in no round."""
    cells = {name: value for name, value in _placed(row).items() if value is not None}
    return [
        "–" if name == "out in round" and not cells[name] else str(cells[name])
        for name in _DECIDED
        if name in cells
    ]


_DECIDED = ("points", "out in round", "rung", "byes")


def _placed(row: StandingRow) -> dict[str, int | None]:
    placed = row.placed
    return dict(
        zip(
            _DECIDED,
            (placed.points, placed.out_in_round, placed.rung, placed.byes),
            strict=True,
        )
    )


_COLUMNS = (
    "table_size",
    "rank",
    "bot_id",
    "display_name",
    "owner",
    "mu",
    "sigma",
    "score",
    "games",
    "mean_place",
    "forfeits",
    "absences",
    "decisions",
    "default_decisions",
    "faults",
    "state",
    "points",
    "out_in_round",
    "rung",
    "byes",
)


def _row_json(row: StandingRow, table_size: int) -> dict[str, Any]:
    entry = row.entry
    return {
        "rank": row.rank,
        "bot_id": row.bot.bot_id,
        "display_name": row.bot.display_name,
        "owner": row.bot.owner,
        "mu": _rounded(entry.rating.mu),
        "sigma": _rounded(entry.rating.sigma),
        "score": _rounded(entry.rating.score),
        "games": entry.games,
        "places": [*entry.places, *[0] * (table_size - len(entry.places))],
        "mean_place": None if entry.mean_place is None else _rounded(float(entry.mean_place)),
        "forfeits": entry.forfeits,
        "absences": entry.absences,
        "decisions": entry.decisions,
        "default_decisions": entry.default_decisions,
        "faults": dict(sorted(entry.faults.items())),
        "state": row.state.value,
        "points": row.placed.points,
        "out_in_round": row.placed.out_in_round,
        "rung": row.placed.rung,
        "byes": row.placed.byes,
    }


def _rounded(number: float) -> float:
    # Not -0.0, which another machine may have as 0.0.
    return round(number, DIGITS) + 0.0
