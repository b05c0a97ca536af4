"""How long to wait before dialling again."""

from __future__ import annotations

from random import Random

FIRST = 0.25
LONGEST = 5.0
"""However long a server was away, a bot is back within this time of its return: well within the
grace that a match gives by default."""

STEADY = 5.0
"""A stream that lived this long, in seconds, shows that dialling helps."""


class Backoff:
    """Waits that double from one failure to the next, each drawn at random below its bound.

    The bounds are in seconds. The draw keeps the bots of a restarted server from dialling all at
    the same moment, and from doing so again and again.
    """

    def __init__(self, random: Random, *, first: float = FIRST, longest: float = LONGEST) -> None:
        self._random = random
        self._first = first
        self._longest = longest
        self._failures = 0

    def worked(self) -> None:
        """Take note that a stream was good: the next wait is short again."""
        self._failures = 0

    def next_wait(self, at_least: float = 0.0) -> float:
        """Return how many seconds to wait after one more failure, `at_least` as long as asked."""
        # The bound is reached long before the power could grow beyond a float.
        bound = min(self._longest, self._first * 2 ** min(self._failures, 32))
        self._failures += 1
        return at_least + self._random.uniform(0, bound)
