"""The heartbeat of a stream: when it was last heard, when it is pinged, how long a Ping took."""

from __future__ import annotations

from functools import partial

from kitumaija.server.clock import nanos
from kitumaija.server.limits import ROUND_TRIPS_KEPT, ServerLimits
from kitumaija.server.lobby.connection import Delivery
from kitumaija.server.match.clocks import stalled_inside
from kitumaija.server.match.values import Nanos
from kitumaija.v1 import arena_pb2


class Heartbeat:
    """What of one stream is measured by stamps; it sends nothing itself."""

    def __init__(self, limits: ServerLimits, at: Nanos) -> None:
        self._every = nanos(limits.ping_every)
        self._heard_at = at
        self._due = at
        self._pinged = 0
        self._sent: dict[int, Nanos] = {}

    def heard(self, at: Nanos) -> None:
        """Note that something came."""
        self._heard_at = at

    def silence(self, now: Nanos) -> int:
        """Return for how many nanoseconds nothing has come."""
        return now - self._heard_at

    def ping(self, now: Nanos) -> tuple[arena_pb2.ServerMessage, Delivery] | None:
        """Return the Ping that is to be sent now, with what is to be told of its way; None if none
        is due."""
        if now < self._due:
            return None
        self._due = Nanos(now + self._every)
        self._pinged += 1
        nonce = self._pinged
        self._sent.pop(nonce - ROUND_TRIPS_KEPT, None)
        message = arena_pb2.ServerMessage(ping=arena_pb2.Ping(nonce=nonce))
        return message, Delivery(written=partial(self._sent.__setitem__, nonce))

    def pong(self, nonce: int, at: Nanos) -> int | None:
        """Return how many nanoseconds a Ping took; None for one that was not sent, or long ago."""
        sent_at = self._sent.pop(nonce, None)
        return None if sent_at is None else at - sent_at

    def stalled(self, since: Nanos, until: Nanos) -> None:
        """Leave out of everything that the server stood still itself."""

        def without(at: Nanos) -> Nanos:
            return Nanos(at + stalled_inside(since, until, at))

        self._heard_at = without(self._heard_at)
        for nonce, sent_at in self._sent.items():
            self._sent[nonce] = without(sent_at)
