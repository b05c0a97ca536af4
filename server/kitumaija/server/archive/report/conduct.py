"""How a tournament was played: clocks, faults, and the settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kitumaija.server.archive.figures import Figures
from kitumaija.server.archive.report.html import Content, Figure, Html, bot, table
from kitumaija.server.archive.report.ranges import Scale
from kitumaija.server.rating import Entry
from kitumaija.server.store.rows import BotRow
from kitumaija.server.tournament.clocktable import BotTimes
from kitumaija.server.tournament.standings import StandingsTable


def clocks(figures: Figures, bots: Mapping[str, BotRow]) -> Html:
    """Return what time was measured of each bot."""
    measured = sorted(figures.times.bots.items())
    scale = Scale.of([(0.0, times.used.share(99) / 1000) for _, times in measured])
    return table(
        "Times of the bots' own answers, in milliseconds. Drawn: from half to 99 %, with a point "
        "at 90 %",
        [
            *("bot", "answers", "half within", "90 %", "99 %", "longest", "drawn"),
            *("network, half within", "server, half within", "timeouts", "re-timed"),
        ],
        [_clock(bots[bot_id], times, scale) for bot_id, times in measured],
    )


def faults(found: StandingsTable, bots: Mapping[str, BotRow]) -> Html:
    """Return what was wrong with each bot's play."""
    return table(
        f"Tables of {found.table_size}",
        ["bot", "decisions", "made by default", "share", "forfeits", "did not come", "faults"],
        [_conduct(bots[row.bot.bot_id], row.entry) for row in found.rows],
    )


def settings(plain: Mapping[str, Any]) -> Html:
    """Return the settings as they were public from the first day."""
    rows: list[Sequence[Content]] = []
    for name, value in plain.items():
        if isinstance(value, Mapping):
            rows += [[f"{name}.{key}", _said(one)] for key, one in value.items()]
        else:
            rows.append([name, _said(value)])
    return table("Settings; times in microseconds", ["setting", "value"], rows)


def _clock(row: BotRow, times: BotTimes, scale: Scale) -> list[Content]:
    used = times.used
    half, most, nearly_all = (used.share(percent) for percent in (50, 90, 99))
    return [
        bot(row.bot_id, row.display_name),
        used.count,
        *(_ms(number) for number in (half, most, nearly_all, used.max)),
        scale.drawn(most / 1000, half / 1000, nearly_all / 1000),
        _ms(times.network.share(50)),
        _ms(times.server.share(50)),
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
