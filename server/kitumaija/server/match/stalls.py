"""What the server took of a bot's time by standing still, or by waiting for its disk.

A stall may be told in parts, and of two kinds at once; whatever of a decision was counted once is
not counted again. `docs/clocks.md` says what is given back.
"""

from __future__ import annotations

from kitumaija.engine import Seat
from kitumaija.server.match.clocks import retimed, stalled_inside
from kitumaija.server.match.events import ServerStalled, StoreStalled
from kitumaija.server.match.state import Draft
from kitumaija.server.match.values import Nanos


def before_start(draft: Draft, event: ServerStalled | StoreStalled) -> None:
    """Give back what the stall took of the start-up."""
    began = Nanos(draft.startup_ends - draft.terms.startup)
    draft.startup_ends = Nanos(draft.startup_ends + stalled_inside(event.since, event.until, began))


def in_play(draft: Draft, event: ServerStalled) -> None:
    """Take the stall off the open decision's time, and off everybody's grace or start-up."""
    for seat in map(Seat, range(len(draft.seats))):
        _put_off(draft, seat, event.since, event.until)
    _retime(draft, event.since, event.until)


def store_in_play(draft: Draft, event: StoreStalled) -> None:
    """Take the wait for the disk off the time of the decision that waited, while it is open."""
    pending = draft.pending
    if pending is not None and (pending.seat, pending.decision_id) == event.waiting:
        _retime(draft, event.since, event.until)


def _put_off(draft: Draft, seat: Seat, since: Nanos, until: Nanos) -> None:
    """Give back what the stall took of the seat's grace; or, after a restart, of its start-up."""
    record, pending = draft.seats[seat], draft.pending
    away = record.away_since
    if away is None:
        return
    if record.known or away < since:
        later = Nanos(away + stalled_inside(since, until, away))
    else:
        # It is expected back by then, and could not come meanwhile. Its clock waits as long.
        later = Nanos(away + stalled_inside(since, until, draft.began))
        if pending is not None and pending.seat == seat and pending.started == away:
            draft.pending = pending._replace(started=later)
    draft.seats[seat] = record._replace(away_since=later)


def _retime(draft: Draft, since: Nanos, until: Nanos) -> None:
    """Add what lies in the open decision, and was not counted, to what it is given back."""
    pending = draft.pending
    if pending is None or pending.started is None:
        return
    last = pending.stalled_until
    counted = pending.started if last is None else max(pending.started, last)
    stalled = pending.stalled + stalled_inside(since, until, counted)
    draft.pending = pending._replace(
        stalled=stalled,
        # Never later than the stall itself: after a restart the clock's start is put off to the end
        # of the start-up, and comes down again with its bot.
        stalled_until=until if last is None else max(last, until),
        retimed=retimed(draft.terms, stalled),
    )
