"""What results say of skill: who came in before whom, pair by pair and set by set.

A *set* is what the statistics treat as one observation: the matches that the same bots played in
the rotations of the seats, as many as there are seats. All matches of a set are kept or weighed
together, so that the luck of a seat, and whatever else they have in common, is no evidence.

What is said of skill is a count of wholes and halves, so that no order of the results can change a
bit; what the cards were worth is summed in the order of the schedule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from kitumaija.server.rating.results import RatedResult

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

Cards: TypeAlias = Mapping[int, Sequence[float]]
"""What the cards alone were worth, by the number of the match: the place of each seat, as
`reference.cards_alone` tells it."""

NO_CARDS: Cards = MappingProxyType({})
"""Nothing is known of the cards."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """All comparisons among `bots`, which stand in the order of their ids' UTF-8 bytes.

    Only bots of whom something is said are among them, and only such sets are counted. `pairs`
    holds the pairs that met as rows (a, b) of indices into `bots`, a < b, ascending. Each entry is
    what one set says of one pair: `of_set`, `of_pair`, how often they met in it, `met`, and how
    often a came in before b, `before`, where a shared place is half. Entries are ordered by pair,
    then by set; `starts` is where each pair's begin. `sets_of` counts the sets of each bot, and
    `bots_in` the bots of each set.

    `luck` is by how much the cards favoured a over b in the set: the places between them that the
    cards alone would have made, over the number of bots. Its mean over all deals is 0, whoever
    plays. `known` says of each set whether it is; where not, it is 0.
    """

    bots: tuple[str, ...]
    sets: int
    pairs: Indices
    of_set: Indices
    of_pair: Indices
    met: Floats
    before: Floats
    luck: Floats
    known: NDArray[np.bool_]
    starts: Indices
    sets_of: Indices
    bots_in: Indices

    @classmethod
    def of(
        cls, results: Iterable[RatedResult], *, whole: bool = False, cards: Cards = NO_CARDS
    ) -> Comparisons:
        """Compare those who played to the end, in the matches of these results.

        With `whole`, only sets count of which all matches are there. With `cards`, their luck is
        noted for the sets in which it is bound to be even in the long run.

        A seat that was forfeited, and a bot that did not come, is compared with nobody: that says
        nothing of how well it plays. Raises ValueError for two results with one number.
        """
        said: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(dict)
        sets = 0
        known: list[bool] = []
        for matches in _sets(results):
            if whole and len(matches) < len(matches[0].seats):
                continue
            compared = [found for result in matches for found in _compared(result)]
            if not compared:
                continue
            for a, b, share in compared:
                entry = said[a, b].setdefault(sets, [0.0, 0.0, 0.0])
                entry[0] += 1
                entry[1] += share
            known.append(_is_even(matches, cards))
            if known[-1]:
                for a, b, favour in _favours(matches, cards):
                    said[a, b][sets][2] += favour
            sets += 1
        bots = sorted({bot for pair in said for bot in pair}, key=str.encode)
        index = {bot: position for position, bot in enumerate(bots)}
        rows = sorted(
            (index[a], index[b], of_set, *entry)
            for (a, b), by_set in said.items()
            for of_set, entry in by_set.items()
        )
        table = np.array(rows, dtype=float).reshape(-1, 6)
        keys = table[:, :3].astype(np.int64)
        met, before, luck = table[:, 3:].T
        return cls.from_entries(
            tuple(bots), sets, keys, met, before, luck=luck, known=np.array(known, dtype=bool)
        )

    @classmethod
    def from_entries(
        cls,
        bots: tuple[str, ...],
        sets: int,
        keys: Indices,
        met: Floats,
        before: Floats,
        *,
        luck: Floats | None = None,
        known: NDArray[np.bool_] | None = None,
    ) -> Comparisons:
        """Make it of entries with the keys (a, b, set), one a row, ascending, none twice."""
        new = np.ones(len(keys), dtype=bool)
        new[1:] = (keys[1:, :2] != keys[:-1, :2]).any(axis=1)
        of_set = keys[:, 2]
        members = np.unique(np.concatenate([of_set, of_set]) * len(bots) + keys[:, :2].T.ravel())
        return cls(
            bots=bots,
            sets=sets,
            pairs=keys[new, :2],
            of_set=of_set,
            of_pair=np.cumsum(new) - 1,
            met=met,
            before=before,
            luck=np.zeros(len(keys)) if luck is None else luck,
            known=np.zeros(sets, dtype=bool) if known is None else known,
            starts=np.flatnonzero(new),
            sets_of=np.bincount(members % max(1, len(bots)), minlength=len(bots)),
            bots_in=np.bincount(members // max(1, len(bots)), minlength=sets),
        )

    def totals(self, weights: Floats) -> tuple[Floats, Floats]:
        """Sum `met` and `before` by pair, each set weighed: weights (…, sets) give (…, pairs)."""
        by_entry = weights[..., self.of_set]
        return (
            np.add.reduceat(by_entry * self.met, self.starts, axis=-1),
            np.add.reduceat(by_entry * self.before, self.starts, axis=-1),
        )

    def by_bot(self, of_entries: Floats) -> Floats:
        """Sum what is a's gain and b's loss by set and bot: (entries) give (sets, bots)."""
        a, b = self.pairs[self.of_pair].T
        of, length = self.of_set * len(self.bots), self.sets * len(self.bots)
        sums = np.bincount(of + a, of_entries, minlength=length)
        sums -= np.bincount(of + b, of_entries, minlength=length)
        found: Floats = sums.reshape(self.sets, len(self.bots)).astype(float, copy=False)
        return found


def set_ends(results: Iterable[RatedResult]) -> list[int]:
    """The last number of each whole set that says anything, ascending.

    Of the numbers before any, so many sets are whole as end before it.
    """
    return sorted(
        matches[-1].number
        for matches in _sets(results)
        if len(matches) == len(matches[0].seats) and any(map(_says_anything, matches))
    )


def _says_anything(result: RatedResult) -> bool:
    return result.forfeited.count(False) > 1


def _sets(results: Iterable[RatedResult]) -> list[list[RatedResult]]:
    """The played results, set by set.

    Of the matches that the same bots came to, in the order of the schedule, the first k are a
    set, and so on: a schedule does not begin the next rotations of a table before it has been
    through one.
    """
    tables: dict[tuple[str, ...], list[RatedResult]] = defaultdict(list)
    numbers: set[int] = set()
    for result in results:
        if result.number in numbers:
            raise ValueError(f"got two results of number {result.number}; wanted one at most")
        numbers.add(result.number)
        if result.played:
            tables[tuple(sorted(result.seats, key=str.encode))].append(result)
    found: list[list[RatedResult]] = []
    for table in sorted(tables, key=lambda ids: [bot_id.encode() for bot_id in ids]):
        ordered = sorted(tables[table], key=lambda result: result.number)
        found += (ordered[at : at + len(table)] for at in range(0, len(ordered), len(table)))
    return found


def _compared(result: RatedResult) -> Iterator[tuple[str, str, float]]:
    stayed = [
        (bot.encode(), bot, place)
        for bot, place, forfeited in zip(result.seats, result.places, result.forfeited, strict=True)
        if not forfeited
    ]
    for (_, a, place_a), (_, b, place_b) in combinations(sorted(stayed), 2):
        yield a, b, 0.5 if place_a == place_b else float(place_a < place_b)


def _is_even(matches: Sequence[RatedResult], cards: Cards) -> bool:
    """Whether every bot sat in every seat once and played to the end, with cards that are known.

    Then what the seats are worth cancels, and no bot is favoured but by chance.
    """
    seats = len(matches[0].seats)
    if len(matches) < seats or not all(result.number in cards for result in matches):
        return False
    seated = {pair for result in matches for pair in enumerate(result.seats)}
    return len(seated) == seats**2 and not any(any(result.forfeited) for result in matches)


def _favours(matches: Sequence[RatedResult], cards: Cards) -> Iterator[tuple[str, str, float]]:
    for result in matches:
        places = [
            (bot.encode(), bot, place)
            for bot, place in zip(result.seats, cards[result.number], strict=True)
        ]
        for (_, a, place_a), (_, b, place_b) in combinations(sorted(places), 2):
            yield a, b, (place_b - place_a) / len(places)
