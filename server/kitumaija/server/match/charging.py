"""The clock of the open decision: until when an answer counts, and what was measured so far."""

from __future__ import annotations

from kitumaija.server.match.clocks import last_instant, microseconds, used
from kitumaija.server.match.state import Draft, Pending
from kitumaija.server.match.values import Nanos
from kitumaija.wire.record import DecisionTiming


def clock_limit(draft: Draft, pending: Pending) -> Nanos | None:
    """Return the last instant at which an answer counts; None while the clock has not started."""
    if pending.started is None:
        return None
    bank = draft.seats[pending.seat].bank
    return last_instant(draft.terms, bank, pending.started, pending.retimed)


def time_used(draft: Draft, pending: Pending, at: Nanos) -> int:
    """Return what the decision has used at `at`, in nanoseconds.

    A clock that ran out has used what it had, whenever that was noticed.
    """
    limit = clock_limit(draft, pending)
    stopped = at if limit is None else min(at, limit)
    return used(pending.started, stopped, pending.retimed)


def timing_at(draft: Draft, pending: Pending, at: Nanos) -> DecisionTiming:
    """Return the times of the decision as they are at `at`."""
    return DecisionTiming(
        microseconds(time_used(draft, pending, at)),
        draft.seats[pending.seat].round_trip_us,
        microseconds(pending.server_ns),
        microseconds(pending.retimed),
    )
