"""What it does to a bot against the others that another bot is at the table too.

Of bots a and c in a set: by how much a came in before c more often than their strengths say. The
mean of that over the sets at which b sits too, less the mean over those at which it does not, is
what b's presence does for a against c. Each opponent c is its own control: that a likes to play
against c, or that the model misjudges the two, is in both means. Matches of a against b itself are
no part of it: what one of the two wins there the other loses.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from kitumaija.server.rating.fit.comparisons import Comparisons, Floats, Indices
from kitumaija.server.rating.fit.model import chances, surplus

LEAST_INFORMATION = 1e-9
"""Below this there is nothing with which to compare: the two always, or never, sit together."""


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """What each set says of what each bot's presence does for each other.

    By the bot that is helped, a: `sets[a]` are the sets that it sat in, and `scores[a]` is what
    each of them says of each companion's help, as (sets of a, bots), in games. `information[a, b]`
    is how many games of advantage a unit of help, as a logarithm of odds, would have made.
    """

    sets: tuple[Indices, ...]
    scores: tuple[Floats, ...]
    information: Floats

    @classmethod
    def of(cls, comparisons: Comparisons, fitted: Floats) -> Together:
        """Look at every two of the bots, whose strengths are `fitted`."""
        bots = len(comparisons.bots)
        a, b = comparisons.pairs[comparisons.of_pair].T
        chance = chances(comparisons, fitted)[comparisons.of_pair]
        gained = surplus(comparisons, fitted)
        at_table = np.zeros((comparisons.sets, bots), dtype=bool)
        at_table[comparisons.of_set, a] = True
        at_table[comparisons.of_set, b] = True
        entries = _Entries(
            of=np.concatenate([a, b]),
            against=np.concatenate([b, a]),
            of_set=np.concatenate([comparisons.of_set] * 2),
            surplus=np.concatenate([gained, -gained]),
            weight=np.concatenate([comparisons.met * chance * (1 - chance)] * 2),
        )
        order = np.argsort(entries.of, kind="stable")
        ends = np.searchsorted(entries.of[order], np.arange(bots + 1))
        found = [
            _helped(entries, order[ends[bot] : ends[bot + 1]], at_table) for bot in range(bots)
        ]
        return cls(
            sets=tuple(sets for sets, _, _ in found),
            scores=tuple(scores for _, scores, _ in found),
            information=np.array([information for _, _, information in found]),
        )

    def pairs(self) -> Indices:
        """The pairs of whom something can be said, as rows (a, b), a < b."""
        known = self.information > LEAST_INFORMATION
        both = known & known.T
        rows = [(a, b) for a, b in combinations(range(len(both)), 2) if both[a, b]]
        return np.array(rows, dtype=np.int64).reshape(-1, 2)

    def by_set(self, a: int, b: int) -> Floats:
        """What each set says of what the two do for each other: one number for each set that one
        of them sat in."""
        sets = np.union1d(self.sets[a], self.sets[b])
        sums = np.zeros(len(sets))
        sums[np.searchsorted(sets, self.sets[a])] += self.scores[a][:, b]
        sums[np.searchsorted(sets, self.sets[b])] += self.scores[b][:, a]
        return sums


def without(comparisons: Comparisons, one: str, other: str) -> Comparisons:
    """What the sets say at which the two did not both sit."""
    entry_pairs = comparisons.pairs[comparisons.of_pair]
    sits = [
        np.isin(
            np.arange(comparisons.sets),
            comparisons.of_set[(entry_pairs == comparisons.bots.index(bot)).any(axis=1)],
        )
        for bot in (one, other)
    ]
    kept = ~(sits[0] & sits[1])
    entries = kept[comparisons.of_set]
    renumbered = np.cumsum(kept) - 1
    of_set = renumbered[comparisons.of_set[entries]]
    return Comparisons.from_entries(
        comparisons.bots,
        int(kept.sum()),
        np.column_stack([entry_pairs[entries], of_set]),
        comparisons.met[entries],
        comparisons.before[entries],
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Entries:
    """What one set says of one bot against another, both ways round."""

    of: Indices
    against: Indices
    of_set: Indices
    surplus: Floats
    weight: Floats


def _helped(
    entries: _Entries, rows: Indices, at_table: np.ndarray
) -> tuple[Indices, Floats, Floats]:
    """What each companion does for one bot, whose entries these rows are."""
    against, of_set = entries.against[rows], entries.of_set[rows]
    surplus, weight = entries.surplus[rows], entries.weight[rows]
    bots = at_table.shape[1]
    total = np.bincount(against, weight, minlength=bots)
    total[total == 0] = 1
    # How often each companion was there against each opponent, and how well it went on the whole.
    there = at_table[of_set].astype(float)
    share = np.zeros((bots, bots))
    np.add.at(share, against, weight[:, None] * there)
    share /= total[:, None]
    usual = np.bincount(against, surplus, minlength=bots) / total
    more = there - share[against]
    more[np.arange(len(rows)), against] = 0
    sets, place = np.unique(of_set, return_inverse=True)
    scores = np.zeros((len(sets), bots))
    np.add.at(scores, place, more * (surplus - weight * usual[against])[:, None])
    information = (weight[:, None] * more**2).sum(axis=0)
    return sets, scores, information
