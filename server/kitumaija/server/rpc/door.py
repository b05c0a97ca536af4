"""The door of every call: how often a caller may call, and how much of it at once.

A caller is the bot whose token comes with the call. Who has no token, or one that is nobody's, is
the address that he calls from: whatever he makes up, he is the same caller. The organizer may do
what he likes.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from kitumaija.server.clock import Clock, nanos
from kitumaija.server.errors import PermissionDenied, ResourceExhausted, Unauthenticated
from kitumaija.server.limits import ServerLimits
from kitumaija.server.rpc.addresses import Peer, peer_of
from kitumaija.server.rpc.allowance import Allowance
from kitumaija.server.rpc.auth import Caller, CallMetadata
from kitumaija.wire.status import ErrorReason

_LARGE_READS: Final = frozenset({"ExportTournament", "GetClocks", "GetStandings"})
"""The calls that read a whole tournament."""

_REPLAYS: Final = frozenset({"ExplainSeat", "GetRecord", "GetSeatReplay", "WatchMatch"})
"""The calls for which a game may be played again."""

_CHANGES: Final = frozenset({"EnterTournament", "RegisterBot", "RotateToken", "WithdrawEntrant"})
"""The calls by which others than the organizer change what is stored."""

_SEARCHES: Final = frozenset({"ApplyActions", "SampleWorlds"})
"""The calls for which worlds are drawn or played in."""


class CallContext(CallMetadata, Protocol):
    """What is asked of a gRPC context here."""

    def peer(self) -> str:
        """Return where the call comes from."""
        ...


@dataclass(frozen=True, slots=True)
class Visit:
    """A call that was let in, and may count as more calls than one."""

    spend: Callable[[int], None]
    """Counts it as so many calls more, or raises `ResourceExhausted`."""
    owe: Callable[[int], None]
    """Does so when what costs that much is done: the caller's next calls may be refused for it."""


class Door:
    """Lets calls in, and counts those that are open.

    `caller` finds who calls, as `Authenticator.caller` does; calls come on so many `connections` of
    one address at once.
    """

    def __init__(
        self,
        caller: Callable[[CallMetadata], Caller],
        clock: Clock,
        limits: ServerLimits,
        *,
        connections: int,
    ) -> None:
        self._connections = connections
        self._caller = caller
        self._clock = clock
        self._limits = limits
        self._open: Counter[str] = Counter()
        self._peers: defaultdict[str, Counter[Peer]] = defaultdict(Counter)
        # A bucket that was not looked at for as long as it takes to fill is like a new one: so
        # those of the last two such whiles are all that need be kept.
        self._buckets: dict[str, Allowance] = {}
        self._older: dict[str, Allowance] = {}
        self._aged_at = clock.now()

    @contextmanager
    def open(self, context: CallContext, method: str) -> Iterator[Visit]:
        """Let a call in, for as long as it is answered. Raises `ResourceExhausted`."""
        peer = peer_of(context.peer())
        name = self._name(context, peer)
        self._spend(name, self._price(method.rpartition("/")[2]))
        self._enter(name, peer)
        try:
            yield Visit(partial(self._spend, name), partial(self._owe, name))
        finally:
            self._leave(name, peer)

    def busy(self, peer: Peer) -> bool:
        """Return whether a call of this connection is open."""
        return peer in self._peers.get(peer.address, ())

    # Within

    def _name(self, context: CallContext, peer: Peer) -> str | None:
        """Return whose call it is; None is the organizer's."""
        try:
            caller = self._caller(context)
        except (Unauthenticated, PermissionDenied):
            return peer.address  # The handler says why.
        if caller.is_organizer:
            return None
        return peer.address if caller.bot is None else caller.name

    def _spend(self, name: str | None, price: int) -> None:
        if name is None or not price:
            return
        limits, now = self._limits, self._clock.now()
        bucket = self._bucket(name)
        if not bucket.spend(price, now):
            seconds = max(1, math.ceil(bucket.seconds_until(price)))
            raise ResourceExhausted(
                ErrorReason.RESOURCE_EXHAUSTED,
                f"more calls came than the server takes, which is {limits.calls_per_second} a "
                f"second; call again in {seconds} s, or watch instead of asking again and again",
                {
                    "resource": "calls",
                    "limit": str(limits.calls_per_second),
                    "retry_seconds": str(seconds),
                },
            )

    def _owe(self, name: str | None, price: int) -> None:
        if name is not None and price:
            self._bucket(name).owe(price, self._clock.now())

    def _price(self, method: str) -> int:
        limits = self._limits
        if method in _LARGE_READS:
            return limits.calls_per_large_read
        if method in _REPLAYS:
            return limits.calls_per_replay
        if method in _SEARCHES:
            return limits.calls_per_search
        return limits.calls_per_change if method in _CHANGES else 1

    def _bucket(self, name: str) -> Allowance:
        limits, now = self._limits, self._clock.now()
        if now - self._aged_at > nanos(limits.calls_refill):
            self._older, self._buckets, self._aged_at = self._buckets, {}, now
        bucket = self._buckets.get(name) or self._older.get(name)
        if bucket is None:
            bucket = Allowance(per_second=limits.calls_per_second, burst=limits.calls_burst, at=now)
        self._buckets[name] = bucket
        return bucket

    def _enter(self, name: str | None, peer: Peer) -> None:
        limits = self._limits
        if name is not None and self._open[name] >= limits.open_calls:
            raise _too_many("open_calls", limits.open_calls, "calls are open")
        here = self._peers[peer.address]
        if peer not in here and len(here) >= self._connections:
            what = "connections of this address are in use"
            raise _too_many("connections", self._connections, what)
        here[peer] += 1
        if name is not None:
            self._open[name] += 1

    def _leave(self, name: str | None, peer: Peer) -> None:
        here = self._peers[peer.address]
        here[peer] -= 1
        if not here[peer]:
            del here[peer]
        if not here:
            del self._peers[peer.address]
        if name is not None:
            self._open[name] -= 1
            if not self._open[name]:
                del self._open[name]


def _too_many(resource: str, most: int, what: str) -> ResourceExhausted:
    return ResourceExhausted(
        ErrorReason.RESOURCE_EXHAUSTED,
        f"{most} {what} already, which is as many as the server takes: end one, or come back later",
        {"resource": resource, "limit": str(most), "retry_seconds": "10"},
    )
