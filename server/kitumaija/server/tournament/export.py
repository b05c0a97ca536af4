"""Everything of a tournament that is over, as a ZIP archive; the same tournament, the same bytes.

tournament.json   settings, entrants, seeds: what is needed to check everything
standings.json    the tables with every number
standings.csv     the same for a spreadsheet (RFC 4180, UTF-8)
standings.md      the same to be read
matches.jsonl     one JSON object a line for every match, in schedule order
records/ID.kitu   the record of each match whose game began, also of one that is void
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from kitumaija.console.text import plain, plain_lines
from kitumaija.server.store import bots, entrants, matches, records
from kitumaija.server.store.rows import BotRow, EntrantRow, SeatedMatch, TournamentRow
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.standings import StandingRow, Standings, standings

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest date of a ZIP entry, and that of all of ours: when it was exported is no content."""

_READABLE = 0o644 << 16
_PAGE = 500
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet takes for the beginning of a formula, in both widths."""


def write_archive(tx: ReadTx, row: TournamentRow, file: IO[bytes]) -> None:
    """Write the archive of a tournament that is over."""
    found = standings(tx, row)
    with ZipFile(file, "w") as archive:
        _put(archive, "tournament.json", _json(tournament_json(tx, row)))
        _put(archive, "standings.json", _json(standings_json(found)))
        _put(archive, "standings.csv", standings_csv(found))
        _put(archive, "standings.md", standings_markdown(found))
        with archive.open(_entry("matches.jsonl"), "w") as lines:
            for seated in _all_matches(tx, row.tournament_id):
                line = json.dumps(match_json(seated), ensure_ascii=False, separators=(",", ":"))
                lines.write(line.encode() + b"\n")
        for seated in _all_matches(tx, row.tournament_id):
            match_id = seated.match.match_id
            record = records.get(tx, match_id)
            if record is not None:
                archive.writestr(_entry(f"records/{match_id}.kitu"), record)


def tournament_json(tx: ReadTx, row: TournamentRow) -> dict[str, Any]:
    """Return a tournament as JSON values; seeds are in hexadecimal."""
    entered = entrants.of(tx, row.tournament_id, secrets=False)
    known = bots.many(tx, [entry.bot_id for entry in entered])
    return {
        "tournament_id": row.tournament_id,
        "title": row.title,
        "state": row.state.value,
        "settings": dict(row.settings),
        "master_commitment": row.master_commitment.hex(),
        "master_seed": row.master_seed.hex(),
        "schedule_seed": (row.schedule_seed or b"").hex(),
        "created_at": row.created_at.isoformat(),
        "started_at": row.started_at.isoformat() if row.started_at else None,
        "ended_at": row.ended_at.isoformat() if row.ended_at else None,
        "entrants": [_entrant_json(entry, known[entry.bot_id]) for entry in entered],
    }


def standings_json(found: Standings) -> dict[str, Any]:
    """Return the standings as JSON values, every number as it is."""
    return {
        "title": found.tournament.title,
        "remarks": list(found.remarks),
        "tables": [
            {
                "table_size": table.table_size,
                "rated": table.rated,
                "planned": table.planned,
                "provisional": table.provisional,
                "rows": [_row_json(row, table.table_size) for row in table.rows],
            }
            for table in found.tables
        ],
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
                _cell(json.dumps(value) if isinstance(value, dict) else value)
                for value in (table.table_size, *(values[name] for name in _COLUMNS[1:]))
            ]
            writer.writerow([*cells, *values["places"], *[""] * (most - table.table_size)])
    return text.getvalue()


def standings_markdown(found: Standings) -> str:
    """Return the standings as Markdown tables."""
    lines = [f"# {_inline(found.tournament.title)}", ""]
    for table in found.tables:
        ordinals = [f"#{place}" for place in range(1, table.table_size + 1)]
        head = ["rank", "bot", "name", "mu", "sigma", "mu − 3 sigma", "games", *ordinals]
        head += ["mean place", "forfeits", "state"]
        lines += [
            f"## Tables of {table.table_size}",
            "",
            f"{table.rated} of {table.planned} matches are rated.",
            "",
            _line(head),
            _line(["---"] * len(head)),
        ]
        for row in table.rows:
            values = _row_json(row, table.table_size)
            mean = values["mean_place"]
            lines.append(
                _line(
                    [
                        str(row.rank),
                        row.bot.bot_id,
                        _inline(row.bot.display_name),
                        f"{values['mu']:.3f}",
                        f"{values['sigma']:.3f}",
                        f"{values['score']:.3f}",
                        str(values["games"]),
                        *(str(count) for count in values["places"]),
                        "–" if mean is None else f"{mean:.3f}",
                        str(values["forfeits"]),
                        values["state"],
                    ]
                )
            )
        lines.append("")
    lines += [f"- {_inline(remark)}" for remark in found.remarks]
    return "\n".join(lines).rstrip() + "\n"


def match_json(seated: SeatedMatch) -> dict[str, Any]:
    """Return a match as JSON values."""
    match = seated.match
    return {
        "match_id": match.match_id,
        "table_size": match.table_size,
        "number": match.number,
        "attempt": match.attempt,
        "deal_id": match.deal_id,
        "state": match.state.value,
        "ending": match.ending,
        "termination": match.termination,
        "reason": match.reason,
        "absent": list(match.absent),
        "created_at": match.created_at.isoformat(),
        "ended_at": match.ended_at.isoformat() if match.ended_at else None,
        "seats": [
            {
                "bot_id": seat.bot_id,
                "place": seat.place or None,
                "forfeited": seat.forfeited,
                "faults": dict(seat.faults),
                "decisions": seat.decisions,
                "default_decisions": seat.default_decisions,
            }
            for seat in seated.seats
        ],
    }


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
)


def _row_json(row: StandingRow, table_size: int) -> dict[str, Any]:
    entry = row.entry
    return {
        "rank": row.rank,
        "bot_id": row.bot.bot_id,
        "display_name": row.bot.display_name,
        "owner": row.bot.owner,
        "mu": entry.rating.mu,
        "sigma": entry.rating.sigma,
        "score": entry.rating.score,
        "games": entry.games,
        "places": [*entry.places, *[0] * (table_size - len(entry.places))],
        "mean_place": None if entry.mean_place is None else float(entry.mean_place),
        "forfeits": entry.forfeits,
        "absences": entry.absences,
        "decisions": entry.decisions,
        "default_decisions": entry.default_decisions,
        "faults": dict(sorted(entry.faults.items())),
        "state": row.state.value,
    }


def _entrant_json(entry: EntrantRow, bot: BotRow) -> dict[str, Any]:
    return {
        "bot_id": entry.bot_id,
        "display_name": bot.display_name,
        "owner": bot.owner,
        "state": entry.state.value,
        "reason": entry.reason,
        "bot_version": entry.bot_version,
        "entropy_commitment": entry.entropy_commitment.hex(),
        "entropy": entry.entropy.hex(),
        "no_shows": entry.no_shows,
    }


def _all_matches(tx: ReadTx, tournament_id: str) -> Iterator[SeatedMatch]:
    token = ""
    while True:
        page = matches.page(tx, tournament_id, size=_PAGE, token=token)
        yield from page.rows
        token = page.next_token
        if not token:
            return


def _put(archive: ZipFile, name: str, text: str) -> None:
    archive.writestr(_entry(name), text.encode())


def _entry(name: str) -> ZipInfo:
    entry = ZipInfo(name, date_time=_EPOCH)
    entry.compress_type = ZIP_DEFLATED
    entry.create_system = 3
    entry.external_attr = _READABLE
    return entry


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        shown = plain_lines(value)
        return f"'{shown}" if shown.lstrip().startswith(_FORMULA) else shown
    return "" if value is None else value


def _inline(text: str) -> str:
    shown = plain(" ".join(text.split()))
    return "".join(f"\\{one}" if one in "\\`*_{}[]<>#|&~" else one for one in shown)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
