"""Picking up from the pile, and the start card that opens it again (B3, B4, E1–E5)."""

from __future__ import annotations

from kitumaija.engine.cards import MAIJA, card_set
from kitumaija.engine.events import CardsPickedUp, Event, MaijaReturned, StartCardTurned
from kitumaija.engine.state import Draft

AFTER_LUCK = 3
"""Cards to pick up for a luck card that fails, or instead of catching (S20, D7)."""
FOR_MAIJA = 5
"""Cards to pick up for the queen of spades (S10)."""


def amounts(pile_size: int, wanted: int) -> tuple[int, ...]:
    """E1: how many cards may be picked up from a pile of at least one, smaller first.

    `wanted` is 3 or 5. A choice exists only where the bottom card would be among them (S21).
    """
    if pile_size > wanted:
        return (wanted,)
    if pile_size == 1:
        return (1,)
    return (pile_size - 1, pile_size)


def pick_up(draft: Draft, count: int, events: list[Event]) -> None:
    """S20, S10, E3: the mover takes the `count` topmost cards; an emptied pile is opened again."""
    left = len(draft.pile) - count
    taken, draft.pile = draft.pile[left:], draft.pile[:left]
    draft.give(draft.mover, card_set(taken))
    draft.maija_pending = False
    events.append(CardsPickedUp(draft.mover, count, taken))
    if not draft.pile and draft.stock:
        turn_start_card(draft, events)  # S22, E4


def turn_start_card(draft: Draft, events: list[Event]) -> None:
    """S12, S22: turn a start card from the stock, which holds at least one card."""
    if draft.stock[0] is MAIJA:
        _return_maija(draft, events)
        if not draft.pile:
            return
    else:
        draft.pile = draft.take_stock(1)
    events.append(StartCardTurned(draft.pile[0]))


def _return_maija(draft: Draft, events: list[Event]) -> None:
    """S13, S23, B3: the next card opens the pile, then the queen goes to a random place.

    B4: as the only card of the stock she stays there, and the pile stays empty.
    """
    events.append(MaijaReturned())
    if len(draft.stock) == 1:
        return
    _, start = draft.take_stock(2)
    draft.pile = (start,)
    place, draft.chance = draft.chance.below(len(draft.stock) + 1)
    draft.stock = (*draft.stock[:place], MAIJA, *draft.stock[place:])
