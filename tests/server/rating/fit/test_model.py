"""The strengths that explain the results best."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kitumaija.server.rating import RatedResult
from kitumaija.server.rating.fit.comparisons import Comparisons
from kitumaija.server.rating.fit.model import PRIOR_DEVIATION, strengths
from tests.support.placed import game, round_robin


def _strengths(results: list[RatedResult]) -> dict[str, float]:
    comparisons = Comparisons.of(results)
    return dict(zip(comparisons.bots, strengths(comparisons).tolist(), strict=True))


def _wins(times: int, winner: str = "ada", loser: str = "bo", first: int = 0) -> list[RatedResult]:
    return [game(first + number, winner, loser) for number in range(times)]


def _likelihood(results: list[RatedResult], found: dict[str, float]) -> float:
    """Written anew, table by table: the logarithm of the probability, prior and all."""
    total = -sum(value**2 for value in found.values()) / (2 * PRIOR_DEVIATION**2)
    for result in results:
        stayed = [
            (bot, place)
            for bot, place, out in zip(result.seats, result.places, result.forfeited, strict=True)
            if not out
        ]
        for bot, place in stayed:
            for other, its_place in stayed:
                share = 0.5 if place == its_place else float(place < its_place)
                if bot != other:
                    total -= share * math.log1p(math.exp(found[other] - found[bot]))
    return total


def test_no_other_strengths_are_as_likely() -> None:
    results = round_robin(["a", "b", "c", "d", "e"], 3, rounds=2, seed="likely")
    found = _strengths(results)
    best = _likelihood(results, found)

    rng = np.random.default_rng(1)
    for size in (1e-3, 1e-2, 0.3):
        for _ in range(20):
            other = {bot: value + size * rng.standard_normal() for bot, value in found.items()}
            assert _likelihood(results, other) < best


def test_at_two_bots_the_odds_are_those_of_the_wins() -> None:
    # With many games the prior weighs next to nothing.
    found = _strengths([*_wins(3000), *_wins(1000, "bo", "ada", first=3000)])

    assert found["ada"] - found["bo"] == pytest.approx(math.log(3), abs=1e-3)


@pytest.mark.parametrize("wins", [1, 20, 3000])
def test_a_bot_that_was_never_beaten_stays_finite_and_gains_by_every_win(wins: int) -> None:
    def lead(times: int) -> float:
        found = _strengths(_wins(times))
        return found["ada"] - found["bo"]

    assert 0 < lead(wins) < lead(wins + wins) < 20


def test_bots_that_share_every_place_are_exactly_equal() -> None:
    results = [game(number, "ada", "bo", "cy", places=(1, 1, 1)) for number in range(5)]

    assert set(_strengths(results).values()) == {0.0}


def test_strengths_are_about_their_mean() -> None:
    found = _strengths(round_robin(["a", "b", "c", "d"], 2, rounds=3, seed="mean"))

    assert sum(found.values()) == pytest.approx(0, abs=1e-12)


def test_bots_that_never_met_are_linked_by_the_prior_alone() -> None:
    found = _strengths([*_wins(10), *_wins(10, "cy", "dee", first=10)])

    assert found["ada"] == pytest.approx(found["cy"])
    assert found["bo"] == pytest.approx(-found["ada"])
