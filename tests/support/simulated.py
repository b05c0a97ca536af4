"""Tournaments of bots whose strength is known, by the thousand: what the ratings are measured on.

A tournament is a number of rounds; in each every bot sits at one table, drawn at random, and each
table plays a set: as many matches as it has seats. A *world* says how matches end. The truth that
an estimate is held against is what the fit would give after infinitely many such tournaments: in
the world `luce` the bots' own strengths; in the others, where the model is wrong, those closest to
them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from statistics import NormalDist
from typing import TypeAlias

import numpy as np

from kitumaija.server.rating.fit.comparisons import Comparisons, Floats, Indices
from kitumaija.server.rating.fit.model import solve

Random: TypeAlias = np.random.Generator

MOOD = 0.7
"""How much a bot's form differs from set to set in the world `moods`, as a logarithm of odds."""


@dataclass(frozen=True)
class World:
    """How matches end, for bots whose strengths differ.

    `scores` draws how well each did: of strengths (sets, 1, seats) and the number of matches a set
    it makes (sets, matches, seats); who has more came in before. `share` is how often a bot comes
    in before another, by the difference of their strengths.
    """

    scores: Callable[[Random, Floats, int], Floats]
    share: Callable[[Floats], Floats]


def _logistic(gap: Floats) -> Floats:
    shares: Floats = 1 / (1 + np.exp(-gap))
    return shares


def _luce(rng: Random, strengths: Floats, matches: int) -> Floats:
    sets, _, seats = strengths.shape
    scores: Floats = strengths + rng.gumbel(size=(sets, matches, seats))
    return scores


def _moods(rng: Random, strengths: Floats, matches: int) -> Floats:
    return _luce(rng, strengths + MOOD * rng.standard_normal(strengths.shape), matches)


def _moods_share(gap: Floats) -> Floats:
    # The difference of two forms is normal: Gauss and Hermite's rule takes the mean over it.
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    each = _logistic(gap[..., None] + MOOD * 2**0.5 * nodes)
    shares: Floats = each @ (weights / weights.sum())
    return shares


_BELL_DEVIATION = pi / 6**0.5


def _bell(rng: Random, strengths: Floats, matches: int) -> Floats:
    sets, _, seats = strengths.shape
    scores: Floats = strengths + _BELL_DEVIATION * rng.standard_normal((sets, matches, seats))
    return scores


def _bell_share(gap: Floats) -> Floats:
    normal = NormalDist(0, _BELL_DEVIATION * 2**0.5)
    shares: Floats = np.vectorize(normal.cdf, otypes=[float])(gap)
    return shares


WORLDS = {
    "luce": World(_luce, _logistic),
    "bell": World(_bell, _bell_share),
    "moods": World(_moods, _moods_share),
}
"""`luce`: Plackett and Luce's, in which the model is right. `bell`: normal luck. `moods`: a bot's
form stays the same through a set, so that its matches are no independent evidence."""


@dataclass(frozen=True, eq=False)
class Simulated:
    """A simulated tournament: what is true of each bot, and what its matches say."""

    truth: Floats
    comparisons: Comparisons


def simulate(
    rng: Random,
    world: World,
    strengths: Floats,
    *,
    seats: int,
    rounds: int,
    blur: float | None = None,
) -> Simulated:
    """Play a tournament of bots of these strengths in a world.

    With a `blur` it is known too what the cards were worth: who would have come where by the luck
    of the match and so many times as much other luck.
    """
    tables = draw_tables(rng, len(strengths), seats=seats, rounds=rounds)
    skills = strengths[tables][:, None, :]
    scores = world.scores(rng, skills, seats)
    worth: Floats | None = None
    if blur is not None:
        alone = scores - skills + blur * rng.gumbel(size=scores.shape)
        worth = 1 + (-alone).argsort(axis=2).argsort(axis=2).astype(np.float64)
    truth = nearest(world.share(np.subtract.outer(strengths, strengths)))
    return Simulated(truth, compare(tables, scores, bots=len(strengths), worth=worth))


def draw_tables(rng: Random, bots: int, *, seats: int, rounds: int) -> Indices:
    """Seat all bots at tables, round after round: (tables, seats)."""
    if bots % seats:
        raise ValueError(f"{bots} bots do not fill tables of {seats}")
    shuffled = rng.permuted(np.tile(np.arange(bots), (rounds, 1)), axis=1)
    return shuffled.reshape(-1, seats)


def compare(
    tables: Indices, scores: Floats, *, bots: int, worth: Floats | None = None
) -> Comparisons:
    """What sets say: tables (sets, seats) with scores (sets, matches, seats), more being better.

    `worth` are the places that the cards make by themselves, alike.
    """
    sets, matches, seats = scores.shape
    one, other = np.triu_indices(seats, 1)
    gaps = scores[..., one] - scores[..., other]
    before = ((gaps > 0) + (gaps == 0) / 2).sum(axis=1)
    a, b = tables[:, one], tables[:, other]
    swapped = a > b
    before = np.where(swapped, matches - before, before)
    luck = np.zeros_like(before)
    if worth is not None:
        luck = (worth[..., other] - worth[..., one]).sum(axis=1) / seats
        luck = np.where(swapped, -luck, luck)
    a, b = np.where(swapped, b, a), np.where(swapped, a, b)
    of_set = np.broadcast_to(np.arange(sets)[:, None], a.shape)
    keys = np.stack([a.ravel(), b.ravel(), of_set.ravel()], axis=1)
    order = np.lexsort(keys.T[::-1])
    return Comparisons.from_entries(
        tuple(f"bot-{bot:02}" for bot in range(bots)),
        sets,
        keys[order],
        np.full(len(order), float(matches)),
        before.ravel()[order],
        luck=luck.ravel()[order],
        known=np.full(sets, worth is not None),
    )


def nearest(shares: Floats) -> Floats:
    """The strengths that come closest to how often each comes in before each (bots, bots)."""
    bots = len(shares)
    a, b = np.triu_indices(bots, 1)
    keys = np.stack([a, b, np.zeros_like(a)], axis=1)
    # So many matches that the prior weighs nothing.
    met = np.full(len(a), 1e9)
    names = tuple(f"bot-{bot:02}" for bot in range(bots))
    all_pairs = Comparisons.from_entries(names, 1, keys, met, met * shares[a, b])
    start = np.zeros((1, bots))
    met, before = all_pairs.totals(np.ones((1, 1)))
    found: Floats = solve(all_pairs, met, before, start, start, close=1e-9)[0]
    return found
