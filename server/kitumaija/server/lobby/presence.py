"""Who is connected, with what, and for how many more matches.

One stream a bot: the newest wins, and a token whose streams keep replacing each other is locked for
a while, so that two copies of a bot do not throw each other out for ever.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Protocol

from kitumaija.server.clock import NANOS_PER_SECOND, nanos
from kitumaija.server.errors import KitumaijaError, ResourceExhausted
from kitumaija.server.limits import ServerLimits
from kitumaija.server.lobby.connection import BotInfo, Connection
from kitumaija.server.match.values import Nanos
from kitumaija.wire.status import ErrorReason


class PresenceListener(Protocol):
    """Somebody who is told who comes and goes: in that order, inside the same call."""

    def arrived(self, connection: Connection, at: Nanos) -> None:
        """The bot's stream is this one now. An older one is replaced, without having `left`."""
        ...

    def left(self, connection: Connection, at: Nanos, *, goodbye: bool) -> None:
        """The stream is the bot's no more; `goodbye`: it left on purpose."""
        ...


class Presence:
    """The connected bots, and how many seats each of them has taken."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._connections: dict[str, Connection] = {}
        self._taken: Counter[str] = Counter()
        self._replaced: dict[str, deque[Nanos]] = {}
        self._locked_until: dict[str, Nanos] = {}
        self._listeners: list[PresenceListener] = []

    def listen(self, listener: PresenceListener) -> None:
        """Tell `listener` from now on who comes and goes."""
        self._listeners.append(listener)

    # Who is there

    def connection(self, bot_id: str) -> Connection | None:
        """Return the bot's stream, or None while it has none."""
        return self._connections.get(bot_id)

    def connected(self, bot_id: str) -> bool:
        """Tell whether the bot has a stream."""
        return bot_id in self._connections

    def info(self, bot_id: str) -> BotInfo | None:
        """Return what the connected bot's Hello said, or None while it is away."""
        connection = self._connections.get(bot_id)
        return None if connection is None else connection.info

    def __len__(self) -> int:
        """Return how many bots are connected."""
        return len(self._connections)

    # How much each can take

    def capacity(self, bot_id: str) -> int:
        """Return how many matches at once the bot plays.

        A bot that is away counts as 1, the least that it may say when it comes: so one match after
        the other finds out that it does not show up.
        """
        connection = self._connections.get(bot_id)
        return 1 if connection is None else connection.capacity

    def free(self, bot_id: str) -> int:
        """Return how many more matches the bot can be given now."""
        return max(0, self.capacity(bot_id) - self._taken[bot_id])

    def taken(self, bot_id: str) -> int:
        """Return in how many matches the bot sits."""
        return self._taken[bot_id]

    def take(self, bot_id: str) -> None:
        """Count one more match of the bot."""
        self._taken[bot_id] += 1

    def give_back(self, bot_id: str) -> None:
        """Count one match of the bot less."""
        self._taken[bot_id] -= 1
        if not self._taken[bot_id]:
            del self._taken[bot_id]

    # Coming and going

    def admit(self, bot_id: str, at: Nanos) -> None:
        """Raise `ResourceExhausted` if the bot replaced too many streams to open another now."""
        locked_until = self._locked_until.get(bot_id)
        if locked_until is None and bot_id in self._connections:
            locked_until = self._count_replacement(bot_id, at)
        if locked_until is None:
            return
        if at >= locked_until:
            del self._locked_until[bot_id]
            self._replaced.pop(bot_id, None)
            return
        seconds = -(-(locked_until - at) // NANOS_PER_SECOND)
        raise ResourceExhausted(
            ErrorReason.TOO_MANY_REPLACEMENTS,
            f"streams of this token replaced each other more than "
            f"{self._limits.replacements_max} times within "
            f"{self._limits.replacements_within.total_seconds():g} s, so no more is opened for "
            f"{seconds} s: run one copy of the bot only",
            {"retry_seconds": str(seconds)},
        )

    def arrive(self, connection: Connection, at: Nanos) -> None:
        """Make `connection` the bot's stream; an older one is ended with reason REPLACED."""
        older = self._connections.get(connection.bot_id)
        self._connections[connection.bot_id] = connection
        if older is not None:
            older.line.end(
                KitumaijaError(
                    ErrorReason.REPLACED,
                    "this token opened a newer stream, which is the bot's now",
                )
            )
        for listener in self._listeners:
            listener.arrived(connection, at)

    def leave(self, connection: Connection, at: Nanos, *, goodbye: bool = False) -> None:
        """Note that a stream is gone; nothing happens if it was not the bot's any more."""
        if self._connections.get(connection.bot_id) is not connection:
            return
        del self._connections[connection.bot_id]
        for listener in self._listeners:
            listener.left(connection, at, goodbye=goodbye)

    def shut_out(self, bot_id: str, error: KitumaijaError) -> None:
        """End the bot's stream, if it has one, with `error` as its status.

        For a token that is no longer valid. The stream's own end makes it `leave`.
        """
        connection = self._connections.get(bot_id)
        if connection is not None:
            connection.line.end(error)

    def _count_replacement(self, bot_id: str, at: Nanos) -> Nanos | None:
        """Note a replacement; if it is one too many, return until when the token is locked."""
        times = self._replaced.setdefault(bot_id, deque())
        oldest = at - nanos(self._limits.replacements_within)
        while times and times[0] <= oldest:
            times.popleft()
        if len(times) < self._limits.replacements_max:
            times.append(at)
            return None
        locked_until = Nanos(at + nanos(self._limits.lock_for))
        self._locked_until[bot_id] = locked_until
        return locked_until
