"""How a game ends, and who has which place (G3–G6)."""

from __future__ import annotations

from kitumaija.engine.events import Event, GameEnded
from kitumaija.engine.options import Stopped
from kitumaija.engine.state import Draft
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
    if options.repetition and note_position(draft) >= options.repetition:
        return Termination.REPETITION  # G4
    if options.turns_per_player and draft.turns >= options.turns_per_player * len(draft.hands):
        return Termination.TURN_CAP  # G4
    return None


def note_position(draft: Draft) -> int:
    """G4: add the position at a turn's start to the history; return which occurrence it is.

    The stock is not compared: whenever it changes, the history is dropped.
    """
    position = (draft.mover, draft.maija_pending, draft.hands, draft.pile)
    history, size = draft.history, len(draft.pile)
    same_size = history[size]
    draft.history = (*history[:size], (*same_size, position), *history[size + 1 :])
    return same_size.count(position) + 1


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
