"""The limits that time alone can reach in a match, and what reaching each means."""

from __future__ import annotations

from typing import NamedTuple

from kitumaija.engine import Seat
from kitumaija.server.match.charging import clock_limit
from kitumaija.server.match.course import advance, end_void, forfeit, run_out
from kitumaija.server.match.state import Draft, MatchPhase
from kitumaija.server.match.values import Fault, Nanos

CAP_REACHED = "The match took longer than its limits allow in all, which is the server's doing."
ALL_LOST = "All bots of the match were lost at the same instant."
AWAY_TOO_LONG = "The bot was away longer than the grace."


class Limit(NamedTuple):
    """The nearest limit: the last instant that is within it, and whose grace it is.

    `seat` is None for the clock of the open decision and for the match's own cap. In this order
    limits of the same instant are ruled: the clock, a grace by seat, the cap.
    """

    instant: Nanos
    rank: int
    seat: Seat | None = None


_CLOCK, _GRACE, _CAP = range(3)


def nearest_limit(draft: Draft) -> Limit:
    """Return the limit of a running game that is reached first."""
    nearest = Limit(draft.cap_ends, _CAP)
    pending = draft.pending
    if pending is not None:
        instant = clock_limit(draft, pending)
        if instant is not None and instant <= nearest.instant:
            nearest = Limit(instant, _CLOCK)
    for seat in draft.active_seats():
        instant = grace_limit(draft, seat)
        if instant is not None and (instant, _GRACE) < nearest[:2]:
            nearest = Limit(instant, _GRACE, seat)
    return nearest


def grace_limit(draft: Draft, seat: Seat) -> Nanos | None:
    """Return the last instant at which the seat's bot may come back; None if it is connected."""
    away = draft.seats[seat].away_since
    return None if away is None else Nanos(away + draft.terms.grace)


def rule_until(draft: Draft, until: Nanos, at: Nanos) -> None:
    """Rule on every limit that ends before `until`, earliest first; it is `at` now."""
    while draft.phase is MatchPhase.PLAYING:
        limit = nearest_limit(draft)
        if until <= limit.instant:
            return
        if limit.rank == _CLOCK and draft.pending is not None:
            run_out(draft, draft.pending, at)
            advance(draft, at)
        elif limit.seat is not None:
            rule_on_grace(draft, limit.seat, at)
        else:
            end_void(draft, CAP_REACHED)


def rule_on_clock(draft: Draft, seat: Seat, at: Nanos) -> None:
    """Rule on the seat's open decision by the seat's own stamp `at`, which proves the time."""
    pending = draft.pending
    if draft.phase is not MatchPhase.PLAYING or pending is None or pending.seat != seat:
        return
    limit = clock_limit(draft, pending)
    if limit is not None and at > limit:
        run_out(draft, pending, at)
        advance(draft, at)


def rule_on_grace(draft: Draft, seat: Seat, at: Nanos) -> None:
    """The seat's bot was away too long: forfeit the seat, if it still plays.

    If all seats were lost at the very same instant, it was the server or its network that was lost;
    then nobody is to blame and the match is void. Seats that are out or forfeited are asked too:
    two who were lost together, before the start, are not to undo what a third one reached.
    """
    if not draft.active(seat):
        return
    if len({record.away_since for record in draft.seats}) == 1:
        end_void(draft, ALL_LOST)
        return
    forfeit(draft, seat, Fault.DISCONNECTED, at, AWAY_TOO_LONG)
    advance(draft, at)
