"""How many messages a bot may send: as many as it was asked for, and some more a second.

It is the bot's and not its stream's: coming back does not fill the bucket.
"""

from __future__ import annotations

from kitumaija.server.clock import NANOS_PER_SECOND
from kitumaija.server.match.values import Nanos

ANSWERS_PER_ASKED = 2
"""What one message that asks for something earns: the answer, and the answer sent again."""


class Allowance:
    """A bucket that fills with time and with what the bot is asked, and holds `burst` messages.

    So a bot that plays hundreds of fast matches never comes near its limit, and one that only
    sends is over it after `burst` messages.
    """

    __slots__ = ("_burst", "_filled_at", "_left", "_per_second")

    def __init__(self, *, per_second: int, burst: int, at: Nanos) -> None:
        self._per_second = per_second
        self._burst = burst
        self._left = float(burst)
        self._filled_at = at

    def widen(self, burst: int) -> None:
        """Hold `burst` messages from now on, if that is more than before; what is new is full."""
        self._left += max(0, burst - self._burst)
        self._burst = max(self._burst, burst)

    def asked(self) -> None:
        """Note that the bot was asked for something."""
        self._left = min(float(self._burst), self._left + ANSWERS_PER_ASKED)

    def spend(self, messages: int, at: Nanos) -> bool:
        """Take for so many messages; False, and nothing is taken, if there is not enough."""
        earned = (at - self._filled_at) * self._per_second / NANOS_PER_SECOND
        self._left = min(float(self._burst), self._left + earned)
        self._filled_at = at
        if messages and messages > self._left:
            return False
        self._left -= messages
        return True

    def owe(self, messages: int, at: Nanos) -> None:
        """Take for so many messages, whether there is enough or not: what is owed fills first."""
        self.spend(0, at)
        self._left -= messages

    def seconds_until(self, messages: int) -> float:
        """Return how long after the last `spend` there will be enough for so many."""
        return max(0.0, messages - self._left) / self._per_second
