"""Which tables are played next, where matches are spent on what is open."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from kitumaija.server.goal import Goal
from kitumaija.server.rating import RatedResult
from kitumaija.server.rating.fit.choosing import choose_tables
from kitumaija.server.rating.fit.comparisons import Comparisons
from kitumaija.server.schedule.adaptive import OPENING
from tests.support.placed import game
from tests.support.simulated import WORLDS, simulate

GOAL = Goal(3, 0.95)
SEED = b"seed"
BOTS = [f"bot-{bot:02}" for bot in range(12)]
NOTHING = Comparisons.of([])


def _played(skills: list[float], *, rounds: int = 20) -> Comparisons:
    rng = np.random.default_rng(1)
    return simulate(rng, WORLDS["luce"], np.array(skills), seats=4, rounds=rounds).comparisons


def test_at_first_everybody_sits_down_equally_often_and_not_always_with_the_same() -> None:
    tables = choose_tables(NOTHING, GOAL, contenders=BOTS, table_size=4, tables=9, seed=SEED)

    assert set(Counter(bot for table in tables for bot in table).values()) == {3}
    assert all(len(set(table)) == 4 for table in tables)
    assert len({frozenset(table) for table in tables}) == 9


def test_who_came_late_gets_what_the_others_had() -> None:
    early = [
        game(4 * number + turn, *(BOTS[:4][turn:] + BOTS[:4][:turn]))
        for number in range(OPENING)
        for turn in range(4)
    ]

    tables = choose_tables(
        Comparisons.of(early),
        GOAL,
        contenders=[*BOTS[:4], "new"],
        table_size=4,
        tables=4,
        seed=SEED,
    )

    assert all("new" in table for table in tables)


def test_then_those_sit_down_whose_side_of_the_boundary_is_open() -> None:
    """The third and the fourth are alike; who is far from them is left alone."""
    skills = [4.0, 3.5, 1.05, 1.0, -1.5, -1.6, -2.0, -2.1, -2.4, -2.6, -2.8, -3.0]

    tables = choose_tables(
        _played(skills), GOAL, contenders=BOTS, table_size=2, tables=6, seed=SEED
    )

    assert {frozenset(table) for table in tables} == {frozenset(BOTS[2:4])}


def test_where_the_order_of_the_best_is_wanted_the_boundaries_between_them_count_too() -> None:
    skills = [4.05, 4.0, 1.5, -1.0, -1.5, -1.6, -2.0, -2.1, -2.4, -2.6, -2.8, -3.0]
    said = _played(skills)

    in_order = choose_tables(
        said, Goal(2, 0.95, in_order=True), contenders=BOTS, table_size=2, tables=3, seed=SEED
    )
    whoever = choose_tables(said, Goal(2, 0.95), contenders=BOTS, table_size=2, tables=3, seed=SEED)

    assert {frozenset(table) for table in in_order} == {frozenset(BOTS[:2])}
    assert frozenset(BOTS[:2]) not in {frozenset(table) for table in whoever}


def test_who_cannot_be_among_the_best_any_more_sits_nowhere() -> None:
    skills = [4.0, 3.5, 1.05, 1.0, 0.9, -1.6, -2.0, -2.1, -2.4, -2.6, -2.8, -3.0]
    here = [bot for bot in BOTS if bot != "bot-03"]

    tables = choose_tables(
        _played(skills), GOAL, contenders=here, table_size=4, tables=20, seed=SEED
    )

    assert "bot-03" not in {bot for table in tables for bot in table}


def test_the_choice_follows_from_results_goal_and_seed() -> None:
    said = _played([0.1 * bot for bot in range(12)], rounds=5)

    def chosen(seed: bytes, bots: list[str]) -> tuple[tuple[str, ...], ...]:
        return choose_tables(said, GOAL, contenders=bots, table_size=4, tables=5, seed=seed)

    assert chosen(SEED, BOTS) == chosen(SEED, BOTS[::-1])
    assert chosen(SEED, BOTS)[:2] == choose_tables(
        said, GOAL, contenders=BOTS, table_size=4, tables=2, seed=SEED
    )


@pytest.mark.parametrize("said", [NOTHING, _played([0.1 * bot for bot in range(12)])])
def test_two_of_one_owner_sit_together_only_where_there_are_too_few_others(
    said: Comparisons,
) -> None:
    owners = {bot: f"owner-{number // 3}" for number, bot in enumerate(BOTS)}

    def chosen(size: int) -> list[list[str]]:
        tables = choose_tables(
            said, GOAL, contenders=BOTS, table_size=size, tables=9, seed=SEED, owners=owners
        )
        return [[owners[bot] for bot in table] for table in tables]

    assert all(len(set(table)) == 4 for table in chosen(4))
    assert all((len(table), len(set(table))) == (5, 4) for table in chosen(5))


def test_who_forfeits_all_his_games_is_not_waited_for() -> None:
    said = _played([0.1 * bot for bot in range(12)])
    bots, sat = [*said.bots, "zed"], {"zed": OPENING}

    def chosen(sat: dict[str, int]) -> set[str]:
        tables = choose_tables(
            said, GOAL, contenders=bots, table_size=4, tables=5, seed=SEED, sat=sat
        )
        return {bot for table in tables for bot in table}

    assert "zed" in chosen({})
    assert "zed" not in chosen(sat)


def test_whom_the_results_say_the_same_of_are_level_and_sit_down_by_the_seed() -> None:
    """Six are alike, and so are the six whom they meet: rounding alone would tell them apart."""
    results: list[RatedResult] = []
    for one, strong in enumerate(BOTS[:6]):
        for other, weak in enumerate(BOTS[6:]):
            for seats in ((strong, weak), (weak, strong)):
                places = [1 + ((bot == strong) == (one == other)) for bot in seats]
                results.append(game(len(results), *seats, places=places))
    said = Comparisons.of(results)

    firsts = [
        choose_tables(
            said, Goal(6, 0.95), contenders=BOTS, table_size=2, tables=1, seed=bytes([seed])
        )
        for seed in range(40)
    ]

    assert {bot for [table] in firsts for bot in table} == set(BOTS)


@pytest.mark.parametrize(("bots", "size"), [(3, 4), (3, 2)])
def test_too_few_to_choose_from_is_an_error(bots: int, size: int) -> None:
    with pytest.raises(ValueError, match="got 3 bots that can be among the best"):
        choose_tables(NOTHING, GOAL, contenders=BOTS[:bots], table_size=size, tables=1, seed=SEED)
