"""Players of graded strength that play by the engine alone: a rule, the default action, and chance.

A dial says how often a player does what. One number between 0 and 1 that is drawn for a decision
settles it, so what a player does is a function of its view and that number, and a game is one of
its key and the seed of the draws.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from kitumaija.engine import (
    DECK,
    MAIJA,
    Action,
    Phase,
    PlayCard,
    Suit,
    TakeCards,
    TurnCard,
    View,
    apply,
    catchers,
    default_action,
    legal_actions,
    new_game,
    view,
)

_TURN = TurnCard()
_FEW_IN_STOCK = 5

# To catch with: low cards first, trumps after all others.
_COST = tuple(card.rank + 13 * (card.suit is Suit.DIAMONDS) for card in DECK)
# To shed: the queen of spades at once, then what many cards catch, low cards first.
_SHED = tuple(
    1_000 if card is MAIJA else 20 * catchers(card).bit_count() - card.rank for card in DECK
)


@dataclass(frozen=True)
class Dial:
    """How often a player follows the rule, and how often it does anything that is legal.

    The rest of the time it does the default action. Together they are at most 1.
    """

    rule: float
    chance: float = 0.0

    def choose(self, seen: View, legal: tuple[Action, ...], drawn: float) -> Action:
        """Choose among the legal actions by a number 0 <= `drawn` < 1."""
        if drawn < self.chance:
            return legal[int(drawn / self.chance * len(legal))]
        if drawn < self.chance + self.rule:
            return by_rule(seen, legal)
        return default_action(seen, legal)


def by_rule(seen: View, legal: tuple[Action, ...]) -> Action:
    """Choose as one does who has seen that trumps and strong cards are worth keeping."""
    cards = [action.card for action in legal if isinstance(action, PlayCard)]
    if seen.phase is Phase.CATCH:
        if cards:
            return PlayCard(min(cards, key=_COST.__getitem__))
        if seen.stock_size > _FEW_IN_STOCK and _TURN in legal:
            return _TURN
        return next((action for action in legal if isinstance(action, TakeCards)), legal[0])
    return PlayCard(max(cards, key=_SHED.__getitem__)) if cards else legal[0]


def play(key: bytes, dials: Sequence[Dial], seed: str) -> tuple[int, ...]:
    """Play a game of these players by seat, and return their places."""
    draws = random.Random(seed)
    state = new_game(key, len(dials)).state
    while state.outcome is None:
        seen = view(state, state.mover)
        action = dials[state.mover].choose(seen, legal_actions(state), draws.random())
        state = apply(state, action).state
    return state.outcome.places
