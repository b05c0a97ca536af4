"""What came of a tournament: standings, who came in before whom, and who sat where."""

from __future__ import annotations

from kitumaija.server.archive.crosstable import ACROSS_MAX, score
from kitumaija.server.archive.figures import SeatCount, TableFigures
from kitumaija.server.archive.report.html import Figure, Html, bot, joined, table, tag
from kitumaija.server.archive.report.ranges import Scale
from kitumaija.server.archive.standings import decided, decided_by
from kitumaija.server.rating import Rating
from kitumaija.server.tournament.standings import StandingRow, StandingsTable

NORMAL_95 = 1.96
"""How many standard deviations about the mean hold 95 % of a normal distribution."""


def standings_of(found: StandingsTable) -> Html:
    """Return the standings of one table size, each skill with the range it lies in."""
    ratings = [row.entry.rating for row in found.rows]
    scale = Scale.of([(_low(rating), _high(rating)) for rating in ratings])
    ordinals = [f"#{place}" for place in range(1, found.table_size + 1)]
    head = ["rank", "bot", "owner", *decided_by(found), "mu", "95 % of what is believed of it", ""]
    head += ["mu − 3 sigma", "games", *ordinals, "mean place", "forfeits", "state"]
    return table(
        f"Tables of {found.table_size}: {found.rated} of {found.planned} matches are rated",
        head,
        [_standing(row, found.table_size, scale) for row in found.rows],
    )


def against(found: StandingsTable, figures: TableFigures) -> Html:
    """Return who came in before whom, as often as they met."""
    if len(found.rows) > ACROSS_MAX:
        return tag(
            "p", f"Tables of {found.table_size}: {len(found.rows)} entrants; see crosstable.csv."
        )
    bots = [row.bot.bot_id for row in found.rows]
    return table(
        f"Tables of {found.table_size}: before – level – behind the bot of the column",
        ["bot", *(tag("abbr", str(at), title=other) for at, other in enumerate(bots, start=1))],
        [
            [
                joined([f"{at}. ", bot(row.bot.bot_id, row.bot.display_name)]),
                *(score(figures, row.bot.bot_id, other) for other in bots),
            ]
            for at, row in enumerate(found.rows, start=1)
        ],
    )


def seats(found: StandingsTable, figures: TableFigures) -> Html:
    """Return how each did in each seat, and what a seat is worth."""
    numbers = range(found.table_size)
    rows = [
        [
            bot(row.bot.bot_id, row.bot.display_name),
            *(_seat(figures.seats.get((row.bot.bot_id, seat))) for seat in numbers),
        ]
        for row in found.rows
    ]
    everybody = [
        _seat(_sum([count for (_, at), count in figures.seats.items() if at == seat]))
        for seat in numbers
    ]
    return table(
        f"Tables of {found.table_size}: mean place in each seat (games); seat 0 begins",
        ["bot", *(f"seat {seat}" for seat in numbers)],
        [*rows, [tag("b", "everybody"), *everybody]],
    )


def _standing(row: StandingRow, table_size: int, scale: Scale) -> list[str | int | None]:
    entry, rating = row.entry, row.entry.rating
    mean = entry.mean_place
    return [
        row.rank,
        bot(row.bot.bot_id, row.bot.display_name),
        tag("bdi", row.bot.owner),
        *decided(row),
        _number(rating.mu),
        f"{_low(rating):.2f} to {_high(rating):.2f}",
        scale.drawn(rating.mu, _low(rating), _high(rating)),
        _number(rating.score),
        entry.games,
        *(*entry.places, *[0] * (table_size - len(entry.places))),
        None if mean is None else _number(float(mean)),
        entry.forfeits,
        row.state.value,
    ]


def _seat(count: SeatCount | None) -> str | None:
    return f"{count.places / count.games:.2f} ({count.games})" if count and count.games else None


def _sum(counts: list[SeatCount]) -> SeatCount:
    return SeatCount(
        sum(count.games for count in counts),
        sum(count.places for count in counts),
        sum(count.firsts for count in counts),
    )


def _number(value: float) -> Figure:
    return Figure(f"{value:.2f}")


def _low(rating: Rating) -> float:
    return rating.mu - NORMAL_95 * rating.sigma


def _high(rating: Rating) -> float:
    return rating.mu + NORMAL_95 * rating.sigma
