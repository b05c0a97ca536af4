"""What a tournament is to find out: read from its words, and said in words."""

from __future__ import annotations

import pytest

from kitumaija.server.goal import LOOKS, Goal, Settled, looks, verdict


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("top 3 settled at 95 %", Goal(3, 0.95)),
        ("top  1 settled at 99.5%", Goal(1, 0.995)),
        ("order of top 3 settled at 90 %", Goal(3, 0.9, in_order=True)),
    ],
)
def test_a_goal_is_read_from_its_words(text: str, goal: Goal) -> None:
    assert Goal.of(text) == goal


@pytest.mark.parametrize(
    "text",
    [
        "",
        "top settled at 95 %",
        "top 0 settled at 95 %",
        "top 3 settled at 100 %",
        "top 3 settled at 49 %",
        "the top 3 settled at 95 %",
    ],
)
def test_what_is_no_goal_is_refused_with_one_that_is(text: str) -> None:
    with pytest.raises(ValueError, match="wanted such as 'top 3 settled at 95 %'"):
        Goal.of(text)


def test_looks_are_spread_evenly_and_each_is_another() -> None:
    assert looks(1000) == tuple(range(50, 1001, 50))
    assert len(looks(1000)) == LOOKS
    assert looks(3) == (1, 2, 3)


def test_a_verdict_says_what_is_known_how_surely_since_when_and_of_whom() -> None:
    goal = Goal.of("order of top 2 settled at 99.5 %")
    assert verdict(goal, Settled(3, 60, ("bo", "ada")), rated=70) == (
        "the order of the top 2 is settled at 99.5 %, after 60 matches: bo, ada"
    )
    assert verdict(goal, None, rated=70) == (
        "the order of the top 2 is not settled at 99.5 % by 70 matches"
    )
