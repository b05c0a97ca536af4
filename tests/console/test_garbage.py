"""A process looks for garbage rarely, and not among what was there before."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from kitumaija.console.garbage import THRESHOLDS, keep_what_is_there, search_rarely


class Cycle:
    """Refers to itself, so that only the search finds it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)


def test_garbage_is_searched_for_rarely() -> None:
    search_rarely()

    assert gc.get_threshold() == THRESHOLDS


def test_what_is_there_is_kept_and_what_comes_later_is_found() -> None:
    before = Cycle()
    kept = weakref.ref(before)
    keep_what_is_there()
    after = Cycle()
    found = weakref.ref(after)

    del before, after
    gc.collect()

    assert kept() is not None
    assert found() is None
