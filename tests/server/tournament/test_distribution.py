"""Distributions: as if every number were kept, to one part in a hundred."""

from __future__ import annotations

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitumaija.server.tournament.distribution import Distribution

NUMBERS = st.integers(-(10**12), 10**12)


def of(numbers: list[int]) -> Distribution:
    found = Distribution()
    for number in numbers:
        found.add(number)
    return found


@given(st.lists(NUMBERS, min_size=1, max_size=200), st.sampled_from([1, 50, 90, 99, 100]))
def test_a_share_is_the_lowest_that_will_do_and_at_most_a_hundredth_more(
    numbers: list[int], percent: int
) -> None:
    exact = sorted(numbers)[ceil(len(numbers) * percent / 100) - 1]
    found = of(numbers)
    assert exact <= found.share(percent) <= exact + abs(exact) / 100
    assert found.share(percent) <= found.max


@given(st.lists(NUMBERS, min_size=1))
def test_the_count_and_the_highest_are_exact(numbers: list[int]) -> None:
    assert (of(numbers).count, of(numbers).max) == (len(numbers), max(numbers))


def test_of_no_numbers_all_is_nothing() -> None:
    assert (of([]).count, of([]).max, of([]).share(50)) == (0, 0, 0)


@pytest.mark.parametrize("most", [10**3, 10**6])
def test_more_numbers_take_no_more_memory(most: int) -> None:
    found = of([round(most ** (step / 20_000)) for step in range(20_000)])
    assert len(found._counts) <= 128 * 14


def test_small_numbers_are_kept_as_they_are() -> None:
    assert [of([number]).share(50) for number in range(-256, 257)] == list(range(-256, 257))


@given(st.lists(NUMBERS), st.lists(NUMBERS))
def test_two_that_are_joined_are_as_if_all_had_been_added_to_one(
    these: list[int], those: list[int]
) -> None:
    joined = of(these)
    joined.join(of(those))
    together = of(these + those)
    assert (joined.count, joined.max) == (together.count, together.max)
    assert [joined.share(percent) for percent in (1, 50, 99.9)] == [
        together.share(percent) for percent in (1, 50, 99.9)
    ]
