"""Going on from a journal: its entries make the match again, then the match goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from kitumaija.engine import IllegalAction, Seat, apply
from kitumaija.server.match.course import advance, ask, mark_forfeited, take_over
from kitumaija.server.match.journal import (
    Decided,
    Forfeited,
    JournalEntry,
    JournalError,
    NotStarted,
    Offered,
    RefusedIllegal,
    Seated,
    Seen,
    Voided,
)
from kitumaija.server.match.noting import keep
from kitumaija.server.match.state import Draft, MatchPhase
from kitumaija.server.match.values import NANOS_PER_MICROSECOND, MatchNotStarted, MatchVoid, Nanos


def play_back(draft: Draft, entries: Sequence[JournalEntry], at: Nanos) -> None:
    """Bring a match as it was offered to where `entries` leave it, and go on from there at `at`.

    Raises `JournalError`, naming the entry, if they are not those of this match.
    """
    if not entries:
        draft.journal(Offered())
        return
    for number, entry in enumerate(entries):
        if (type(entry) is Offered) != (number == 0):
            raise JournalError(f"journal entry {number}: got {entry}; Offered is the first, once")
        try:
            _PLAY_BACK[type(entry)](draft, entry)
        except IllegalAction as error:
            # The error's own text shows hidden cards.
            raise JournalError(f"journal entry {number}: {entry}: {error.reason.value}") from None
        except JournalError as error:
            raise JournalError(f"journal entry {number}: {entry}: {error}") from error
    if draft.phase is MatchPhase.PLAYING:
        _come_back(draft, at, _refusals_of_open_decision(entries))


def _come_back(draft: Draft, at: Nanos, refused: int) -> None:
    """Nobody is there; from the end of the start-up on that is each bot's own affair."""
    expected = Nanos(at + draft.terms.startup)
    draft.seats = [record._replace(away_since=expected) for record in draft.seats]
    if refused:
        ask(draft, at, illegal=refused)
    advance(draft, at)


def _refusals_of_open_decision(entries: Sequence[JournalEntry]) -> int:
    """Count the illegal answers that were refused since the last decision was made."""
    refused = 0
    for entry in reversed(entries):
        if isinstance(entry, Decided):
            break
        refused += isinstance(entry, RefusedIllegal)
    return refused


def _offered(_draft: Draft, _entry: Offered) -> None:
    """The draft is the match as it was offered."""


def _seated(draft: Draft, _: Seated) -> None:
    _expect(draft, MatchPhase.GATHERING)
    draft.phase = MatchPhase.PLAYING


def _decided(draft: Draft, entry: Decided) -> None:
    _expect_decision(draft, entry.seat, entry.decision_id)
    step = apply(draft.game, entry.action)
    take_over(draft, step, entry, entry.bank_left_us * NANOS_PER_MICROSECOND)


def _refused(draft: Draft, entry: RefusedIllegal) -> None:
    _expect_decision(draft, entry.seat, entry.decision_id)


def _seen(draft: Draft, entry: Seen) -> None:
    if entry.incident.seat >= draft.setup.seats:
        raise JournalError(f"there are {draft.setup.seats} seats")
    keep(draft, entry.incident)


def _forfeited(draft: Draft, entry: Forfeited) -> None:
    _expect(draft, MatchPhase.PLAYING)
    if entry.seat not in draft.active_seats():
        raise JournalError(f"seat {entry.seat} does not play any more")
    mark_forfeited(draft, entry.seat, entry.fault)


def _not_started(draft: Draft, entry: NotStarted) -> None:
    _expect(draft, MatchPhase.GATHERING)
    draft.end(MatchNotStarted(entry.absent))


def _voided(draft: Draft, entry: Voided) -> None:
    if draft.phase is MatchPhase.OVER:
        raise JournalError("the match was over before")
    draft.end(MatchVoid(entry.reason, draft.decisions.since(0)))


def _expect(draft: Draft, phase: MatchPhase) -> None:
    if draft.phase is not phase:
        raise JournalError(f"the match was {draft.phase.value} then, not {phase.value}")


def _expect_decision(draft: Draft, seat: Seat, decision_id: int) -> None:
    _expect(draft, MatchPhase.PLAYING)
    mover = draft.game.mover
    expected = len(draft.seats[mover].decided) + 1
    if draft.game.over or (seat, decision_id) != (mover, expected):
        raise JournalError(f"the next decision was number {expected} of seat {mover}")


_PLAY_BACK: Final[Mapping[type[Any], Callable[[Draft, Any], None]]] = {
    Offered: _offered,
    Seated: _seated,
    Decided: _decided,
    RefusedIllegal: _refused,
    Seen: _seen,
    Forfeited: _forfeited,
    NotStarted: _not_started,
    Voided: _voided,
}
