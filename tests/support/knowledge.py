"""What one seat knows of a game, from H1 to H4 alone: the knowledge oracle.

It plays a course along on the whole state and writes down every card whose face the seat gets to
see. It shares nothing with the engine's views and events, which is why it may be held against them;
of the engine it imports cards, actions, `apply` and `legal_actions` (an architecture test holds
that).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from kitumaija.engine.actions import Action, Pass, PlayCard, TurnCard
from kitumaija.engine.cards import MAIJA, Card, cards_in
from kitumaija.engine.legal import legal_actions
from kitumaija.engine.rules import apply

Deck = tuple[Card, ...]
HAND = 5


class Knowledge:
    """Every card that the seat ever saw, in a game that is played along."""

    def __init__(self, dealt: Any, deck: Sequence[Card], seat: int) -> None:
        self.state = dealt
        self.seat = seat
        self.seen: set[Card] = set()
        # H1, S13: a queen that was turned as the first start card, and where the card came from
        # that was turned for her, are public.
        if deck[HAND * dealt.seats] is MAIJA:
            self.seen.add(MAIJA)
        self._look()

    def play(self, action: Action) -> None:
        """Play an action of the course."""
        before = self.state
        if isinstance(action, PlayCard):
            self.seen.add(action.card)  # H1: played or led
        elif isinstance(action, TurnCard):
            self.seen.add(before.stock[0])  # H1: turned
        elif isinstance(action, Pass):
            self.seen.add(MAIJA)  # H1, E5: who passes holds the queen and nothing else
        self.state = apply(before, action).state
        self._queen_returned(before, action)
        self._look()

    def _look(self) -> None:
        """H1: the top card. H2: the own hand, so whatever was drawn and picked up."""
        self.seen |= set(cards_in(self.state.hands[self.seat]))
        self.seen |= set(self.state.pile[-1:])

    def _queen_returned(self, before: Any, action: Action) -> None:
        """H1, S23, B4: a queen that is turned as the new start card and goes back is public."""
        left = before.stock[1:] if isinstance(action, TurnCard) else before.stock
        after = self.state
        replaced = len(after.stock) < len(left)
        if left[:1] == (MAIJA,) and MAIJA in after.stock and (replaced or not after.pile):
            self.seen.add(MAIJA)


def knowledge_of(
    dealt: Any, deck: Sequence[Card], seat: int, course: Sequence[Action]
) -> set[Card]:
    """Return every card that the seat saw in a course from the deal on."""
    knowledge = Knowledge(dealt, deck, seat)
    for action in course:
        knowledge.play(action)
    return knowledge.seen


def rearranged(deck: Sequence[Card], fixed: set[Card], rng: random.Random) -> Iterator[Deck]:
    """Yield decks in which the cards that are not fixed lie in other places of the deal."""
    places = [place for place, card in enumerate(deck) if card not in fixed]
    cards = [deck[place] for place in places]
    while True:
        rng.shuffle(cards)
        other = list(deck)
        for place, card in zip(places, cards, strict=True):
            other[place] = card
        yield tuple(other)


def stays_legal(dealt: Any, course: Sequence[Action]) -> bool:
    """Tell whether every public action of a course is legal in a world, and asked of its seat."""
    state = dealt
    for action in course:
        if action not in legal_actions(state):
            return False
        state = apply(state, action).state
    return True
