"""Waits between two dials."""

from __future__ import annotations

from random import Random

from kitumaija.sdk.client.backoff import Backoff
from kitumaija.wire.times import Limits


class Highest(Random):
    def uniform(self, a: float, b: float) -> float:
        return b


def test_the_bound_doubles_up_to_the_longest() -> None:
    backoff = Backoff(Highest(), first=0.25, longest=15)

    assert [backoff.next_wait() for _ in range(8)] == [0.25, 0.5, 1, 2, 4, 8, 15, 15]


def test_it_is_short_again_after_a_good_stream() -> None:
    backoff = Backoff(Highest(), first=0.25, longest=15)
    for _ in range(5):
        backoff.next_wait()
    backoff.worked()

    assert backoff.next_wait() == 0.25


def test_the_bound_holds_after_any_number_of_failures() -> None:
    backoff = Backoff(Highest(), first=0.25, longest=15)

    assert max(backoff.next_wait() for _ in range(5_000)) == 15


def test_waits_are_drawn_anew_and_keep_to_what_the_server_asks() -> None:
    backoff = Backoff(Random(1))
    waits = [backoff.next_wait(at_least=60) for _ in range(50)]

    assert len(set(waits)) == 50
    assert all(60 <= wait <= 65 for wait in waits)


def test_a_bot_is_back_before_the_grace_of_a_match_is_over_however_long_the_server_was_away() -> (
    None
):
    backoff = Backoff(Highest())

    assert max(backoff.next_wait() for _ in range(100)) * 2 < Limits().grace.total_seconds()
