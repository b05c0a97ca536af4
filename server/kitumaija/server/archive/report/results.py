"""What came of a tournament: standings, who came in before whom, and who sat where."""

from __future__ import annotations

from collections import Counter

from kitumaija.console.text import counted
from kitumaija.server.archive.crosstable import ACROSS_MAX, score
from kitumaija.server.archive.figures import SeatCount, TableFigures
from kitumaija.server.archive.report.bars import legend, stacked
from kitumaija.server.archive.report.html import Content, Figure, Html, bot, joined, table, tag
from kitumaija.server.archive.report.ranges import Scale
from kitumaija.server.archive.standings import decided, decided_by
from kitumaija.server.rating import Rating
from kitumaija.server.store.rows import EntrantState
from kitumaija.server.tournament.standings import StandingRow, StandingsTable

NORMAL_95 = 1.96
"""How many standard deviations about the mean hold 95 % of a normal distribution."""

_SCORE = Html("mu −&nbsp;3&nbsp;sigma")


def standings_of(found: StandingsTable) -> Html:
    """Return the standings of one table size, each skill with the range it lies in."""
    ratings = [row.entry.rating for row in found.rows]
    scale = Scale.of([(_low(rating), _high(rating)) for rating in ratings])
    ordinals = [f"#{place}" for place in range(1, found.table_size + 1)]
    head: list[Content] = ["rank", "bot", *decided_by(found), _SCORE, "mu"]
    head += ["95 % of what is believed of it", "drawn", "games", *ordinals]
    states = any(row.state is not EntrantState.ENTERED for row in found.rows)
    head += ["mean place", "forfeits", *(["state"] if states else []), "owner"]
    return table(
        f"Tables of {found.table_size}: {found.rated} of "
        f"{counted(found.planned, 'match is', 'matches are')} rated",
        head,
        [_standing(row, found.table_size, scale, states=states) for row in found.rows],
        named=1,
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
    bots = [row.bot for row in found.rows]
    rows = [
        [
            bot(one.bot_id, one.display_name),
            *(_seat([figures.in_seat(one.bot_id, seat)], found.table_size) for seat in numbers),
        ]
        for one in bots
    ]
    everybody = [
        _seat([figures.in_seat(one.bot_id, seat) for one in bots], found.table_size)
        for seat in numbers
    ]
    shown = table(
        f"Tables of {found.table_size}: how often in which place, seat by seat, of the games "
        "played to the end; below, the mean place. Seat 0 begins",
        ["bot", *(f"seat {seat}" for seat in numbers)],
        [*rows, [tag("b", "everybody"), *everybody]],
    )
    return joined([legend(found.table_size), shown])


def games(found: StandingsTable, figures: TableFigures) -> Html:
    """Return what came of each one's games, forfeits apart from skill."""
    numbers = range(found.table_size)
    rows: list[list[Content]] = []
    for row in found.rows:
        entry = row.entry
        counts = [figures.in_seat(row.bot.bot_id, seat) for seat in numbers]
        ended = sum((count.by_place for count in counts), Counter[int]())
        rows.append(
            [
                bot(row.bot.bot_id, row.bot.display_name),
                entry.games,
                ended.total(),
                entry.forfeits - entry.absences,
                entry.absences,
                stacked(ended, found.table_size),
                _number(_mean(ended)) if ended else None,
            ]
        )
    shown = table(
        f"Tables of {found.table_size}: games that count, and the places of those played to the "
        "end",
        [
            *("bot", "games", "to the end", "forfeited", "did not come"),
            *("places when played to the end", "their mean"),
        ],
        rows,
    )
    return joined([legend(found.table_size), shown])


def _standing(
    row: StandingRow, table_size: int, scale: Scale, *, states: bool
) -> list[str | int | None]:
    entry, rating = row.entry, row.entry.rating
    mean = entry.mean_place
    return [
        row.rank,
        bot(row.bot.bot_id, row.bot.display_name),
        *map(Figure, decided(row)),
        _number(rating.score),
        _number(rating.mu),
        f"{_low(rating):z.2f} to {_high(rating):z.2f}",
        scale.drawn(rating.mu, _low(rating), _high(rating)),
        entry.games,
        *(*entry.places, *[0] * (table_size - len(entry.places))),
        None if mean is None else _number(float(mean)),
        entry.forfeits,
        *([row.state.value] if states else []),
        tag("bdi", row.bot.owner),
    ]


def _seat(counts: list[SeatCount], table_size: int) -> Html | None:
    ended = sum((count.by_place for count in counts), Counter[int]())
    if not ended:
        return None
    return joined([stacked(ended, table_size), tag("small", f"{_mean(ended):.2f}")])


def _mean(places: Counter[int]) -> float:
    return sum(place * count for place, count in places.items()) / places.total()


def _number(value: float) -> Figure:
    return Figure(f"{value:z.2f}")


def _low(rating: Rating) -> float:
    return rating.mu - NORMAL_95 * rating.sigma


def _high(rating: Rating) -> float:
    return rating.mu + NORMAL_95 * rating.sigma
