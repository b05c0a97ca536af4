"""Pairs that help each other beyond chance, and that this is no proof."""

from __future__ import annotations

from collections.abc import Mapping

from kitumaija.console.text import counted
from kitumaija.server.archive.collusion import Indicators
from kitumaija.server.archive.report.html import (
    Content,
    Figure,
    Html,
    bot,
    html,
    joined,
    table,
    tag,
)
from kitumaija.server.archive.report.ranges import Scale, range_of
from kitumaija.server.rating.collusion import RATE, WARNING, PairHelp, percent
from kitumaija.server.store.rows import BotRow

PAIRS_SHOWN = 10
"""How many of the most striking pairs are shown, beside those that stand out."""


def collusion(indicators: Indicators, bots: Mapping[str, BotRow]) -> Html:
    """Return the pairs of each table size with more than two seats."""
    said = tag(
        "p",
        "By how many points of strength two did better against the others at tables where both "
        f"sat. A pair stands out where that is beyond chance: at most {100 * RATE:.0f} in 100 "
        "tournaments of innocent bots have such a pair.",
    )
    warned = tag("p", tag("strong", WARNING), class_="warning")
    return joined([warned, said, *(_table(*one, bots) for one in indicators.items())])


def _table(size: int, pairs: tuple[PairHelp, ...] | None, bots: Mapping[str, BotRow]) -> Html:
    if pairs is None:
        return tag(
            "p",
            f"Tables of {size}: too many matches or entrants to be looked at here; "
            "`kitumaija ratings collusion` does it for up to 200 entrants.",
        )
    if not pairs:
        return tag("p", f"Tables of {size}: there is nothing to compare.")
    named = [pair for pair in pairs if pair.stands_out]
    others = [pair for pair in pairs if not pair.stands_out]
    shown = [*named, *others[: max(0, PAIRS_SHOWN - len(named))]]
    scale = Scale.of([(pair.both.low, pair.both.high) for pair in shown])
    verdict = "No pair stands out."
    if named:
        verdict = f"Of {counted(len(pairs), 'pair')} {counted(len(named), 'stands', 'stand')} out."
    return joined(
        [
            table(
                f"Tables of {size}: what two bots do for each other, the most striking first",
                [
                    *("one", "other", "verdict", "by chance", "sets together", "help to both"),
                    *("95 % interval", "drawn", "to the one", "to the other"),
                ],
                [_row(pair, bots, scale) for pair in shown],
            ),
            tag("p", verdict),
        ]
    )


def _row(pair: PairHelp, bots: Mapping[str, BotRow], scale: Scale) -> list[Content]:
    both = pair.both
    return [
        bot(pair.one, bots[pair.one].display_name),
        bot(pair.other, bots[pair.other].display_name),
        tag("strong", "stands out") if pair.stands_out else "",
        Figure(html(percent(pair.chance))),
        pair.together,
        Figure(f"{both.points:+z.0f}"),
        range_of(both.low, both.high),
        scale.drawn(both.points, both.low, both.high),
        Figure(f"{pair.of_one.points:+z.0f}"),
        Figure(f"{pair.of_other.points:+z.0f}"),
    ]
