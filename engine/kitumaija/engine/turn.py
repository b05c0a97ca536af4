"""From the end of one turn to the next decision (C2, E5, F1, F3, G1, I3)."""

from __future__ import annotations

from kitumaija.engine.cards import card_set
from kitumaija.engine.ending import ends_here
from kitumaija.engine.events import CardsDrawn, Event, WentOut
from kitumaija.engine.pickup import FOR_MAIJA, amounts, pick_up
from kitumaija.engine.state import NO_HISTORY, Draft
from kitumaija.engine.values import CATCH, HAND_SIZE, LEAD, PICKUP, Seat


def end_played_turn(draft: Draft, events: list[Event]) -> None:
    """End a turn in which the mover played: he draws, and is out if no card is left to him."""
    _draw_up(draft, events)
    if not draft.hands[draft.mover]:
        _go_out(draft, events)
    pass_on(draft, events)


def pass_on(draft: Draft, events: list[Event]) -> None:
    """Count the turn that ended and give the next player his."""
    draft.turns += 1
    draft.mover = next_player(draft.mover, len(draft.hands), draft.out)
    start_turn(draft, events)


def start_turn(draft: Draft, events: list[Event]) -> None:
    """Ask the mover for his turn's first decision, or do what is forced upon him."""
    draft.phase = CATCH if draft.pile else LEAD  # S15, E5
    draft.luck = False
    if ends_here(draft, events):
        return
    if draft.maija_pending:
        _answer_maija(draft, events)


def next_player(seat: Seat, seats: int, out: tuple[Seat, ...]) -> Seat:
    """Return the next player still in, in ascending seat order."""
    following = (seat + 1) % seats
    while following in out:
        following = (following + 1) % seats
    return Seat(following)


def _answer_maija(draft: Draft, events: list[Event]) -> None:
    """S10, F1: the pick-up for the queen is the whole turn; a single amount is not asked (I3)."""
    choices = amounts(len(draft.pile), FOR_MAIJA)
    if len(choices) == 1:
        pick_up(draft, choices[0], events)
        pass_on(draft, events)
    else:
        draft.phase = PICKUP


def _draw_up(draft: Draft, events: list[Event]) -> None:
    """S17, C2: draw up to five cards, or what is left."""
    missing = HAND_SIZE - draft.hands[draft.mover].bit_count()
    if missing <= 0 or not draft.stock:
        return
    drawn = draft.take_stock(missing)
    draft.give(draft.mover, card_set(drawn))
    events.append(CardsDrawn(draft.mover, len(drawn), drawn))


def _go_out(draft: Draft, events: list[Event]) -> None:
    """S27, G1, G3: a player without cards is out; no earlier position can recur (G4)."""
    draft.out = (*draft.out, draft.mover)
    draft.history = NO_HISTORY
    events.append(WentOut(draft.mover, len(draft.out)))
