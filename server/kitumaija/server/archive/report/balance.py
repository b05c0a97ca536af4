"""Whether the schedule was even, and was kept: games, seats and opponents of each entrant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from kitumaija.console.text import counted
from kitumaija.server.archive.figures import TableFigures
from kitumaija.server.archive.report.html import Content, Html, bot, joined, table, tag
from kitumaija.server.tournament.standings import StandingsTable

CAUSES_SHOWN = 20


def audit(found: StandingsTable, figures: TableFigures, due: Mapping[str, int]) -> Html:
    """Return how evenly games, seats and opponents were spread, and what was not played.

    `due` are the games that the schedule gave each entrant.
    """
    bots = [row.bot.bot_id for row in found.rows]
    seats = range(found.table_size)
    by_seat = {one: [figures.in_seat(one, seat).games for seat in seats] for one in bots}
    in_seats = [count for counts in by_seat.values() for count in counts]
    games = [sum(counts) for counts in by_seat.values()]
    met = [figures.met[one, other] for one in bots for other in bots if one < other]
    counts: list[Sequence[Content]] = [
        ["matches of the schedule", found.planned, None],
        ["settled without a game", sum(figures.unplayed.values()), None],
        ["games that an entrant played", *_ends(games)],
        ["games that an entrant played in one seat", *_ends(in_seats)],
        ["games that two entrants played together", *_ends(met)],
    ]
    shown = table(f"Tables of {found.table_size}: how even", ["what", "least", "most"], counts)
    return joined([shown, _not_played(figures), _met(found, met), _of_each(found, figures, due)])


def _not_played(figures: TableFigures) -> Html:
    """Say why numbers of the schedule were settled without a game."""
    causes = sorted(figures.unplayed.items(), key=lambda cause: (-cause[1], cause[0]))
    listed = [tag("li", f"{count} × {cause}") for cause, count in causes[:CAUSES_SHOWN]]
    if len(causes) > CAUSES_SHOWN:
        listed.append(
            tag("li", f"{counted(len(causes) - CAUSES_SHOWN, 'more reason')} in matches.jsonl")
        )
    return tag("ul", *listed) if listed else Html()


def _met(found: StandingsTable, met: list[int]) -> Html:
    """Say how many pairs met how often."""
    return table(
        f"Tables of {found.table_size}: how often two entrants met",
        ["games together", "pairs"],
        [list(pair) for pair in sorted(Counter(met).items())],
    )


def _of_each(found: StandingsTable, figures: TableFigures, due: Mapping[str, int]) -> Html:
    """Return the games of each entrant, what it is short of, its seats and its opponents."""
    seats = range(found.table_size)
    bots = [row.bot.bot_id for row in found.rows]
    rows: list[Sequence[Content]] = []
    for row in found.rows:
        own = row.bot.bot_id
        in_seats = [figures.in_seat(own, seat).games for seat in seats]
        least, most = _ends([figures.met[own, other] for other in bots if other != own])
        games = row.entry.games
        rows.append(
            [
                bot(own, row.bot.display_name),
                *(due[own], games, max(0, due[own] - games)),
                *in_seats,
                *(least, most),
            ]
        )
    return table(
        f"Tables of {found.table_size}: the games of each entrant, and how many in which seat",
        [
            *("bot", "planned", "counted", "short of"),
            *(f"seat {seat}" for seat in seats),
            *("met least", "met most"),
        ],
        rows,
    )


def _ends(counts: list[int]) -> tuple[int, int]:
    return min(counts, default=0), max(counts, default=0)
