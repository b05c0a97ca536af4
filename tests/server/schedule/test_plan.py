"""What fits a budget, counted before anything is made."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitumaija.server.schedule.plan import BudgetTooSmall, Kind, plan, plans


def test_all_tables_are_played_while_they_fit_and_a_choice_of_them_below() -> None:
    def kind(budget: int | None) -> tuple[Kind, int, int, int]:
        made = plan(12, 4, rounds=2, budget=budget)
        return made.kind, made.matches, made.games, made.sets

    assert kind(None) == (Kind.ALL_TABLES, 3960, 1320, 990)
    assert kind(3960) == (Kind.ALL_TABLES, 3960, 1320, 990)
    assert kind(3959) == (Kind.ALL_TABLES, 1980, 660, 495)  # one round of the two
    assert kind(1979) == (Kind.BALANCED, 1968, 656, 492)
    assert kind(48) == (Kind.BALANCED, 48, 16, 12)
    assert kind(47) == (Kind.SINGLE, 36, 12, 36)
    assert kind(12) == (Kind.SINGLE, 12, 4, 12)
    with pytest.raises(BudgetTooSmall, match="11 matches are too few for tables of 4 of 12") as low:
        kind(11)
    assert low.value.needed == 12


@given(st.integers(2, 60), st.integers(2, 10), st.integers(1, 5), st.integers(1, 100_000))
def test_a_plan_stays_within_its_budget_and_is_even(
    entrants: int, size: int, rounds: int, budget: int
) -> None:
    if not size <= entrants <= budget:
        return
    made = plan(entrants, size, rounds=rounds, budget=budget)
    assert 0 < made.matches <= budget
    assert made.games * entrants == made.matches * size
    assert made.games % size == 0  # as many in each seat
    assert made.sets * made.rotations == made.matches
    assert plan(entrants, size, rounds=rounds, budget=made.matches) == made


def test_table_sizes_share_a_budget_and_leave_each_other_what_they_do_not_need() -> None:
    made = plans(10, (2, 4, 6), rounds=1, budget=1600)
    assert {size: (one.kind, one.matches) for size, one in made.items()} == {
        2: (Kind.ALL_TABLES, 90),
        4: (Kind.BALANCED, 720),
        6: (Kind.BALANCED, 780),
    }
    assert list(made) == [2, 4, 6]
    with pytest.raises(BudgetTooSmall, match="29 matches are too few for tables of 2 and 4 and 6"):
        plans(10, (2, 4, 6), rounds=1, budget=29)
    assert sum(one.matches for one in plans(10, (2, 4, 6), rounds=1, budget=30).values()) == 30


def test_what_is_no_plan_is_refused() -> None:
    with pytest.raises(ValueError, match=r"tables of 4 need at least 4 entrants, got 3"):
        plan(3, 4, rounds=1)
    with pytest.raises(ValueError, match="at least 1 round, got 0"):
        plan(3, 2, rounds=0)
