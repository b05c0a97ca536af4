"""Signs of collusion at tables of three and more: pairs that help each other beyond chance.

Two bots of a table that hold together come in before the others more often than they do apart. For
each pair this is measured in both directions, tested with the sets as atoms, and corrected for the
many pairs that are looked at. `server/docs/ratings.md` says it in words. What is found is a reason
to look at the games, and no proof.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any

import numpy as np

from kitumaija.server.rating.collusion.together import Together, without
from kitumaija.server.rating.fit.comparisons import Comparisons, Floats, Indices
from kitumaija.server.rating.fit.model import POINTS, strengths
from kitumaija.server.rating.fit.student import quantile
from kitumaija.server.rating.results import RatedResult

__all__ = [
    "BOTS_MAX",
    "FLIPS",
    "RATE",
    "SEATS_MIN",
    "WARNING",
    "Help",
    "PairHelp",
    "find",
    "look",
    "pair_as_dict",
    "percent",
]

RATE = 0.05
"""How often at most a tournament of innocent bots has any pair that stands out."""

FLIPS = 4_999
"""How many other tournaments that might have been are drawn."""

SEATS_MIN = 3
"""With two at a table there is nobody whom they could hold together against."""

BOTS_MAX = 200
"""With more bots there are too many pairs to look at all of them."""

WARNING = (
    "An indicator is no proof. A pair that stands out did better against the others when both sat "
    "at one table than chance explains. Bots that hold together do so; so may two styles that suit "
    "each other. Read their games before you say anything of anybody."
)

_DOMAIN = b"kitumaija/collusion/v1\x00"
_AT_ONCE = 2_000_000
"""How many numbers are held in one array of draws."""
_LEVEL = 0.95
_CLOSE = 1e-9
"""What is nearer than this is taken for equal, so that no rounding decides."""
_FEWEST = 2
_DIGITS = 6
_LEAST_SHOWN = 0.001
_DIGITS_REACHED = 9


@dataclass(frozen=True, slots=True)
class Help:
    """Help as points: by how much stronger it made somebody, with its 95 % interval.

    Infinite ends where too few sets say anything.
    """

    points: float
    low: float
    high: float
    sure: bool
    """Whether it is more than chance makes of no help, at 95 % and for this one alone."""


@dataclass(frozen=True, slots=True)
class PairHelp:
    """What two bots do for each other when both sit at one table.

    `together` are the sets that they played together. `chance` is the probability that innocent
    bots, none of whom helps another, have any pair that looks as much like helping as this one.
    """

    one: str
    other: str
    together: int
    both: Help
    of_one: Help
    of_other: Help
    chance: float

    @property
    def stands_out(self) -> bool:
        """Whether the pair is named: it is beyond chance, and so is each one's own advantage."""
        return self.chance <= RATE and self.of_one.sure and self.of_other.sure


def find(
    results: Iterable[RatedResult], *, table_size: int, seed: bytes, tables: int = 1
) -> tuple[PairHelp, ...]:
    """Look for pairs that help each other; the most striking first.

    `tables` is how many table sizes of a tournament are looked at: the rate holds for all of them
    together. The draws follow from `seed`. The results may come in any order. Raises ValueError
    for tables of two, and for more than BOTS_MAX bots.
    """
    if table_size < SEATS_MIN:
        raise ValueError(
            f"got tables of {table_size}, wanted at least {SEATS_MIN}: two alone at a table have "
            "nobody to hold together against"
        )
    comparisons = Comparisons.of(results)
    if len(comparisons.bots) > BOTS_MAX:
        raise ValueError(f"got {len(comparisons.bots)} bots, wanted at most {BOTS_MAX}")
    return look(comparisons, seed=seed + table_size.to_bytes(1, "little"), tables=tables)


def look(
    comparisons: Comparisons, *, seed: bytes, tables: int = 1, flips: int = FLIPS
) -> tuple[PairHelp, ...]:
    """Look for pairs that help each other, by what `comparisons` say; see `find`.

    Where two hold together, others do better wherever those do not both sit. So the sets of a pair
    that stands out are laid aside, and the rest is looked at anew, until nobody stands out.
    """
    named: list[PairHelp] = []
    while len(comparisons.met):
        found = _looked_at(comparisons, seed=seed, tables=tables, flips=flips)
        striking = next((pair for pair in found if pair.stands_out), None)
        if striking is None:
            return (*named, *found)
        named.append(striking)
        comparisons = without(comparisons, striking.one, striking.other)
    return tuple(named)


def _looked_at(
    comparisons: Comparisons, *, seed: bytes, tables: int, flips: int
) -> tuple[PairHelp, ...]:
    """Every pair of whom something can be said, the most striking first."""
    together = Together.of(comparisons, strengths(comparisons))
    pairs = together.pairs()
    if not len(pairs):
        return ()
    by_set = [together.by_set(a, b) for a, b in pairs.tolist()]
    spread = np.sqrt([float(np.square(said).sum()) for said in by_set])
    spread[spread == 0] = 1
    # To so many digits that another machine finds the same order.
    reached = np.round(np.array([said.sum() for said in by_set]) / spread, _DIGITS_REACHED)
    drawn = _chances(together, pairs, spread=spread, reached=reached, seed=seed, flips=flips)
    chance = np.minimum(1, tables * drawn)
    order = sorted(range(len(pairs)), key=lambda at: (chance[at], -reached[at], at))
    return tuple(_pairs(comparisons, together, pairs, by_set=by_set, chance=chance, order=order))


