"""What still happens to a match when it is over: bots that come late are told how it came out."""

from __future__ import annotations

from kitumaija.server.match.events import Connected, Disconnected
from kitumaija.server.match.state import Draft
from kitumaija.server.match.telling import tell_end_anew


def connected(draft: Draft, event: Connected) -> None:
    """Tell the end on the new stream."""
    draft.seats[event.seat] = draft.seats[event.seat]._replace(away_since=None, back_since=event.at)
    tell_end_anew(draft, event.seat)


def disconnected(draft: Draft, event: Disconnected) -> None:
    """Nothing more can be told to the seat."""
    draft.seats[event.seat] = draft.seats[event.seat]._replace(away_since=event.at)
