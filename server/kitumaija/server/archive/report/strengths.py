"""The fit of all results at once, which stands beside the official table."""

from __future__ import annotations

from collections.abc import Mapping

from kitumaija.console.text import counted
from kitumaija.server.archive.crosstable import ACROSS_MAX
from kitumaija.server.archive.figures import FITTED_MAX, TableFigures
from kitumaija.server.archive.report.html import (
    Content,
    Figure,
    Html,
    Sure,
    bot,
    joined,
    table,
    tag,
)
from kitumaija.server.archive.report.ranges import Scale, range_of
from kitumaija.server.rating.fit import LEVEL, Fit, Fitted, fit
from kitumaija.server.store.rows import BotRow
from kitumaija.server.tournament.standings import StandingsTable

_FEWEST = 2


def fitted(
    found: StandingsTable, figures: TableFigures, seed: bytes, bots: Mapping[str, BotRow]
) -> Html:
    """Return the strengths of one table size with their ranges, and who is not told apart."""
    if figures.results is None:
        return tag(
            "p",
            f"Tables of {found.table_size}: more than {FITTED_MAX} matches, which are not fitted "
            "here; `kitumaija ratings fit` does it.",
        )
    entrants = [row.bot.bot_id for row in found.rows]
    made = fit(entrants, figures.results, table_size=found.table_size, seed=seed)
    scale = Scale.of([(row.low, row.high) for row in made.rows])
    shown = table(
        f"Tables of {found.table_size}: strength in points about the mean, from "
        f"{counted(made.sets, 'set')}",
        ["rank", "bot", "strength", "95 % interval", "drawn", "rank, 95 %", "sets"],
        [_row(row, bots[row.bot_id], scale) for row in made.rows],
        named=1,
    )
    alike = [tag("li", f"not told apart: {', '.join(group)}") for group in made.alike]
    if made.unfitted:
        alike.append(tag("li", f"nothing is known of: {', '.join(made.unfitted)}"))
    return joined([shown, tag("ul", *alike) if alike else "", _above(found, made, bots)])


def _above(found: StandingsTable, made: Fit, bots: Mapping[str, BotRow]) -> Html:
    """Return how surely each bot is stronger than each other."""
    if len(made.rows) > ACROSS_MAX or len(made.rows) < _FEWEST:
        return Html()
    names = [row.bot_id for row in made.rows]
    return table(
        f"Tables of {found.table_size}: how surely the bot of the row is stronger than that of the "
        f"column, in per cent; marked from {100 * LEVEL:.0f} % on",
        ["bot", *(tag("abbr", str(at), title=name) for at, name in enumerate(names, start=1))],
        [
            [
                joined([f"{at}. ", bot(name, bots[name].display_name)]),
                *(
                    Figure("×") if other == name else _chance(chance)
                    for other, chance in zip(names, chances, strict=True)
                ),
            ]
            for at, (name, chances) in enumerate(zip(names, made.above, strict=True), start=1)
        ],
    )


def _chance(chance: float) -> Figure:
    """A chance in per cent; none is shown as certain."""
    shown = f"{100 * min(max(chance, 0.001), 0.999):.1f}"
    return Sure(shown) if chance >= LEVEL else Figure(shown)


def _row(row: Fitted, who: BotRow, scale: Scale) -> list[Content]:
    ranks = str(row.best) if row.best == row.worst else f"{row.best}–{row.worst}"
    return [
        row.rank,
        bot(who.bot_id, who.display_name),
        Figure(f"{row.strength:+z.0f}"),
        range_of(row.low, row.high),
        scale.drawn(row.strength, row.low, row.high),
        ranks,
        row.sets,
    ]
