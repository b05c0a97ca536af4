"""How much fewer matches do, where luck is taken out: the rows of the tables of `luck.md`.

The sample bots play sets, on a deal a match and on a deal a set. What is estimated is by how many
places one bot is better than another; how many matches a way to play needs, against independent
matches, is the ratio of the variances that it has from as many matches.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from kitumaija.engine import GameOptions, text_seed
from kitumaija.sdk.arena import Lineup, lineups
from kitumaija.sdk.loading import load
from kitumaija.sdk.local import play_deal
from kitumaija.server.rating import RatedResult
from kitumaija.server.rating.fit.comparisons import Comparisons, Floats, Indices
from kitumaija.server.rating.fit.luck import FOLDS, without_luck
from kitumaija.server.rating.fit.model import strengths
from kitumaija.server.rating.fit.settling import deviations
from kitumaija.server.rating.reference import cards_alone, played_alone

OPTIONS = GameOptions()
_RESAMPLED = 2_000

LADDER = ("smallest", "gambler", "observer", "rememberer")


@dataclass(frozen=True)
class Field:
    """Sets of some sample bots at tables of `seats`; a bot that is named twice is two bots."""

    title: str
    bots: tuple[str, ...]
    seats: int
    sets: int

    @property
    def name(self) -> str:
        """What the row is called, and its seed."""
        return f"gain {self.title} {self.seats}"

    def played(self, *, duplicate: bool) -> list[SetPlayed]:
        """Play the sets."""
        factories = [load(f"sample:{bot}") for bot in self.bots]
        sets = lineups(len(self.bots), self.seats, text_seed(self.name), duplicate=duplicate)
        return [
            SetPlayed(
                lineup,
                tuple(
                    play_deal([factories[bot] for bot in line], deal).places
                    for deal, line in zip(lineup.deals, lineup.rotations, strict=True)
                ),
            )
            for lineup in islice(sets, self.sets)
        ]


@dataclass(frozen=True)
class SetPlayed:
    """A set: who sat where on which deals, and the places by seat of each of its games."""

    lineup: Lineup
    places: tuple[tuple[int, ...], ...]

    @property
    def shared(self) -> Floats:
        """The places by game and seat; those who share one have the mean of those they share."""
        places = np.array(self.places, dtype=float)
        sharing = (places[:, :, None] == places[:, None, :]).sum(axis=2)
        found: Floats = places + (sharing - 1) / 2
        return found

    def by_bot(self, by_seat: Any) -> Floats:
        """What goes by game and seat as (games, bots), the bots in the order of their numbers."""
        order = np.argsort(np.array(self.lineup.rotations), axis=1)
        found: Floats = np.take_along_axis(np.array(by_seat, dtype=float), order, axis=1)
        return found

    def cards(self) -> tuple[tuple[float, ...], ...]:
        """What the cards of each game were worth."""
        return tuple(cards_alone(deal.key, len(self.places), OPTIONS) for deal in self.lineup.deals)


FIELDS = (
    Field("the ladder", LADDER, 2, 240),
    Field("the ladder", LADDER, 4, 120),
    Field("equals", ("rememberer",) * 4, 4, 80),
    Field("the ladder", (*LADDER, *LADDER, "observer", "rememberer"), 10, 60),
)


def measure_gain(field: Field) -> dict[str, Any]:
    """Play a field's sets both ways, and say how many matches each needs against independent ones.

    Each is (share, from, to), the bounds by a bootstrap over sets at 95 %.
    """
    apart, twice = field.played(duplicate=False), field.played(duplicate=True)
    cards = [one.cards() for one in apart]
    leads, count = _leads(apart, [one.shared for one in apart])
    doubled, _ = _leads(twice, [one.shared for one in twice])
    worth, _ = _leads(apart, cards, about_mean=False)
    by_sets, luck = leads.mean(axis=1), worth.mean(axis=1)
    coefficients = _coefficients(by_sets, luck)
    # Taking means off takes some of the scatter away: a degree of freedom a pair.
    independent = ((leads**2).mean(axis=1) + by_sets**2 / (count - 1)).sum(axis=1)
    rng = np.random.Generator(np.random.PCG64(_number(field.name)))
    again, other = (rng.integers(field.sets, size=(_RESAMPLED, field.sets)) for _ in range(2))

    def needed(of_set: Floats, picked: Indices) -> list[float]:
        squares = field.seats * (of_set**2 * count / (count - 1)).sum(axis=1)
        drawn = squares[picked].mean(axis=1) / independent[again].mean(axis=1)
        bounds = np.quantile(drawn, [0.025, 0.975]).tolist()
        return [float(squares.mean() / independent.mean()), *bounds]

    return {
        "matches": field.sets * field.seats,
        "rotations": needed(by_sets, again),
        "reference": needed(by_sets - coefficients[:, None] * luck, again),
        "duplicates": needed(doubled.mean(axis=1), other),
        "coefficient": float(coefficients.mean()),
        "by_the_fit": _by_the_fit(apart, cards),
    }


def _by_the_fit(apart: list[SetPlayed], cards: list[Any]) -> float:
    """The variance of the differences of strengths with the luck taken out, against without."""
    games = [
        (line, places, worth)
        for one, by_game in zip(apart, cards, strict=True)
        for line, places, worth in zip(one.lineup.rotations, one.places, by_game, strict=True)
    ]
    results = [
        RatedResult(number, tuple(map(str, line)), places, (False,) * len(line))
        for number, (line, places, _) in enumerate(games)
    ]
    known = {number: worth for number, (_, _, worth) in enumerate(games)}
    said = Comparisons.of(results, cards=known)
    left, _ = without_luck(said)
    before, after = ((deviations(of, strengths(of)) ** 2).sum() for of in (said, left))
    return float(after / before)


@dataclass(frozen=True)
class Reference:
    """How a reference could play: how many turns of each seat it is played for."""

    seats: int
    sets: int

    @property
    def name(self) -> str:
        """What the row is called, and its seed."""
        return f"reference {self.seats}"


REFERENCES = (Reference(2, 150), Reference(4, 60), Reference(10, 8))
TURNS_TRIED = (5, 10, 20, 40)
PLAYOUTS_TRIED = (1, 4, 16)
_MOST = max(PLAYOUTS_TRIED)


def measure_references(row: Reference) -> dict[str, Any]:
    """Say what share of the scatter of single matches each reference explains, and what it costs.

    The shares are by turns and by playouts, in the order of what was tried; the CPU time of one
    playout is in milliseconds.
    """
    field = Field("reference", (LADDER * 3)[: max(4, row.seats)], row.seats, row.sets)
    played = field.played(duplicate=False)
    places = _scatter(played, [one.shared for one in played])
    explained, cost = [], []
    for turns in TURNS_TRIED:
        begun = time.process_time()
        games = np.array(
            [
                [
                    list(islice(played_alone(deal.key, row.seats, OPTIONS, turns=turns), _MOST))
                    for deal in one.lineup.deals
                ]
                for one in played
            ]
        )
        cost.append(1000 * (time.process_time() - begun) / games[..., 0].size)
        worth = [_scatter(played, games[:, :, :few].mean(axis=2)) for few in PLAYOUTS_TRIED]
        explained.append([_explained(places, luck) for luck in worth])
    return {"matches": row.sets * row.seats, "explained": explained, "cost": cost}


def _scatter(played: list[SetPlayed], by_seat: Sequence[Any]) -> Floats:
    """The places by game and bot, less the mean of the bot and that of its seat."""
    bots = np.array([sorted(one.lineup.rotations[0]) for one in played])[:, None, :]
    seats = np.array([np.argsort(one.lineup.rotations, axis=1) for one in played])
    values = np.array([one.by_bot(of) for one, of in zip(played, by_seat, strict=True)])
    bots = np.broadcast_to(bots, values.shape)
    for group in (bots, seats):
        sums, sizes = np.bincount(group.ravel(), values.ravel()), np.bincount(group.ravel())
        values = values - (sums / np.maximum(sizes, 1))[group]
    return values


def _explained(outcome: Floats, luck: Floats) -> float:
    """The share of the squares of `outcome` that a multiple of `luck` takes away."""
    return float((outcome * luck).sum() ** 2 / ((outcome**2).sum() * (luck**2).sum()))


def _leads(
    played: list[SetPlayed], by_seat: Sequence[Any], *, about_mean: bool = True
) -> tuple[Floats, Floats]:
    """By how many places one bot of each pair came in before the other: (sets, games, pairs).

    It is about the mean of the two bots, if that is not known to be 0. The second value says in how
    many sets they met, by set and pair.
    """
    values = np.array([one.by_bot(of) for one, of in zip(played, by_seat, strict=True)])
    bots = np.array([sorted(one.lineup.rotations[0]) for one in played])
    a, b = np.triu_indices(bots.shape[1], 1)
    leads = values[:, :, b] - values[:, :, a]
    _, pairs = np.unique(bots[:, a] * bots.size + bots[:, b], return_inverse=True)
    pairs = pairs.reshape(len(played), -1)
    count = np.bincount(pairs.ravel())[pairs].astype(float)
    if about_mean:
        sums = np.bincount(pairs.ravel(), leads.mean(axis=1).ravel())
        leads = leads - (sums[pairs] / count)[:, None, :]
    return leads, count


def _coefficients(outcome: Floats, luck: Floats) -> Floats:
    """The coefficient of each set, from the sets of the other folds."""
    fold = np.arange(len(outcome)) % FOLDS
    found = np.empty(len(outcome))
    for part in range(FOLDS):
        others = fold != part
        found[~others] = (outcome * luck)[others].sum() / (luck**2)[others].sum()
    return found


def _number(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest(), "little")
