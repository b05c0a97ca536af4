"""Lines about something that changes often, no more of them than a person wants to read."""

import threading
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")


class Paced:
    """Which of many lines are told: the first at once, then the newest, one every few seconds.

    Nothing is told twice in a row, and the newest is told in the end however long that takes.
    Times are seconds of one clock.
    """

    def __init__(self, every: float) -> None:
        self._every = every
        self._told = ""
        self._kept = ""
        self._next: float | None = None

    def offer(self, line: str) -> None:
        """Keep a line to be told, in place of the one that was kept before."""
        self._kept = line

    def due(self, now: float) -> str:
        """Return the line to tell now; empty if there is none, or it is too early."""
        if self._kept == self._told or (self._next is not None and now < self._next):
            return ""
        self._next = now + self._every
        self._told = self._kept
        return self._told

    def wait(self, now: float) -> float | None:
        """Return after how many seconds a line is due; None if none is kept."""
        if self._kept == self._told or self._next is None:
            return None
        return max(0.0, self._next - now)

    def last(self) -> str:
        """Return the line that is still to be told at the end; empty if there is none."""
        return "" if self._kept == self._told else self._kept


class _Over:
    """The last thing in a queue: there is no more, and what it ended by."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class Arriving(Generic[T]):
    """What an iterable yields, taken with a limit of how long to wait for it.

    A thread reads the iterable; what it raises is raised by `take`.
    """

    def __init__(self, source: Iterable[T]) -> None:
        self._source = source
        self._queue: SimpleQueue[T | _Over] = SimpleQueue()
        self.over = False
        """Whether all was taken."""
        threading.Thread(target=self._read, daemon=True).start()

    def take(self, seconds: float | None, use: Callable[[T], None]) -> None:
        """Use the next thing; nothing is used if none came for so long, or there is no more."""
        try:
            found = self._queue.get(timeout=seconds)
        except Empty:
            return
        if not isinstance(found, _Over):
            use(found)
            return
        self.over = True
        if found.error is not None:
            raise found.error

    def _read(self) -> None:
        error: BaseException | None = None
        try:
            for one in self._source:
                self._queue.put(one)
        except BaseException as raised:  # noqa: BLE001 - it is raised again by who takes
            error = raised
        self._queue.put(_Over(error))
