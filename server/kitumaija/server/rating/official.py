"""The official update: TrueSkill made fair to ties and free of the order of its input.

In a free-for-all the package compares neighbours only, and so chains tied players one after the
other: the first and the last of three equals come out a little apart from the middle one. Here the
players are given in a canonical order, the update is taken once more with every tied group
reversed, and the mean of both counts. Equals in a tied group get their common mean.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby

from kitumaija.server.rating.backend import Rating, rate

TAU = 0.0
"""Nothing is forgotten between two matches of a tournament."""


def update(
    ratings: Sequence[Rating], ranks: Sequence[int], ids: Sequence[str]
) -> tuple[Rating, ...]:
    """The ratings after one match, in the order they are given.

    `ranks` are places, the lower the better, equal ones tied; `ids` are the entrants' and give the
    order among those who are tied, by their UTF-8 bytes. With fewer than two players nothing
    changes. Raises ValueError if the three differ in length or an id comes twice, and
    NotComputable as `rate` does.
    """
    if not len(ratings) == len(ranks) == len(ids) == len(set(ids)):
        raise ValueError(
            f"got {len(ratings)} ratings, {len(ranks)} ranks and the ids {list(ids)}; wanted one "
            f"of each for every player, and no id twice"
        )
    if len(ratings) < 2:
        return tuple(ratings)
    order = sorted(range(len(ids)), key=lambda player: (ranks[player], ids[player].encode()))
    ties = [list(group) for _, group in groupby(order, key=lambda player: ranks[player])]
    found = _rated(ratings, ranks, order)
    if len(ties) < len(order):
        reverse = [player for tie in ties for player in reversed(tie)]
        again = _rated(ratings, ranks, reverse)
        found = [_mean(pair) for pair in zip(found, again, strict=True)]
        for tie in ties:
            _level(found, tie, ratings)
    return _without_rounding_errors(found, ratings, ties[0])


def _rated(ratings: Sequence[Rating], ranks: Sequence[int], order: Sequence[int]) -> list[Rating]:
    """The plain update with the players given in this order; the result is in their own."""
    rated = rate(
        [ratings[player] for player in order], [ranks[player] for player in order], tau=TAU
    )
    found = list(ratings)
    for player, rating in zip(order, rated, strict=True):
        found[player] = rating
    return found


def _level(found: list[Rating], tie: Sequence[int], priors: Sequence[Rating]) -> None:
    """Give those of a tied group who came with one prior one posterior."""
    equals: dict[Rating, list[int]] = defaultdict(list)
    for player in tie:
        equals[priors[player]].append(player)
    for players in equals.values():
        common = _mean([found[player] for player in players])
        for player in players:
            found[player] = common


def _without_rounding_errors(
    found: Sequence[Rating], priors: Sequence[Rating], first: Sequence[int]
) -> tuple[Rating, ...]:
    """Keep the last binary digit from breaking a promise, where a match tells next to nothing.

    No deviation rises, and the mean of a sole winner does not fall.
    """
    sole_winner = first[0] if len(first) == 1 else None
    return tuple(
        Rating(
            max(rating.mu, prior.mu) if player == sole_winner else rating.mu,
            min(rating.sigma, prior.sigma),
        )
        for player, (rating, prior) in enumerate(zip(found, priors, strict=True))
    )


def _mean(ratings: Sequence[Rating]) -> Rating:
    count = len(ratings)
    return Rating(
        sum(rating.mu for rating in ratings) / count,
        sum(rating.sigma for rating in ratings) / count,
    )
