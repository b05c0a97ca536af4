"""Cards for bots: which there are, and which beats which (S5–S11, A1–A4).

`beats(card, top)` tells whether a card catches another. A `CardSet` is a 52-bit integer with a bit
for each card in it; it is the quick form for bots that compute a lot.
"""

from kitumaija.engine import (
    DECK,
    MAIJA,
    Card,
    CardSet,
    Rank,
    Suit,
    beats,
    card_set,
    cards_in,
    catchers,
)
from kitumaija.engine.notation import NotationError, parse_card, parse_cards

__all__ = [
    "DECK",
    "MAIJA",
    "Card",
    "CardSet",
    "NotationError",
    "Rank",
    "Suit",
    "beats",
    "card_set",
    "cards_in",
    "catchers",
    "parse_card",
    "parse_cards",
]
