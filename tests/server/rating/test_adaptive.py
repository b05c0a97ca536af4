"""The figures of `server/docs/adaptive.md`, and a few of the tournaments behind them."""

from __future__ import annotations

import pytest

from tests.server.rating.adaptive import RACES, Race, measure_race
from tests.server.rating.make_adaptive import ADAPTIVE, tables


def test_adaptive_tables_need_fewer_matches_until_the_best_are_settled() -> None:
    found = measure_race(Race(20, 4, 120, 80, 8))

    uniform, adaptive = found["played"]
    assert adaptive < 0.8 * uniform
    assert found["wrong"] == [0, 0]


@pytest.mark.parametrize("race", RACES, ids=lambda race: race.name)
def test_however_tables_are_chosen_the_best_are_named_wrongly_in_at_most_5_percent(
    race: Race,
) -> None:
    known = ADAPTIVE.figures()[race.name]

    assert known["tournaments"] == race.tournaments
    assert max(known["wrong"]) <= 0.05


def test_the_document_has_the_figures_of_every_row() -> None:
    known = ADAPTIVE.figures()

    assert set(known) == {race.name for race in RACES}
    assert ADAPTIVE.with_tables(ADAPTIVE.document, tables(known)) == ADAPTIVE.document
