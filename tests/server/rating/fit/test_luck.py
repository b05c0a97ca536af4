"""The luck of the cards taken out of what results say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kitumaija.server.rating import RatedResult
from kitumaija.server.rating.fit.comparisons import Cards, Comparisons
from kitumaija.server.rating.fit.luck import FOLDS, without_luck
from kitumaija.server.rating.fit.model import strengths
from tests.support.placed import game
from tests.support.simulated import WORLDS, Simulated, simulate

SKILLS = np.array([-0.8, -0.3, 0.0, 0.2, 0.4, 0.5])


def _played(number: int, *, blur: float) -> Simulated:
    rng = np.random.default_rng(number)
    return simulate(rng, WORLDS["luce"], SKILLS, seats=3, rounds=30, blur=blur)


def test_strengths_scatter_less_about_the_same_truth() -> None:
    before, after = [], []
    for number in range(60):
        played = _played(number, blur=0.3)
        left, luck = without_luck(played.comparisons)
        before.append(strengths(played.comparisons) - played.truth)
        after.append(strengths(left) - played.truth)
        assert luck.explained > 0.3

    assert np.std(after) < 0.8 * np.std(before)
    error = np.std(after) / len(after) ** 0.5
    assert np.abs(np.mean(after, axis=0) - np.mean(before, axis=0)).max() < 4 * error


def test_a_reference_that_knows_nothing_takes_next_to_nothing() -> None:
    found = [without_luck(_played(number, blur=1e6).comparisons)[1] for number in range(20)]

    assert np.mean([luck.coefficient for luck in found]) == pytest.approx(0, abs=0.02)
    assert np.mean([luck.explained for luck in found]) == pytest.approx(0, abs=0.02)


def test_a_set_has_no_part_in_what_is_taken_from_itself() -> None:
    """If it had, what is left of it would be moved; its fold does not look at it."""
    comparisons = _played(1, blur=0.5).comparisons
    own = comparisons.of_set == 7
    turned = np.where(own, comparisons.met, comparisons.before)

    def taken(before: np.ndarray) -> np.ndarray:
        left, _ = without_luck(replace(comparisons, before=before))
        difference: np.ndarray = before - left.before
        return difference

    first, second = taken(comparisons.before), taken(turned)

    fold = comparisons.of_set % FOLDS == 7 % FOLDS
    assert first[fold] == pytest.approx(second[fold], abs=1e-12)
    assert np.abs(first[~fold] - second[~fold]).max() > 1e-4


def test_nobody_is_favoured_but_at_the_cost_of_others() -> None:
    comparisons = _played(2, blur=0.5).comparisons

    _, luck = without_luck(comparisons)

    assert luck.sets == comparisons.sets
    assert set(luck.favour) == set(comparisons.bots)
    assert sum(luck.favour.values()) == pytest.approx(0, abs=1e-9)


ROTATED = [game(0, "ada", "bo", "cy"), game(1, "bo", "cy", "ada"), game(2, "cy", "ada", "bo")]
FIRST_SEAT = dict.fromkeys(range(3), (1.0, 2.5, 2.5))


def test_what_a_seat_is_worth_is_nobodys_luck() -> None:
    found = Comparisons.of(ROTATED, cards=FIRST_SEAT)

    assert found.known.tolist() == [True]
    assert found.luck.tolist() == pytest.approx([0, 0, 0])


def test_the_cards_favour_who_would_have_come_in_before_by_them_alone() -> None:
    found = Comparisons.of(ROTATED, cards={**FIRST_SEAT, 1: (3.0, 2.0, 1.0)})

    pairs = [(found.bots[a], found.bots[b]) for a, b in found.pairs.tolist()]
    # By the cards bo loses two places in its first seat, and half of one goes to cy.
    assert dict(zip(pairs, found.luck.tolist(), strict=True)) == {
        ("ada", "bo"): pytest.approx((2.0 + 1.5) / 3),
        ("ada", "cy"): pytest.approx((1.0 + 0.0) / 3),
        ("bo", "cy"): pytest.approx((-1.0 - 1.5) / 3),
    }


@pytest.mark.parametrize(
    ("results", "cards"),
    [
        pytest.param(ROTATED[:2], FIRST_SEAT, id="a match is missing"),
        pytest.param(ROTATED, {0: FIRST_SEAT[0], 1: FIRST_SEAT[1]}, id="a deal is not known"),
        pytest.param(
            [*ROTATED[:2], game(2, "cy", "ada", "bo", forfeited="bo")],
            FIRST_SEAT,
            id="a seat was forfeited",
        ),
        pytest.param(
            [*ROTATED[:2], game(2, "bo", "cy", "ada")], FIRST_SEAT, id="a bot had a seat twice"
        ),
    ],
)
def test_where_cards_need_not_come_out_even_nothing_is_taken(
    results: list[RatedResult], cards: Cards
) -> None:
    found = Comparisons.of(results, cards=cards)

    assert found.known.tolist() == [False]
    assert not found.luck.any()
    left, luck = without_luck(found)
    assert (left.before == found.before).all()
    assert (luck.sets, luck.coefficient, luck.favour) == (0, 0, {})
