"""How much a bot may send: what it is asked for, and some more a second."""

from __future__ import annotations

from kitumaija.server.match import Nanos
from kitumaija.server.rpc.allowance import Allowance
from tests.support.clock import ms


def allowance() -> Allowance:
    return Allowance(per_second=50, burst=100, at=Nanos(0))


def at(milliseconds: float) -> Nanos:
    return Nanos(ms(milliseconds))


def test_a_burst_is_allowed_and_not_one_message_more() -> None:
    bucket = allowance()

    assert bucket.spend(100, at(0))
    assert not bucket.spend(1, at(0))


def test_what_is_spent_comes_back_with_time() -> None:
    bucket = allowance()
    bucket.spend(100, at(0))

    assert bucket.spend(50, at(1_000))
    assert not bucket.spend(1, at(1_010))


def test_more_than_a_burst_is_never_saved_up() -> None:
    bucket = allowance()

    assert not bucket.spend(101, at(3_600_000))


def test_each_question_allows_an_answer_and_the_answer_again() -> None:
    bucket = allowance()
    bucket.spend(100, at(0))
    for _ in range(1_000):
        bucket.asked()
        assert bucket.spend(2, at(0))

    assert not bucket.spend(1, at(0))


def test_a_bucket_can_be_made_wider() -> None:
    bucket = allowance()
    bucket.widen(200)

    assert bucket.spend(200, at(0))
    assert not bucket.spend(1, at(0))


def test_making_it_as_wide_again_and_again_fills_nothing_up() -> None:
    bucket = allowance()
    for burst in (200, 100, 200, 150, 200):
        bucket.widen(burst)
    assert bucket.spend(200, at(0))
    bucket.widen(200)

    assert not bucket.spend(1, at(0))


def test_what_is_refused_costs_nothing() -> None:
    bucket = allowance()

    assert not bucket.spend(1_000_000, at(0))
    assert bucket.spend(100, at(0))


def test_questions_are_not_saved_up_either() -> None:
    bucket = allowance()
    for _ in range(1_000):
        bucket.asked()

    assert bucket.spend(100, at(0))
    assert not bucket.spend(1, at(0))
