"""The batch fit: all results of a tournament at once, free of their order.

It stands beside the official ratings, which go through the results one by one. What it computes is
a function of the results, the entrants and the schedule's seed, and says how sure it is.
`server/docs/ratings.md` says it in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kitumaija.server.rating.fit.beliefs import LEVEL, Beliefs, believe, groups
from kitumaija.server.rating.fit.comparisons import NO_CARDS, Cards, Comparisons
from kitumaija.server.rating.fit.luck import Luck, without_luck
from kitumaija.server.rating.fit.model import POINTS, strengths
from kitumaija.server.rating.fit.resampling import REPLICATES, replicates
from kitumaija.server.rating.fit.tallies import Tally, tallies
from kitumaija.server.rating.fit.widening import support
from kitumaija.server.rating.results import RatedResult

__all__ = ["LEVEL", "POINTS", "REPLICATES", "Cards", "Fit", "Fitted", "Luck", "Tally", "fit"]

_DIGITS = 6
"""Strengths that agree to so many digits after the point share a rank."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """One bot of the fit. Strengths are points about the mean of all that are fitted.

    `low` and `high` bound the strength, infinite where nothing can be said; `best` and `worst`
    bound the rank. `sets` counts the sets that say anything of it.
    """

    rank: int
    bot_id: str
    strength: float
    low: float
    high: float
    best: int
    worst: int
    sets: int


@dataclass(frozen=True, slots=True)
class Fit:
    """The fit of one table size, best first.

    `above[i][j]` is the chance that the bot of row i is stronger than that of row j. `alike` holds
    the groups of rows, by bot id, that cannot be told apart. `unfitted` names those entrants of
    whom no game says anything. `tallies` has all entrants.
    `luck` is what the cards did, and was taken out; None where nothing of it is known.
    """

    rows: tuple[Fitted, ...]
    above: tuple[tuple[float, ...], ...]
    alike: tuple[tuple[str, ...], ...]
    unfitted: tuple[str, ...]
    tallies: dict[str, Tally]
    sets: int
    luck: Luck | None = None


def fit(
    entrants: Iterable[str],
    results: Iterable[RatedResult],
    *,
    table_size: int,
    seed: bytes,
    count: int = REPLICATES,
    cards: Cards = NO_CARDS,
) -> Fit:
    """Fit all results of one table size at once, with `count` replicates drawn from `seed`.

    With `cards`, which say what the cards were worth, their luck is taken out beforehand. The
    results may come in any order; a number comes once. Raises ValueError for one that comes twice,
    and for a bot that is no entrant.
    """
    everybody = sorted(set(entrants), key=str.encode)
    taken = list(results)
    if strangers := {bot for result in taken for bot in (*result.seats, *result.absent)} - set(
        everybody
    ):
        raise ValueError(f"{sorted(strangers)} are no entrants, and have results")
    comparisons = Comparisons.of(taken, cards=cards)
    tallied = tallies(everybody, taken, table_size=table_size)
    if not comparisons.bots:
        return Fit((), (), (), tuple(everybody), tallied, sets=0)
    luck: Luck | None = None
    if comparisons.known.any():
        comparisons, luck = without_luck(comparisons)
    fitted = strengths(comparisons)
    drawn = replicates(comparisons, fitted, seed=_seed(seed, table_size), count=count)
    beliefs = believe(fitted, drawn, support(comparisons, fitted))
    points = [round(float(value) * POINTS, _DIGITS) + 0.0 for value in fitted]
    order = sorted(range(len(points)), key=lambda bot: -points[bot])
    return Fit(
        rows=tuple(_rows(comparisons, points, order, beliefs)),
        above=tuple(tuple(beliefs.above[bot, order].tolist()) for bot in order),
        alike=tuple(
            tuple(comparisons.bots[bot] for bot in run) for run in groups(order, beliefs.apart)
        ),
        unfitted=tuple(bot for bot in everybody if bot not in set(comparisons.bots)),
        tallies=tallied,
        sets=comparisons.sets,
        luck=luck,
    )


def _rows(
    comparisons: Comparisons, points: list[float], order: list[int], beliefs: Beliefs
) -> Iterator[Fitted]:
    rank, bounds = 0, beliefs.ranks
    for position, bot in enumerate(order, start=1):
        if position == 1 or points[bot] != points[order[position - 2]]:
            rank = position
        best, worst = bounds[bot]
        yield Fitted(
            rank=rank,
            bot_id=comparisons.bots[bot],
            strength=points[bot],
            low=float(beliefs.low[bot]) * POINTS,
            high=float(beliefs.high[bot]) * POINTS,
            best=best,
            worst=worst,
            sets=int(comparisons.sets_of[bot]),
        )


def _seed(seed: bytes, table_size: int) -> bytes:
    """The seed of one table size's draws."""
    return seed + table_size.to_bytes(1, "little")
