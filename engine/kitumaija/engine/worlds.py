"""Other worlds that look the same: the hidden cards of a state in another order (H1–H3).

For players that reason by sampling, and for checking that nothing hidden can be told from what a
player is sent.
"""

from __future__ import annotations

from kitumaija.engine.cards import (
    EMPTY_SET,
    FULL_DECK,
    MAIJA,
    CardSet,
    card_set,
    cards_in,
)
from kitumaija.engine.deal import Chance
from kitumaija.engine.ending import note_position
from kitumaija.engine.state import NO_HISTORY, Draft, State
from kitumaija.engine.values import Seat


def sample_world(
    state: State, seat: Seat | None, chance: Chance, *, keep: CardSet = EMPTY_SET
) -> tuple[State, Chance]:
    """Deal all that `seat` does not see anew; return the state and where `chance` stands then.

    The seat's hand and the top card stay, and so do the cards of `keep`, wherever they are. The
    others change places among the other hands, the stock and the pile below its top, all equally
    likely; every hand, the stock and the pile keep their sizes, and the queen of spades is never
    put into the pile, where she cannot be. None stands for the public, which sees no hand.

    It is what the seat sees now that stays, not what it could remember. The new state's history
    begins with itself (G4).
    """
    fixed = keep | card_set(state.pile[-1:])
    if seat is not None:
        fixed |= state.hands[seat]
    free = FULL_DECK & ~fixed
    piled = [card for card in state.pile if free >> card & 1]
    elsewhere = [card for hand in state.hands for card in cards_in(hand & free)]
    elsewhere += [card for card in state.stock if free >> card & 1]

    shuffled, chance = chance.shuffled(elsewhere + piled)
    moved = list(shuffled)
    if MAIJA in moved[len(elsewhere) :]:
        # She swaps with a card outside the pile, each equally likely.
        place, chance = chance.below(len(elsewhere))
        found = moved.index(MAIJA)
        moved[place], moved[found] = moved[found], moved[place]
    becomes = dict(zip(elsewhere + piled, moved, strict=True))

    draft = Draft.of(state)
    draft.hands = tuple(
        card_set(becomes.get(card, card) for card in cards_in(hand)) for hand in state.hands
    )
    draft.pile = tuple(becomes.get(card, card) for card in state.pile)
    draft.stock = tuple(becomes.get(card, card) for card in state.stock)
    if state.history is not NO_HISTORY:
        draft.history = NO_HISTORY
        note_position(draft)
    return draft.frozen(), chance
