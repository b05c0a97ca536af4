"""A connected bot, as the lobby sees it: who it is, and a line to say something on.

The lobby knows no gRPC: the line behind a connection is `rpc/stream.py`, or a list in a test.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from kitumaija.engine import Seat
from kitumaija.server.errors import KitumaijaError
from kitumaija.server.limits import ROUND_TRIPS_KEPT
from kitumaija.server.match.values import Nanos
from kitumaija.v1 import arena_pb2


@dataclass(frozen=True, slots=True)
class BotInfo:
    """What a bot's Hello says about it."""

    version: str
    sdk: str
    language: str


@dataclass(slots=True, eq=False)
class Asked:
    """A decision on its way to a bot; its clock starts when it is written, or soon after hand-over.

    `handed_at` is when it was put on the line, and the clock starts at `latest` at the latest.
    While the decision is `held` there is no such moment. `started` turns true once, with the clock.
    """

    match_id: str
    seat: Seat
    decision_id: int
    handed_at: Nanos = Nanos(0)  # noqa: RUF009 - a number
    latest: Nanos = Nanos(0)  # noqa: RUF009 - a number
    held: bool = False
    started: bool = False


Stamped: TypeAlias = Callable[[Nanos], None]
"""Called with the moment at which something happened."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What is told of a message on its way: any number of times `held` and then `released`, when
    the server keeps it back for its own sake; then `written`, when its write has returned.
    """

    written: Stamped
    held: Callable[[], None] = lambda: None
    released: Stamped = lambda _: None


class Line(Protocol):
    """Where messages to one bot are put; they leave in the order they came."""

    def put(self, message: arena_pb2.ServerMessage, delivery: Delivery | None = None) -> None:
        """Hand over a message, with what is told of its way.

        Never waits. A line that is closed drops what it gets: what matters is said again on the
        bot's next stream.
        """
        ...

    def end(self, error: KitumaijaError | None = None) -> None:
        """End the stream after what is on it already; with `error` as its status."""
        ...


@dataclass(slots=True, eq=False)
class Connection:
    """One stream of one bot, from its Hello to its end."""

    bot_id: str
    display_name: str
    info: BotInfo
    capacity: int
    line: Line
    matches: tuple[str, ...] = ()
    """The matches that the bot said it still plays."""
    _round_trips: deque[int] = field(default_factory=lambda: deque(maxlen=ROUND_TRIPS_KEPT))

    @property
    def round_trip(self) -> int | None:
        """The estimate of the round trip in nanoseconds, None while there is none."""
        return min(self._round_trips, default=None)

    def measured(self, round_trip: int) -> int:
        """Note the time from a Ping to its Pong, in nanoseconds, and return the estimate.

        The estimate is the shortest of the last few: a bot that thinks answers late, but the
        network never answers early.
        """
        self._round_trips.append(round_trip)
        return min(self._round_trips)
