"""Work by number on all cores: what comes of it is the same however many there are."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")

_PIECES = 8
"""Of each process's work, so that none waits long for the last."""


def cores() -> int:
    """How many processes can work at once."""
    return os.cpu_count() or 1


def by_number(work: Callable[[int], Result], count: int, *, jobs: int) -> list[Result]:
    """Do the work of each number below `count`, in so many processes; results are in order.

    With more than one job they are new processes: the work and what comes of it are pickled.
    """
    if jobs == 1:
        return [work(number) for number in range(count)]
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        return list(pool.map(work, range(count), chunksize=max(1, count // (jobs * _PIECES))))
