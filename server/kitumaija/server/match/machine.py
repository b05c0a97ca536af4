"""The match machine: events in, commands out. It does no I/O and reads no clock.

The table below is the whole of it: what each event means in each phase. The rooms it names are
`gathering`, `playing`, `answers` and `over`; what they have in common is `course` (how the game
goes on) and `limits` (what time alone decides).

The shell begins a match with `begin`, says `Connected` for each bot that is there, brings every
event in the order of the stamps of its seat, and brings a `Tick` when `deadline` is reached.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from kitumaija.engine import Shuffle, shuffled_deck
from kitumaija.server.match import answers, gathering, over, playing, resuming, stalls
from kitumaija.server.match.clocks import microseconds
from kitumaija.server.match.commands import Commands
from kitumaija.server.match.course import end_void
from kitumaija.server.match.events import (
    AnswerArrived,
    Connected,
    DecisionSent,
    Disconnected,
    ForfeitOrdered,
    MatchEvent,
    ReadyArrived,
    ResyncAsked,
    RoundTripMeasured,
    ServerStalled,
    StoreStalled,
    Tick,
    VoidOrdered,
)
from kitumaija.server.match.journal import JournalEntry, Offered
from kitumaija.server.match.limits import nearest_limit
from kitumaija.server.match.state import Draft, MatchPhase, MatchState, new_match
from kitumaija.server.match.values import SETTLE_NS, MatchSetup, Nanos

__all__ = ["TABLE", "MatchState", "begin", "deadline", "resume", "step"]

Handler: TypeAlias = Callable[[Draft, Any], None]


def _nothing(_draft: Draft, _event: MatchEvent) -> None:
    """The event means nothing in this phase."""


def _void(draft: Draft, event: VoidOrdered) -> None:
    """The match ends and does not count."""
    end_void(draft, event.reason)


def _round_trip(draft: Draft, event: RoundTripMeasured) -> None:
    """The newest estimate is told with decisions and recorded with answers."""
    seat = draft.seats[event.seat]
    draft.seats[event.seat] = seat._replace(round_trip_us=microseconds(event.nanos))


# fmt: off
# event                GATHERING                  PLAYING                  OVER
_ROWS: Final[Mapping[type[Any], tuple[Handler, Handler, Handler]]] = {
    Connected:         (gathering.connected,       playing.connected,       over.connected),
    Disconnected:      (gathering.disconnected,    playing.disconnected,    over.disconnected),
    ReadyArrived:      (gathering.ready,           _nothing,                _nothing),
    AnswerArrived:     (answers.too_early,         answers.in_play,         answers.too_late),
    DecisionSent:      (_nothing,                  playing.decision_sent,   _nothing),
    Tick:              (gathering.tick,            playing.tick,            _nothing),
    ServerStalled:     (stalls.before_start,       stalls.in_play,          _nothing),
    StoreStalled:      (stalls.before_start,       stalls.store_in_play,    _nothing),
    ResyncAsked:       (_nothing,                  playing.resync_asked,    _nothing),
    ForfeitOrdered:    (gathering.forfeit_ordered, playing.forfeit_ordered, _nothing),
    VoidOrdered:       (_void,                     _void,                   _nothing),
    RoundTripMeasured: (_round_trip,               _round_trip,             _nothing),
}
# fmt: on

TABLE: Final[Mapping[tuple[MatchPhase, type[Any]], Handler]] = MappingProxyType(
    {
        (phase, kind): handler
        for kind, row in _ROWS.items()
        for phase, handler in zip(MatchPhase, row, strict=True)
    }
)


def begin(
    setup: MatchSetup, at: Nanos, *, shuffle: Shuffle = shuffled_deck
) -> tuple[MatchState, Commands]:
    """Offer a match at `at`. Nobody is connected yet: each bot is offered it when it is."""
    draft = Draft(new_match(setup, at, shuffle))
    draft.journal(Offered())
    return draft.frozen(), draft.commands()


def step(state: MatchState, event: MatchEvent) -> tuple[MatchState, Commands]:
    """Return what `event` leads to: the next state, and what is to be done.

    Never raises for anything that a bot says.
    """
    handler = TABLE[state.phase, type(event)]
    if handler is _nothing:
        return state, ()
    draft = Draft(state)
    handler(draft, event)
    return draft.frozen(), draft.commands()


def resume(
    setup: MatchSetup,
    entries: Sequence[JournalEntry],
    at: Nanos,
    *,
    shuffle: Shuffle = shuffled_deck,
) -> tuple[MatchState, Commands]:
    """Go on with a match from its journal, at `at`, after the server was away.

    The cards are the same, no bank is less than at the last entry, and the open decision is asked
    anew with what was left when it was first sent. Nobody is connected; every bot has the start-up
    limit to come back, and until then its clock does not run and its grace does not either. The
    journal may end after any entry: what is missing is made again, and is among the commands. With
    no entries at all the match is offered, as by `begin`.

    Raises `JournalError` for entries that are not those of this match.
    """
    draft = Draft(new_match(setup, at, shuffle))
    resuming.play_back(draft, entries, at)
    return draft.frozen(), draft.commands()


def deadline(state: MatchState) -> Nanos | None:
    """Return the earliest instant at which a `Tick` would do something; None when it never will."""
    if state.phase is MatchPhase.OVER:
        return None
    if state.phase is MatchPhase.GATHERING:
        limit = min(state.startup_ends, state.cap_ends)
    else:
        limit = nearest_limit(Draft(state)).instant
    return Nanos(limit + SETTLE_NS + 1)
