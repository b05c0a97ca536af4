"""Results of simulated matches, as the ratings read them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from math import log

from kitumaija.server.rating import RatedResult


def game(number: int, *bots: str, places: Sequence[int] = (), forfeited: str = "") -> RatedResult:
    """A match of these bots, who came in in the order named unless `places` says otherwise."""
    return RatedResult(
        number,
        seats=bots,
        places=tuple(places) or tuple(range(1, len(bots) + 1)),
        forfeited=tuple(bot in forfeited.split() for bot in bots),
    )


def round_robin(bots: Sequence[str], seats: int, *, rounds: int, seed: str) -> list[RatedResult]:
    """Every table of `seats`, in all rotations, round after round.

    Each bot is some points stronger than the one before it; one match in ten stops with its last
    two alike, and one in fifty has a forfeit.
    """
    rng = random.Random(seed)
    results: list[RatedResult] = []
    for _ in range(rounds):
        for table in combinations(bots, seats):
            for first in range(seats):
                seated = (*table[first:], *table[:first])
                score = {bot: 0.3 * bots.index(bot) + rng.gauss(0, 1) for bot in seated}
                order = sorted(seated, key=lambda bot: -score[bot])
                forfeited = [False] * seats
                if rng.random() < 0.02:
                    order.append(order.pop(rng.randrange(seats)))
                    forfeited[seated.index(order[-1])] = True
                places = [order.index(bot) + 1 for bot in seated]
                if not any(forfeited) and rng.random() < 0.1:
                    places = [min(place, seats - 1) for place in places]
                results.append(RatedResult(len(results), seated, tuple(places), tuple(forfeited)))
    return results


def holding_together(
    bots: Sequence[str], seats: int, *, rounds: int, together: float = 0.0
) -> list[RatedResult]:
    """Every table of `seats`, in all rotations, round after round, of bots equally strong.

    The first two play by `together` better, as a logarithm of odds, at tables where both sit.
    """
    rng = random.Random("holding together")
    results: list[RatedResult] = []
    for table in [*combinations(bots, seats)] * rounds:
        helped = dict.fromkeys(bots[:2], together) if set(bots[:2]) <= set(table) else {}
        for first in range(seats):
            seated = (*table[first:], *table[:first])
            scores = [helped.get(bot, 0.0) - log(rng.expovariate(1)) for bot in seated]
            places = tuple(sum(other >= own for other in scores) for own in scores)
            results.append(RatedResult(len(results), seated, places, (False,) * seats))
    return results
