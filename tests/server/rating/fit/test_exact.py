"""Arithmetic that is the same to the last bit on every machine: right, and the same."""

from __future__ import annotations

import importlib
import math
import os
import subprocess
import sys

import numpy as np
import pytest

from kitumaija.server.goal import Goal
from kitumaija.server.rating.fit.choosing import choose_tables, widenings
from kitumaija.server.rating.fit.comparisons import Comparisons, Floats, Indices
from kitumaija.server.rating.fit.exact import (
    exponential,
    inverse,
    product,
    scatter,
    solved,
    total,
)
from kitumaija.server.rating.fit.model import curvature, strengths
from kitumaija.server.rating.fit.settling import deviations
from kitumaija.server.rating.fit.student import quantile
from kitumaija.server.rating.fit.widening import Support, support
from tests.support.simulated import WORLDS, simulate

BOTS = 24


def _said(bots: int = BOTS) -> Comparisons:
    rng = np.random.default_rng(7)
    skills = rng.standard_normal(bots)
    return simulate(rng, WORLDS["luce"], skills, seats=4, rounds=12).comparisons


def _all_of_it() -> str:
    """Every number that tables are chosen by, to the last bit, and the tables."""
    said = _said()
    fitted = strengths(said)
    rests_on = support(said, fitted)
    numbers: list[Floats | Indices] = [
        fitted,
        deviations(said, fitted),
        rests_on.scale,
        rests_on.freedom,
        widenings(rests_on),
    ]
    tables = choose_tables(
        said, Goal(3, 0.95), contenders=said.bots, table_size=4, tables=6, seed=bytes(32)
    )
    return repr((b"".join(one.tobytes() for one in numbers).hex(), tables))


def test_the_exponential_is_right_to_its_last_places() -> None:
    numbers = np.concatenate([np.linspace(-700, 700, 2_801), np.linspace(-1, 1, 2_001)])
    wanted = [math.exp(number) for number in numbers.tolist()]
    assert exponential(numbers) == pytest.approx(wanted, rel=2e-15)
    assert exponential(np.zeros(1)).tolist() == [1.0]


def test_products_inverses_and_solutions_are_those_of_a_library() -> None:
    said = _said()
    matrix = curvature(said, strengths(said))
    values = np.linspace(-1, 1, len(matrix))
    assert product(matrix, matrix[:, :3]) == pytest.approx(matrix @ matrix[:, :3])
    assert inverse(matrix) == pytest.approx(np.linalg.inv(matrix), abs=1e-12)
    assert solved(matrix, values) == pytest.approx(np.linalg.solve(matrix, values))
    assert total(matrix, axis=1) == pytest.approx(matrix.sum(axis=1))
    assert total(np.zeros((0, 3))).tolist() == [0, 0, 0]


def test_the_scatter_over_sets_is_that_of_the_whole_matrix_of_sets_and_bots() -> None:
    said = _said()
    surplus = np.sin(np.arange(len(said.of_set), dtype=float))
    gains = said.by_bot(surplus)
    assert scatter(said, surplus) == pytest.approx(gains.T @ gains)


def test_another_processor_and_another_library_of_matrices_come_to_the_same_bits() -> None:
    """The same computation, without what this processor has beyond the least of its kind."""
    features: list[str] = importlib.import_module("numpy._core._multiarray_umath").__cpu_dispatch__
    plainer = {"NPY_DISABLE_CPU_FEATURES": " ".join(features), "OPENBLAS_CORETYPE": "Prescott"}
    asked = f"from {__name__} import _all_of_it; print(_all_of_it())"
    told = subprocess.run(
        [sys.executable, "-c", asked],
        env={**os.environ, **plainer, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == _all_of_it()


def test_no_factor_for_how_little_was_seen_is_near_a_boundary_between_two_roundings() -> None:
    """They are computed by a library's logarithms and tangents, whose last places may differ."""
    normal = 3.0
    for freedom in range(1, 2_001):
        rests_on = Support(np.ones(1), np.array([freedom]))
        [rounded] = widenings(rests_on).tolist()
        factor = quantile(0.0013498980316300933, freedom) / normal
        assert rounded == pytest.approx(factor, abs=5e-7)
        between = abs(abs(factor - rounded) - 5e-7)
        assert between > 1e-11, freedom
