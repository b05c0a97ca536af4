"""The figures of `server/docs/luck.md`, and a few of the matches behind them."""

from __future__ import annotations

import pytest

from tests.server.rating.luck import (
    FIELDS,
    LADDER,
    PLAYOUTS_TRIED,
    REFERENCES,
    TURNS_TRIED,
    Field,
    Reference,
    measure_gain,
    measure_references,
)
from tests.server.rating.luck_covered import COVERED, Covered, measure_covered
from tests.server.rating.make_luck import LUCK, tables


def test_what_is_saved_is_measured_on_real_bots_with_bounds() -> None:
    found = measure_gain(Field("a short one", LADDER, 4, 5))

    for way in ("rotations", "reference", "duplicates"):
        middle, low, high = found[way]
        assert 0 < low <= middle <= high
    assert found["matches"] == 20


def test_what_references_explain_is_measured_for_each_that_was_tried() -> None:
    found = measure_references(Reference(2, 3))

    assert [len(row) for row in found["explained"]] == [len(PLAYOUTS_TRIED)] * len(TURNS_TRIED)
    assert all(0 <= share <= 1 for row in found["explained"] for share in row)


def test_intervals_without_luck_are_narrower_and_hold_about_as_often() -> None:
    found = measure_covered(Covered(6, 3, 10), 40)

    assert found["half_width"] < found["half_width_with_luck"]
    assert found["coverage"] == pytest.approx(0.95, abs=3.5 * found["coverage_error"])


@pytest.mark.parametrize("row", COVERED, ids=lambda row: row.name)
def test_over_two_thousand_tournaments_intervals_without_luck_cover_93_to_97_percent(
    row: Covered,
) -> None:
    known = LUCK.figures()[row.name]

    assert known["tournaments"] >= 2000
    assert 0.93 <= known["coverage"] <= 0.97
    # With few sets the fit goes a little too far, with the luck and without.
    assert abs(known["off"]) < abs(known["off_with_luck"]) + 2 * known["off_error"]


def test_the_document_has_the_figures_of_every_row() -> None:
    known = LUCK.figures()

    assert set(known) == {row.name for row in (*FIELDS, *REFERENCES, *COVERED)}
    assert LUCK.with_tables(LUCK.document, tables(known)) == LUCK.document
