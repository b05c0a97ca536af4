"""What happens to a match while its game is played; answers have a room of their own."""

from __future__ import annotations

from kitumaija.server.match.course import advance, forfeit
from kitumaija.server.match.events import (
    Connected,
    DecisionSent,
    Disconnected,
    ForfeitOrdered,
    ResyncAsked,
    Tick,
)
from kitumaija.server.match.limits import grace_limit, rule_on_clock, rule_on_grace, rule_until
from kitumaija.server.match.noting import note
from kitumaija.server.match.state import Draft, MatchPhase
from kitumaija.server.match.telling import tell_decision, tell_end_anew, tell_sync
from kitumaija.server.match.values import SETTLE_NS, Nanos
from kitumaija.wire.record import IncidentKind


def connected(draft: Draft, event: Connected) -> None:
    """Tell a bot that is back, or on a newer stream, everything, and ask again what is open.

    Its clock ran on. If the grace is over by the stamp of its own coming, no `Tick` is needed.
    """
    seat, at = event.seat, event.at
    rule_on_clock(draft, seat, at)
    limit = grace_limit(draft, seat)
    if limit is not None and at > limit and draft.phase is MatchPhase.PLAYING:
        rule_on_grace(draft, seat, at)
    _start_clock(draft, event)
    record = draft.seats[seat]
    if record.away_since is not None and draft.phase is MatchPhase.PLAYING:
        note(draft, seat, IncidentKind.BACK, at)
    draft.seats[seat] = record._replace(
        away_since=None,
        back_since=record.back_since if record.away_since is None else at,
        known=True,
        left=False,
        round_trip_us=0,
    )
    if draft.phase is MatchPhase.OVER:
        tell_end_anew(draft, seat)
        return
    tell_sync(draft, seat)
    if draft.pending is not None and draft.pending.seat == seat:
        tell_decision(draft, at)


def disconnected(draft: Draft, event: Disconnected) -> None:
    """Note since when the bot is away; the clock of what it was asked runs from now at the latest.

    After a Goodbye its decisions are made by default, at once, until it comes back.
    """
    record = draft.seats[event.seat]
    lost = record.away_since is None
    draft.seats[event.seat] = record._replace(
        away_since=event.at if lost else record.away_since,
        left=record.left or event.goodbye,
        round_trip_us=0,
    )
    pending = draft.pending
    if lost and pending is not None and pending.seat == event.seat and pending.started is None:
        draft.pending = pending._replace(started=event.at)
    if lost or event.goodbye:
        kind = IncidentKind.LEFT if event.goodbye else IncidentKind.LOST
        note(draft, event.seat, kind, event.at)
    if event.goodbye:
        advance(draft, event.at)


def decision_sent(draft: Draft, event: DecisionSent) -> None:
    """Start the clock of the open decision, if it has not started yet."""
    pending = draft.pending
    if (
        pending is not None
        and pending.seat == event.seat
        and pending.decision_id == event.decision_id
        and pending.started is None
    ):
        draft.pending = pending._replace(
            started=event.at, server_ns=max(0, event.at - event.handed_at)
        )


def tick(draft: Draft, event: Tick) -> None:
    """Rule on every limit that has been over for so long that no answer is under way any more."""
    rule_until(draft, Nanos(event.at - SETTLE_NS), event.at)


def resync_asked(draft: Draft, event: ResyncAsked) -> None:
    """Tell the bot everything again; what is open is asked again, with the time that is left."""
    rule_on_clock(draft, event.seat, event.at)
    if draft.phase is MatchPhase.OVER:
        return
    tell_sync(draft, event.seat)
    if draft.pending is not None and draft.pending.seat == event.seat:
        tell_decision(draft, event.at)


def forfeit_ordered(draft: Draft, event: ForfeitOrdered) -> None:
    """Forfeit the seat at once; one that is out keeps its place, one forfeited its fault."""
    if draft.active(event.seat):
        forfeit(draft, event.seat, event.fault, event.at, event.detail)
        advance(draft, event.at)


def _start_clock(draft: Draft, event: Connected) -> None:
    """Say what coming back means to the clock of the open decision, if that is the seat's.

    A clock that was to start by itself, because the server had been away, waits for the sending
    again. A stream that replaces another before the decision was sent starts it, as losing the
    other would have.
    """
    pending = draft.pending
    if pending is None or pending.seat != event.seat:
        return
    if pending.started is not None and pending.started > event.at:
        draft.pending = pending._replace(started=None)
    elif pending.started is None and draft.seats[event.seat].away_since is None:
        draft.pending = pending._replace(started=event.at)
