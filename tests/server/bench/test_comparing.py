"""Two results that were kept, side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kitumaija.server.bench.comparing import NoResult, changes, load
from kitumaija.server.bench.results import FORMAT, Spread


def result(**scenarios: dict[str, float]) -> dict[str, Any]:
    """A result of scenarios with one side and these medians; spreads are a tenth to both sides."""
    return {
        "format": FORMAT,
        "scenarios": {
            name: {
                "ratios": [],
                "sides": {
                    "server": {
                        figure: {"median": value, "low": 0.9 * value, "high": 1.1 * value}
                        for figure, value in figures.items()
                    }
                },
            }
            for name, figures in scenarios.items()
        },
    }


def test_what_both_results_have_is_compared_and_nothing_else() -> None:
    before = result(latency={"p50_ms": 1.0, "old": 1.0}, gone={"p50_ms": 1.0})
    after = result(latency={"p50_ms": 2.0, "new": 1.0}, come={"p50_ms": 1.0})

    [change] = changes(before, after)

    assert (change.scenario, change.what) == ("latency", "server p50_ms")
    assert (change.before, change.after) == (Spread(1.0, 0.9, 1.1), Spread(2.0, 1.8, 2.2))


@pytest.mark.parametrize(("after", "apart"), [(1.0, False), (1.2, False), (1.3, True), (0.8, True)])
def test_a_change_counts_only_where_the_spreads_do_not_touch(after: float, apart: bool) -> None:
    [change] = changes(result(latency={"p50_ms": 1.0}), result(latency={"p50_ms": after}))

    assert change.apart is apart


def test_ratios_come_first_for_they_alone_compare_two_runs() -> None:
    some = result(latency={"p50_ms": 1.0})
    ratio = {"what": "p50", "of": "server", "to": "echo", "difference": False}
    some["scenarios"]["latency"]["ratios"] = [{**ratio, "median": 2.0, "low": 1.0, "high": 3.0}]

    assert [change.what for change in changes(some, some)] == [
        "p50: server / echo",
        "server p50_ms",
    ]


@pytest.mark.parametrize("text", ["", "[]", "{}", json.dumps({"format": FORMAT + 1})])
def test_a_file_that_is_no_result_is_refused_by_name(tmp_path: Path, text: str) -> None:
    file = tmp_path / "some.json"
    file.write_text(text)

    with pytest.raises(NoResult, match=r"some\.json is no result .* --out"):
        load(file)


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(NoResult, match=r"none\.json: No such file"):
        load(tmp_path / "none.json")
