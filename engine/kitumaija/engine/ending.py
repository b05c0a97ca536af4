"""How a game ends, and who has which place (G3–G6)."""

from __future__ import annotations

from kitumaija.engine.events import Event, GameEnded
from kitumaija.engine.options import Stopped
from kitumaija.engine.state import Draft, Position
from kitumaija.engine.values import Outcome, Termination


def ends_here(draft: Draft, events: list[Event]) -> bool:
    """At a turn's start: note the position and end the game where G3 or G4 says so.

    The order of the checks is finished, repetition, turn cap.
    """
    termination = _termination(draft)
    if termination is None:
        return False
    draft.outcome = outcome(draft, termination)
    events.append(GameEnded(draft.outcome))
    return True


def _termination(draft: Draft) -> Termination | None:
    if len(draft.hands) - len(draft.out) == 1:
        return Termination.FINISHED  # S28
    options = draft.options
    if options.repetition:
        position = position_of(draft)
        occurrences = draft.history.count(position) + 1
        draft.history = (*draft.history, position)
        if occurrences >= options.repetition:
            return Termination.REPETITION  # G4
    if options.turns_per_player and draft.turns >= options.turns_per_player * len(draft.hands):
        return Termination.TURN_CAP  # G4
    return None


def position_of(draft: Draft) -> Position:
    """Return what G4 compares, but for the stock: a smaller stock forgets the history anyway.

    What differs most often comes first, so that unequal positions are told apart at once.
    """
    sizes_and_mover = len(draft.pile) << 5 | draft.mover << 1 | draft.maija_pending
    return (sizes_and_mover, draft.hands, draft.pile)


def outcome(draft: Draft, termination: Termination) -> Outcome:
    """Place everybody: first those who are out, in order (G3), then those with cards (G5).

    In a finished game the only player with cards has the last place (S29).
    """
    sizes = {
        seat: 0 if draft.options.stopped is Stopped.SHARE_LAST else hand.bit_count()
        for seat, hand in enumerate(draft.hands)
        if seat not in draft.out
    }
    places = [0] * len(draft.hands)
    for place, seat in enumerate(draft.out, start=1):
        places[seat] = place
    for holder, size in sizes.items():
        fewer = sum(other < size for other in sizes.values())
        places[holder] = len(draft.out) + fewer + 1
    return Outcome(termination, tuple(places))
