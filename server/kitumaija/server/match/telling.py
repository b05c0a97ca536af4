"""What a seat is told: built from what it may know, and from nothing else."""

from __future__ import annotations

from kitumaija.engine import Event, Seat, event_for, view
from kitumaija.server.match.clocks import microseconds, time_left, used
from kitumaija.server.match.commands import (
    AskDecision,
    EndMatch,
    OfferMatch,
    SeatPlayers,
    SyncMatch,
)
from kitumaija.server.match.state import Draft
from kitumaija.server.match.values import MatchEnding, MatchPlayed, MatchVoid, Nanos

NOT_STARTED = "The match did not begin: not every bot was ready for it in time."


def tell_offer(draft: Draft, seat: Seat) -> None:
    """Offer the match: the number of seats and the limits, no more."""
    draft.tell(seat, OfferMatch(draft.setup.seats, draft.setup.limits))


def tell_seating(draft: Draft) -> None:
    """Tell every bot who sits where."""
    setup = draft.setup
    for seat in map(Seat, range(setup.seats)):
        draft.tell(seat, SeatPlayers(seat, setup.entrants, setup.options))


def tell_sync(draft: Draft, seat: Seat) -> None:
    """Tell a bot all that its seat knows; it has been told every event then."""
    setup = draft.setup
    events = _events(draft, seat, 0)
    draft.tell(seat, SyncMatch(setup.entrants, seat, setup.options, events, setup.limits))
    draft.told[seat] = len(draft.events)


def tell_decision(draft: Draft, at: Nanos) -> None:
    """Ask the open decision, for the first time or again, with the time that is left at `at`."""
    pending = draft.pending
    if pending is None:
        return
    seat = pending.seat
    record = draft.seats[seat]
    if record.away_since is not None:
        return
    time_used = used(pending.started, at, pending.retimed)
    left = time_left(draft.terms, record.bank, time_used)
    draft.tell(
        seat,
        AskDecision(
            pending.decision_id,
            view(draft.game, seat),
            pending.legal,
            draft.told[seat],
            _events(draft, seat, draft.told[seat]),
            microseconds(left),
            microseconds(min(left, record.bank)),
            record.last_used_us,
            record.round_trip_us,
        ),
    )
    draft.told[seat] = len(draft.events)


def tell_end(draft: Draft, seat: Seat) -> None:
    """Tell a bot how the match came out, which must be over."""
    result = draft.result
    if isinstance(result, MatchPlayed):
        draft.tell_end(seat, _played(draft, seat, result))
    else:
        reason = result.reason if isinstance(result, MatchVoid) else NOT_STARTED
        draft.tell_end(seat, EndMatch(MatchEnding.VOID, reason=reason))


def tell_end_anew(draft: Draft, seat: Seat) -> None:
    """Tell it to a bot on a new stream, with all events: what it was told before may be lost."""
    draft.told[seat] = 0
    tell_end(draft, seat)


def _played(draft: Draft, seat: Seat, result: MatchPlayed) -> EndMatch:
    game = draft.game
    first = draft.told[seat]
    return EndMatch(
        ending=result.ending,
        outcome=game.outcome,
        places=result.game.result.placing,
        forfeits=result.forfeits,
        faults=result.faults,
        first_event=first,
        events=_events(draft, seat, first),
        hands=tuple(game.hand(holder) for holder in map(Seat, range(game.seats))),
        stock=game.stock,
        pile=game.pile,
        deal=draft.setup.deal,
    )


def _events(draft: Draft, seat: Seat, first: int) -> tuple[Event, ...]:
    return tuple([event_for(event, seat) for event in draft.events.since(first)])
