"""Who came in before whom, as JSON, CSV and Markdown."""

from __future__ import annotations

import csv
import io
from itertools import permutations
from typing import Any

from kitumaija.server.archive.escaping import csv_cell, markdown, markdown_row
from kitumaija.server.archive.figures import Figures, TableFigures
from kitumaija.server.tournament.standings import Standings, StandingsTable

ACROSS_MAX = 60
"""With more entrants than this a table that is as wide as it is long is not to be read."""

_COLUMNS = (
    "table_size",
    "bot_id",
    "display_name",
    "opponent_id",
    "opponent_name",
    "games",
    "ahead",
    "level",
    "behind",
)


def crosstable_json(found: Standings, figures: Figures) -> dict[str, Any]:
    """Return the crosstables as JSON values; entrants in the order of the standings."""
    return {
        "title": found.tournament.title,
        "tables": [
            {
                "table_size": table.table_size,
                "rows": [
                    {
                        "bot_id": row.bot.bot_id,
                        "display_name": row.bot.display_name,
                        "against": [
                            {"bot_id": other, **_pair(counts, row.bot.bot_id, other)}
                            for other in _bots(table)
                            if other != row.bot.bot_id
                        ],
                    }
                    for row in table.rows
                ],
            }
            for table in found.tables
            for counts in [figures.tables[table.table_size]]
        ],
    }


def crosstable_csv(found: Standings, figures: Figures) -> str:
    """Return the crosstables as CSV: one line for every two, in either order."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(_COLUMNS)
    for table in found.tables:
        counts = figures.tables[table.table_size]
        named = [(row.bot.bot_id, csv_cell(row.bot.display_name)) for row in table.rows]
        for (one, name), (other, its_name) in permutations(named, 2):
            pair = _pair(counts, one, other)
            writer.writerow([table.table_size, one, name, other, its_name, *pair.values()])
    return text.getvalue()


def crosstable_markdown(found: Standings, figures: Figures) -> str:
    """Return the crosstables as Markdown: a row and a column for each entrant."""
    lines = [f"# {markdown(found.tournament.title)}: who came in before whom", ""]
    for table in found.tables:
        lines += [f"## Tables of {table.table_size}", ""]
        if len(table.rows) > ACROSS_MAX:
            lines += [f"{len(table.rows)} entrants: see `crosstable.csv`.", ""]
            continue
        lines += [
            "In a row: how often it came in before, level with, and behind the bot of the column.",
            "",
            markdown_row(["", "bot", *(f"{place}" for place, _ in enumerate(table.rows, 1))]),
            markdown_row(["---"] * (2 + len(table.rows))),
        ]
        counts = figures.tables[table.table_size]
        for place, row in enumerate(table.rows, start=1):
            own = row.bot.bot_id
            cells = [score(counts, own, other) for other in _bots(table)]
            name = f"{own} ({markdown(row.bot.display_name)})"
            lines.append(markdown_row([str(place), name, *cells]))
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def score(counts: TableFigures, one: str, other: str) -> str:
    """Return how often one came in before, level with and behind another, such as 3–0–1."""
    if one == other:
        return "×"
    pair = _pair(counts, one, other)
    return f"{pair['ahead']}–{pair['level']}–{pair['behind']}"


def _bots(table: StandingsTable) -> list[str]:
    return [row.bot.bot_id for row in table.rows]


def _pair(counts: TableFigures, one: str, other: str) -> dict[str, int]:
    return {
        "games": counts.met[one, other],
        "ahead": counts.ahead[one, other],
        "level": counts.level(one, other),
        "behind": counts.ahead[other, one],
    }
