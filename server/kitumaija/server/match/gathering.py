"""What happens to a match while it is offered and not all are ready."""

from __future__ import annotations

from kitumaija.engine import Seat
from kitumaija.server.match.course import begin_game, end_not_started, end_void
from kitumaija.server.match.events import (
    Connected,
    Disconnected,
    ForfeitOrdered,
    ReadyArrived,
    Tick,
)
from kitumaija.server.match.limits import CAP_REACHED
from kitumaija.server.match.noting import note
from kitumaija.server.match.state import Draft
from kitumaija.server.match.telling import tell_offer
from kitumaija.server.match.values import SETTLE_NS, Fault
from kitumaija.wire.record import IncidentKind


def connected(draft: Draft, event: Connected) -> None:
    """Offer the match on the new stream."""
    if draft.seats[event.seat].known and draft.seats[event.seat].away_since is not None:
        note(draft, event.seat, IncidentKind.BACK, event.at)
    draft.seats[event.seat] = draft.seats[event.seat]._replace(
        away_since=None, back_since=event.at, known=True, left=False, round_trip_us=0
    )
    tell_offer(draft, event.seat)


def disconnected(draft: Draft, event: Disconnected) -> None:
    """A lost bot stays ready; one that left on purpose has to say Ready again."""
    record = draft.seats[event.seat]
    if record.away_since is None:
        kind = IncidentKind.LEFT if event.goodbye else IncidentKind.LOST
        note(draft, event.seat, kind, event.at)
    draft.seats[event.seat] = record._replace(
        away_since=event.at if record.away_since is None else record.away_since,
        ready=record.ready and not event.goodbye,
    )


def ready(draft: Draft, event: ReadyArrived) -> None:
    """Note that the bot is ready, unless its start-up took too long; begin when all are."""
    if event.at > draft.startup_ends:
        return
    draft.seats[event.seat] = draft.seats[event.seat]._replace(ready=True, known=True)
    if all(record.ready for record in draft.seats):
        begin_game(draft, event.at)


def tick(draft: Draft, event: Tick) -> None:
    """Give the match up when its start-up is over, or when it took too long in all."""
    until = event.at - SETTLE_NS
    if until > draft.cap_ends and draft.cap_ends < draft.startup_ends:
        end_void(draft, CAP_REACHED)
    elif until > draft.startup_ends:
        absent = [
            (Seat(seat), Fault.STARTUP_TIMEOUT if record.known else Fault.NO_SHOW)
            for seat, record in enumerate(draft.seats)
            if not record.ready
        ]
        end_not_started(draft, tuple(absent))


def forfeit_ordered(draft: Draft, event: ForfeitOrdered) -> None:
    """A match without one of its bots does not begin."""
    note(
        draft,
        event.seat,
        IncidentKind.FORFEITED,
        event.at,
        detail=event.detail,
        fault=event.fault,
    )
    end_not_started(draft, ((event.seat, event.fault),))
