"""What holds for every test."""

from __future__ import annotations

import gc
import os
import signal
from typing import Final

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

# Deadlines measure the machine, not the code. CI plays the same examples every time, so that what
# fails there fails here; by hand each run looks at others.
settings.register_profile("kitumaija", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("kitumaija")

# Whom a shell starts in the background ignores Ctrl-C, and so would everything that a test starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

WORKERS_MAX: Final = 16
LANES: Final = 3
"""How many files of whole tournaments are run side by side: each starts a dozen processes."""


def pytest_collection() -> None:
    """Leave garbage where it is while tests are collected: all of that stays to the end, and the
    search would go through it again and again."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Look for garbage again, but only among what the tests make."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_xdist_auto_num_workers() -> int:
    """Run twice as many tests at once as there are cores: many wait for what runs beside them."""
    return min(2 * (os.cpu_count() or 1), WORKERS_MAX)


class Lanes(LoadScopeScheduling):
    """A file's tests stay with one worker, since they share what they set up. Whole tournaments
    are begun first, for they take longest, but only so many at a time: they wait for each other's
    processes. What else there is goes on beside them, in the order in which it was collected."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.partition("::")[0]

    def _assign_work_unit(self, node: WorkerController) -> None:
        long = self._long_running() < LANES
        wanted = (file for file in self.workqueue if _is_long(file) == long)
        if (file := next(wanted, None)) is not None:
            self.workqueue.move_to_end(file, last=False)
        super()._assign_work_unit(node)

    def _long_running(self) -> int:
        return sum(
            any(_is_long(file) and not all(done.values()) for file, done in files.items())
            for files in self.assigned_work.values()
        )


def _is_long(file: str) -> bool:
    return file.startswith("tests/e2e/")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Lanes:
    """Share the tests out by files, whole tournaments first and a few at a time."""
    return Lanes(config, log)
