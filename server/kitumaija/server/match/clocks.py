"""How time is charged: pure functions of measured nanoseconds. `server/docs/clocks.md` explains.

A verdict depends on the measured time alone. `used` is the time between two stamps, less what the
server stalled; `over` is what of it goes beyond `per_decision` and `margin`; time has run out if
and only if `over` is more than the bank.
"""

from __future__ import annotations

from dataclasses import dataclass

from kitumaija.server.match.values import (
    NANOS_PER_MICROSECOND,
    MatchSetup,
    Nanos,
    longest_match,
    nanos,
)


@dataclass(frozen=True, slots=True)
class Terms:
    """The limits of one match in nanoseconds, `match_cap` with its default filled in."""

    startup: int
    per_decision: int
    bank: int
    increment: int
    margin: int
    grace: int
    match_cap: int

    @classmethod
    def of(cls, setup: MatchSetup) -> Terms:
        """Return the terms of a match."""
        limits = setup.limits
        return cls(
            startup=nanos(limits.startup),
            per_decision=nanos(limits.per_decision),
            bank=nanos(limits.bank),
            increment=nanos(limits.increment),
            margin=nanos(limits.margin),
            grace=nanos(limits.grace),
            match_cap=nanos(limits.match_cap or longest_match(setup)),
        )


def used(started: Nanos | None, stopped: Nanos, retimed: int = 0) -> int:
    """Return the time from start to stop, less what the server stalled; never below zero.

    A clock that has not started, or that starts later, has used nothing.
    """
    return 0 if started is None else max(0, stopped - started - retimed)


def over(terms: Terms, time_used: int) -> int:
    """Return what a decision takes from the bank."""
    return max(0, time_used - terms.per_decision - terms.margin)


def in_time(terms: Terms, bank: int, time_used: int) -> bool:
    """Tell whether an answer after `time_used` counts."""
    return over(terms, time_used) <= bank


def last_instant(terms: Terms, bank: int, started: Nanos, retimed: int = 0) -> Nanos:
    """Return the last stamp at which an answer counts: `in_time` up to here, and not after."""
    return Nanos(started + terms.per_decision + terms.margin + bank + retimed)


def bank_after(terms: Terms, bank: int, time_used: int, *, answered: bool) -> int:
    """Return the bank after a decision: less what it took, and the increment for an answer."""
    left = max(0, bank - over(terms, time_used))
    return left + terms.increment if answered else left


def time_left(terms: Terms, bank: int, time_used: int) -> int:
    """Return the time left as a bot is told it: of `per_decision` and the bank, not the margin."""
    return max(0, terms.per_decision + bank - time_used)


def stalled_inside(since: Nanos, until: Nanos, started: Nanos) -> int:
    """Return how much of a stall from `since` to `until` lies after `started`."""
    return max(0, until - max(since, started))


def retimed(terms: Terms, stalled: int) -> int:
    """Return what is taken off a decision of which the server stalled so much in all.

    Up to the margin nothing, for that is what the margin forgives; beyond it everything.
    """
    return stalled if stalled > terms.margin else 0


def microseconds(duration: int) -> int:
    """Return nanoseconds in whole microseconds, as told and recorded; the rest is cut off."""
    return duration // NANOS_PER_MICROSECOND


def microseconds_up(duration: int) -> int:
    """Return them rounded up: what is kept of a clock must never be less."""
    return -(-duration // NANOS_PER_MICROSECOND)
