"""The shuffle that is never stored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitumaija.server.schedule.permutation import Permutation


@given(size=st.integers(1, 3000), seed=st.binary(max_size=40))
def test_a_permutation_meets_every_number_once(size: int, seed: bytes) -> None:
    shuffled = Permutation(size, seed, "any")
    assert sorted(shuffled[number] for number in range(size)) == list(range(size))


def test_a_permutation_depends_on_seed_and_label() -> None:
    def order(seed: bytes, label: str) -> list[int]:
        return [Permutation(500, seed, label)[number] for number in range(500)]

    assert order(b"a", "x") == order(b"a", "x")
    assert order(b"a", "x") != order(b"b", "x")
    assert order(b"a", "x") != order(b"a", "y")


def test_what_is_outside_is_refused() -> None:
    with pytest.raises(IndexError):
        Permutation(3, bytes(32), "any")[3]
    with pytest.raises(ValueError, match="at least 1 number"):
        Permutation(0, bytes(32), "any")
