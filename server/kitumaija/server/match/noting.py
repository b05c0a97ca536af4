"""What is kept of a seat beside its decisions, so that every fault can be explained afterwards.

It is bounded: a bot that comes and goes all the time, or answers illegally all the time, makes no
record grow.
"""

from __future__ import annotations

from typing import Final

from kitumaija.engine import Action, NotationError, Seat, format_action, parse_action
from kitumaija.server.match.charging import timing_at
from kitumaija.server.match.clocks import microseconds
from kitumaija.server.match.journal import Seen
from kitumaija.server.match.state import Draft
from kitumaija.server.match.values import Fault, Nanos
from kitumaija.wire.record import Incident, IncidentKind

COMINGS_KEPT: Final = 32
"""How often it is kept that a seat was lost, left or was back: the first times."""

ANSWERS_KEPT: Final = 32
"""How many illegal answers of a seat are kept: the last ones."""

DETAIL_CHARS: Final = 300

_COMINGS: Final = frozenset({IncidentKind.LOST, IncidentKind.LEFT, IncidentKind.BACK})


def note(
    draft: Draft,
    seat: Seat,
    kind: IncidentKind,
    at: Nanos,
    *,
    answer: Action | None = None,
    detail: str = "",
    fault: Fault | None = None,
) -> None:
    """Keep that something happened to a seat at `at`, on the disk and for the record."""
    if kind in _COMINGS and _count(draft, seat, _COMINGS) >= COMINGS_KEPT:
        return
    pending = draft.pending
    if pending is not None and pending.seat != seat:
        pending = None
    incident = Incident(
        seat=seat,
        kind=kind,
        at_us=microseconds(max(0, at - draft.began)),
        decisions=len(draft.decisions),
        decision_id=0 if pending is None else pending.decision_id,
        timing=None if pending is None else timing_at(draft, pending, at),
        answer=answer if _has_notation(answer) else None,
        detail=detail[:DETAIL_CHARS],
        fault=fault,
    )
    draft.journal(Seen(incident))
    keep(draft, incident)


def keep(draft: Draft, incident: Incident) -> None:
    """Make a journaled incident part of the match; the oldest illegal answers make room."""
    seat, kind = incident.seat, incident.kind
    kept = draft.incidents
    if kind is IncidentKind.ILLEGAL_ANSWER and _count(draft, seat, {kind}) >= ANSWERS_KEPT:
        oldest = next(one for one in kept if one.seat == seat and one.kind is kind)
        kept = tuple(one for one in kept if one is not oldest)
    draft.incidents = (*kept, incident)


def _has_notation(action: Action | None) -> bool:
    """Whether an action reads back from its notation, as what a journal holds must."""
    try:
        return action is not None and parse_action(format_action(action)) == action
    except NotationError:
        return False


def _count(draft: Draft, seat: Seat, kinds: frozenset[IncidentKind] | set[IncidentKind]) -> int:
    return sum(one.seat == seat and one.kind in kinds for one in draft.incidents)
