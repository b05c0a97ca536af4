"""The figures of `server/docs/calibration.md`, and a few of the tournaments behind them."""

from __future__ import annotations

import numpy as np
import pytest

from kitumaija.server.rating.fit.model import strengths
from tests.server.rating.calibration import (
    BINS,
    ORDERS,
    ROWS,
    Row,
    measure,
)
from tests.server.rating.make_calibration import CALIBRATION, tables
from tests.server.rating.stopping import STOPS, Stops, measure_stops
from tests.support.simulated import WORLDS, nearest, simulate


def test_intervals_hold_about_as_often_as_they_say() -> None:
    found = measure(Row("luce", 6, 3, 10), 80)

    # Within what chance allows of so few.
    assert found["coverage"] == pytest.approx(0.95, abs=3.5 * found["coverage_error"])
    assert found["wrong_verdict"] <= 0.05


def test_intervals_that_take_matches_of_a_set_for_independent_hold_too_seldom() -> None:
    """The measure can fail: in the world of moods a set of three is far from three matches."""

    def spread(world: str) -> float:
        found = []
        for number in range(40):
            rng = np.random.default_rng(number)
            played = simulate(rng, WORLDS[world], np.zeros(6), seats=3, rounds=10)
            found.append(strengths(played.comparisons).std())
        return float(np.mean(found))

    assert spread("moods") > 1.15 * spread("luce")


@pytest.mark.parametrize("world", ["bell", "moods"])
def test_the_truth_is_what_the_fit_comes_to_in_the_long_run(world: str) -> None:
    skills = np.array([-1.0, -0.2, 0.4, 0.8])
    played = simulate(np.random.default_rng(1), WORLDS[world], skills, seats=2, rounds=20_000)

    assert strengths(played.comparisons) == pytest.approx(played.truth, abs=0.05)
    assert np.abs(played.truth - (skills - skills.mean())).max() > 0.06


def test_in_the_world_of_the_model_the_truth_is_the_bots_own_strength() -> None:
    skills = np.array([-1.0, -0.3, 0.4, 0.9])
    shares = WORLDS["luce"].share(np.subtract.outer(skills, skills))

    assert nearest(shares) == pytest.approx(skills, abs=1e-6)


def test_a_tournament_that_is_stopped_early_seldom_names_the_wrong_bots() -> None:
    found = measure_stops(Stops(6, 3, 40, 1, "at the edge"), 15)

    assert found["wrong"] <= 0.1
    clear = measure_stops(Stops(6, 3, 40, 1, "no", spread=400), 8)
    assert clear["settled"] > 0.5
    assert clear["played"] < 0.9


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_over_two_thousand_tournaments_the_intervals_cover_93_to_97_percent(row: Row) -> None:
    known = CALIBRATION.figures()[row.name]

    assert known["tournaments"] >= 2000
    assert 0.93 <= known["coverage"] <= 0.97
    assert known["coverage_error"] < 0.003
    assert known["wrong_verdict"] <= 0.05
    assert len(known["chances"]) == len(BINS) - 1


@pytest.mark.parametrize("row", STOPS, ids=lambda row: row.name)
def test_stopping_early_is_wrong_in_at_most_5_percent(row: Stops) -> None:
    known = CALIBRATION.figures()[row.name]

    assert known["tournaments"] >= 1000
    assert known["wrong"] <= 0.05


def test_in_fifty_orders_the_fit_was_one_and_the_official_ratings_were_not() -> None:
    known = CALIBRATION.figures()[ORDERS]

    assert (known["results"], known["orders"]) == (2000, 50)
    assert known["fits"] == 1
    assert known["spread"] > 0


def test_the_document_has_the_figures() -> None:
    document = CALIBRATION.document

    assert CALIBRATION.with_tables(document, tables(CALIBRATION.figures())) == document
