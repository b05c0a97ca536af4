"""Cards and actions as text; parsing and formatting are inverse.

A card is rank then suit (``8H``, ``TC``), several are separated by spaces, an action is a card,
``turn``, ``take 3`` or ``pass``. Positions have their own file, `position`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kitumaija.engine.actions import (
    PASS,
    PLAYS,
    TURN,
    Action,
    PlayCard,
    TakeCards,
    TurnCard,
)
from kitumaija.engine.cards import DECK, RANK_LETTERS, SUIT_LETTERS, Card


class NotationError(ValueError):
    """A text that is no card, action or position; the message quotes it and says what is wanted."""


_CARDS = {str(card): card for card in DECK}


def format_card(card: Card) -> str:
    """Return a card's text, such as ``8H``."""
    return str(card)


def parse_card(text: str) -> Card:
    """Read one card, such as ``8H``; raises `NotationError`."""
    try:
        return _CARDS[text]
    except KeyError:
        raise NotationError(
            f"no card: {text!r}; wanted a rank ({RANK_LETTERS}) and a suit ({SUIT_LETTERS}), as 8H"
        ) from None


def format_cards(cards: Iterable[Card]) -> str:
    """Return the texts of `cards` in their order, separated by spaces."""
    return " ".join(str(card) for card in cards)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by spaces, in their order; raises `NotationError`."""
    return tuple(parse_card(word) for word in text.split())


def format_action(action: Action) -> str:
    """Return an action's text: ``8H``, ``turn``, ``take 3`` or ``pass``."""
    if isinstance(action, PlayCard):
        return str(DECK[action.card])
    if isinstance(action, TurnCard):
        return "turn"
    if isinstance(action, TakeCards):
        return f"take {action.count}"
    return "pass"


def parse_action(text: str) -> Action:
    """Read an action; raises `NotationError`. Whether it is legal is not asked here."""
    if text == "turn":
        return TURN
    if text == "pass":
        return PASS
    if taking := re.fullmatch(r"take (0|[1-9][0-9]{0,3})", text):
        return TakeCards(int(taking[1]))
    try:
        return PLAYS[parse_card(text)]
    except NotationError:
        raise NotationError(
            f"no action: {text!r}; wanted a card as 8H, 'turn', 'take' and a number, or 'pass'"
        ) from None
