"""How a tournament went: clocks, faults, and whether the schedule was kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kitumaija.server.archive.figures import Figures, TableFigures
from kitumaija.server.archive.report.html import Content, Figure, Html, bot, table, tag
from kitumaija.server.rating import Entry
from kitumaija.server.store.rows import BotRow
from kitumaija.server.tournament.clocktable import BotTimes
from kitumaija.server.tournament.standings import StandingsTable

CAUSES_SHOWN = 20


def clocks(figures: Figures, bots: Mapping[str, BotRow]) -> Html:
    """Return what time was measured of each bot."""
    return table(
        "Times of the bots' own answers, in milliseconds",
        [
            *("bot", "answers", "half within", "99 % within", "longest"),
            *("network, half within", "timeouts", "re-timed"),
        ],
        [_clock(bots[bot_id], times) for bot_id, times in sorted(figures.times.bots.items())],
    )


def faults(found: StandingsTable, bots: Mapping[str, BotRow]) -> Html:
    """Return what was wrong with each bot's play."""
    return table(
        f"Tables of {found.table_size}",
        ["bot", "decisions", "made by default", "share", "forfeits", "did not come", "faults"],
        [_conduct(bots[row.bot.bot_id], row.entry) for row in found.rows],
    )


def audit(found: StandingsTable, figures: TableFigures) -> Html:
    """Return how evenly games, seats and opponents were spread, and what was not played."""
    bots = [row.bot.bot_id for row in found.rows]
    seats = range(found.table_size)
    in_seats = [
        count.games if (count := figures.seats.get((one, seat))) else 0
        for one in bots
        for seat in seats
    ]
    games = [sum(in_seats[at : at + len(seats)]) for at in range(0, len(in_seats), len(seats))]
    met = [figures.met[one, other] for one in bots for other in bots if one < other]
    counts: list[Sequence[Content]] = [
        ["matches of the schedule", found.planned, None],
        ["settled without a game", sum(figures.unplayed.values()), None],
        ["games that an entrant played", min(games, default=0), max(games, default=0)],
        [
            "games that an entrant played in one seat",
            min(in_seats, default=0),
            max(in_seats, default=0),
        ],
        ["games that two entrants played together", min(met, default=0), max(met, default=0)],
    ]
    causes = sorted(figures.unplayed.items(), key=lambda cause: (-cause[1], cause[0]))
    listed = [tag("li", f"{count} × {cause}") for cause, count in causes[:CAUSES_SHOWN]]
    if len(causes) > CAUSES_SHOWN:
        listed.append(tag("li", f"{len(causes) - CAUSES_SHOWN} more reasons in matches.jsonl"))
    shown = table(f"Tables of {found.table_size}", ["", "least", "most"], counts)
    return Html(f"{shown}{tag('ul', *listed) if listed else ''}")


def settings(plain: Mapping[str, Any]) -> Html:
    """Return the settings as they were public from the first day."""
    rows: list[Sequence[Content]] = []
    for name, value in plain.items():
        if isinstance(value, Mapping):
            rows += [[f"{name}.{key}", _said(one)] for key, one in value.items()]
        else:
            rows.append([name, _said(value)])
    return table("Settings; times in microseconds", ["setting", "value"], rows)


def _clock(row: BotRow, times: BotTimes) -> list[Content]:
    used = times.used
    return [
        bot(row.bot_id, row.display_name),
        used.count,
        *(_ms(number) for number in (used.share(50), used.share(99), used.max)),
        _ms(times.network.share(50)),
        times.timeouts,
        times.retimed,
    ]


def _conduct(row: BotRow, entry: Entry) -> list[Content]:
    share = 100 * entry.default_decisions / entry.decisions if entry.decisions else 0.0
    charged = ", ".join(f"{count} × {fault}" for fault, count in sorted(entry.faults.items()))
    return [
        bot(row.bot_id, row.display_name),
        entry.decisions,
        entry.default_decisions,
        Figure(f"{share:.1f} %"),
        entry.forfeits,
        entry.absences,
        charged or None,
    ]


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "–" if value is None else str(value)


def _ms(microseconds: int) -> Figure:
    return Figure(f"{microseconds / 1000:.1f}")