def _pairs(
    comparisons: Comparisons,
    together: Together,
    pairs: Indices,
    *,
    by_set: list[Floats],
    chance: Floats,
    order: list[int],
) -> Iterator[PairHelp]:
    for at in order:
        a, b = pairs[at].tolist()
        of_one, of_other = float(together.information[a, b]), float(together.information[b, a])
        yield PairHelp(
            one=comparisons.bots[a],
            other=comparisons.bots[b],
            together=len(np.intersect1d(together.sets[a], together.sets[b])),
            both=_help(by_set[at], of_one + of_other),
            of_one=_help(together.scores[a][:, b], of_one),
            of_other=_help(together.scores[b][:, a], of_other),
            chance=float(chance[at]),
        )


def _help(said: Floats, information: float) -> Help:
    """The estimate by one step from no help, and how sure it is, by Student's distribution."""
    points = float(said.sum()) / information * POINTS
    squares = np.square(said)
    total = float(squares.sum())
    alike = int(total**2 / float(np.square(squares).sum())) if total else 0
    if alike < _FEWEST:
        return Help(points, float("-inf"), float("inf"), sure=False)
    freedom = alike - 1
    deviation = sqrt(total * alike / freedom) / information * POINTS
    reach = deviation * quantile((1 - _LEVEL) / 2, freedom)
    sure = points > deviation * quantile(1 - _LEVEL, freedom)
    return Help(points, points - reach, points + reach, sure=sure)


def _chances(
    together: Together,
    pairs: Indices,
    *,
    spread: Floats,
    reached: Floats,
    seed: bytes,
    flips: int,
) -> Floats:
    """How likely the most striking of innocent pairs reaches as far, pair by pair, step by step.

    Each set's sign is drawn: without help, what it says of a pair is as likely to be for as
    against it. The draw is the same for all pairs, so that what pairs have in common is kept.
    """
    sets = max(int(of.max(initial=-1)) for of in together.sets) + 1
    bits = np.random.PCG64(int.from_bytes(hashlib.sha256(_DOMAIN + seed).digest(), "little"))
    # From the least striking up: a pair is held against itself and those below it.
    order = np.argsort(reached, kind="stable")
    a, b = pairs[order].T
    beyond = np.zeros(len(pairs))
    at_once = max(1, _AT_ONCE // max(len(together.sets) ** 2, sets))
    for first in range(0, flips, at_once):
        signs = _signs(bits, min(at_once, flips - first), sets)
        drawn = np.stack(
            [
                signs[:, of] @ scores
                for of, scores in zip(together.sets, together.scores, strict=True)
            ]
        )
        sums = (drawn[a, :, b] + drawn[b, :, a]).T / spread[order]
        np.maximum.accumulate(sums, axis=1, out=sums)
        beyond += (sums >= reached[order] - _CLOSE).sum(axis=0)
    found = np.empty(len(pairs))
    # Who is more striking cannot be likelier.
    found[order] = np.maximum.accumulate(((beyond + 1) / (flips + 1))[::-1])[::-1]
    return found


def _signs(bits: np.random.PCG64, rows: int, columns: int) -> Floats:
    """Draw signs, each −1 or 1, as (rows, columns); how many rows at once changes none."""
    words = -(-columns // 64)
    raw = np.asarray(bits.random_raw(rows * words), dtype="<u8").reshape(rows, words)
    drawn = np.unpackbits(raw.view(np.uint8), axis=1, bitorder="little")[:, :columns]
    signs: Floats = 2.0 * drawn.astype(np.float64) - 1.0
    return signs


def pair_as_dict(pair: PairHelp) -> dict[str, Any]:
    """Return a pair as JSON values, numbers to six digits; what is infinite is null."""
    return {
        "bot_ids": [pair.one, pair.other],
        "sets_together": pair.together,
        "help": _help_as_dict(pair.both),
        "help_of_each": [_help_as_dict(pair.of_one), _help_as_dict(pair.of_other)],
        "chance": pair.chance,
        "stands_out": pair.stands_out,
    }


def percent(chance: float) -> str:
    """Return a chance in per cent, for people; none is shown as impossible."""
    return f"{100 * chance:.1f} %" if chance >= _LEAST_SHOWN else f"< {100 * _LEAST_SHOWN:.1f} %"


def _help_as_dict(found: Help) -> dict[str, Any]:
    ends = [round(end, _DIGITS) if isfinite(end) else None for end in (found.low, found.high)]
    return {"points": round(found.points, _DIGITS), "low": ends[0], "high": ends[1]}
