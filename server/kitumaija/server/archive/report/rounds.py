"""Round by round: who sat together, what points that gave, and who had no table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kitumaija.console.text import counted
from kitumaija.server.archive.report.html import Content, Html, bot, joined, table, tag
from kitumaija.server.schedule.rounds import Rounds
from kitumaija.server.schedule.seating import Played
from kitumaija.server.store.rows import BotRow

TABLES_MAX = 2000
"""Of more tables than this a page shows none: they are in tournament.json."""


def rounds(schedule: Rounds, bots: Mapping[str, BotRow]) -> Html:
    """Return the rounds of one table size; the last one may not be over."""
    played = list(schedule.played)
    if schedule.open is not None:
        played.append(Played(schedule.open, {}))
    tables = sum(len(one.round.tables) for one in played)
    if tables > TABLES_MAX:
        return tag("p", f"{counted(tables, 'table')} in all; see tournament.json.")
    shown = table(
        f"Tables of {schedule.table_size}: round by round, with what points that gave",
        ["round", "who sat together, or had no table"],
        [
            [number, content]
            for number, one in enumerate(played, start=1)
            for content in _round(one, bots)
        ],
        named=1,
    )
    if schedule.open is None:
        return shown
    return joined([shown, tag("p", f"Round {len(played)} was not over.")])


def _round(one: Played, bots: Mapping[str, BotRow]) -> Iterator[Content]:
    for seats in one.round.tables:
        # The best first, those level as they sat.
        order = sorted(seats, key=lambda name: -one.points.get(name, 0))
        yield _listed(order, bots, one.points)
    if one.round.byes:
        yield joined(["no table: ", _listed(one.round.byes, bots, {})])


def _listed(names: Sequence[str], bots: Mapping[str, BotRow], points: Mapping[str, int]) -> Html:
    parts: list[Content] = []
    for name in names:
        parts += [" · "] if parts else []
        parts.append(bot(name, bots[name].display_name))
        if name in points:
            parts.append(f" ({points[name]})")
    return joined(parts)
