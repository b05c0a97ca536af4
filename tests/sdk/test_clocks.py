"""Clocks that are passed in, and the bank."""

from __future__ import annotations

from datetime import timedelta

import pytest

from kitumaija.sdk.clocks import Bank, CountedClock, duration, nanoseconds


def test_a_counted_clock_moves_only_when_it_is_read() -> None:
    clock = CountedClock(timedelta(milliseconds=2))

    assert [clock(), clock(), clock()] == [2_000_000, 4_000_000, 6_000_000]


def test_a_counted_clock_that_stands_still_is_refused() -> None:
    with pytest.raises(ValueError, match="more than zero"):
        CountedClock(timedelta(0))


@pytest.mark.parametrize(
    ("used", "in_time", "left"),
    [(150, True, 35), (151, True, 34), (180, True, 5), (181, False, 0)],
)
def test_a_bank_pays_for_what_is_above_the_decision_and_the_margin(
    used: int, left: int, *, in_time: bool
) -> None:
    bank = Bank(per_decision=100, increment=5, margin=50, left=30)

    assert bank.charge(used) is in_time
    assert bank.left == left


def test_durations_and_nanoseconds_are_inverse_to_a_microsecond() -> None:
    assert nanoseconds(timedelta(days=365, microseconds=1)) == 31_536_000_000_001_000
    assert duration(31_536_000_000_001_999) == timedelta(days=365, microseconds=1)
