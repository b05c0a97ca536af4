"""Medians and spreads over turns, and ratios of one turn's figures."""

from __future__ import annotations

import json

from kitumaija.server.bench.results import Measured, Spread
from kitumaija.server.bench.scenarios import Ratio, Scenario

FASTER = Ratio("decisions a second", "per_second", "server", "echo")
ADDED = Ratio("p50 in ms, added", "p50_ms", "server", "echo", difference=True)


def measured(*pairs: tuple[float, float], ratios: tuple[Ratio, ...] = (FASTER,)) -> Measured:
    """Turns in which an echo and a server had these figures."""
    scenario = Scenario("some", "Something", lambda _: {}, ratios)
    turns = [
        {
            "echo": {"per_second": echo, "p50_ms": echo},
            "server": {"per_second": server, "p50_ms": server},
        }
        for echo, server in pairs
    ]
    return Measured(scenario, turns)


def test_a_figure_is_its_median_with_the_lowest_and_the_highest() -> None:
    found = measured((1, 10), (3, 10), (2, 40)).sides()

    assert found["echo"]["per_second"] == Spread(2, 1, 3)
    assert found["server"]["per_second"] == Spread(10, 10, 40)


def test_a_ratio_is_the_median_of_the_turns_ratios_and_not_the_ratio_of_the_medians() -> None:
    # The medians are 2 and 4, a ratio of 2; but the turns' own are 4, 0.5 and 1.
    assert measured((1, 4), (8, 4), (2, 2)).ratio(FASTER) == Spread(1, 0.5, 4)


def test_a_difference_is_of_one_turn_too() -> None:
    found = measured((1, 4), (8, 9), (2, 2), ratios=(ADDED,))

    assert found.ratio(ADDED) == Spread(1, 0, 3)


def test_everything_is_in_the_json_each_turn_too() -> None:
    whole = json.loads(json.dumps(measured((1, 4), (2, 2)).as_dict()))

    assert whole["turns"][1]["server"]["per_second"] == 2
    assert whole["sides"]["echo"]["p50_ms"] == {"median": 1.5, "low": 1, "high": 2}
    assert [(ratio["what"], ratio["median"]) for ratio in whole["ratios"]] == [
        ("decisions a second", 2.5)
    ]


def test_over_a_side_that_did_nothing_a_ratio_is_nothing() -> None:
    assert measured((0, 4)).ratio(FASTER) == Spread(0, 0, 0)
