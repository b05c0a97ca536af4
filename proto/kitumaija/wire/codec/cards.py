"""Cards: a number 0..51 in the engine, an enum value one higher in messages (0 is no card)."""

from __future__ import annotations

from collections.abc import Iterable

from kitumaija.engine import DECK, Card
from kitumaija.v1 import cards_pb2
from kitumaija.wire.codec.errors import CodecError

TO_MESSAGE: tuple[cards_pb2.Card.ValueType, ...] = tuple(
    cards_pb2.Card.Value(f"CARD_{card.name}") for card in DECK
)
"""The message's value of each card, by card."""

# By value, not by index: an enum of proto3 is open, and a peer may send any number, below 0 too.
FROM_MESSAGE: dict[int, Card] = dict(zip(TO_MESSAGE, DECK, strict=True))


def card_to_message(card: Card) -> cards_pb2.Card.ValueType:
    """Return the card's value in messages."""
    return TO_MESSAGE[card]


def card_from_message(value: int) -> Card:
    """Return the card of a value; raises `CodecError` for no card and for an unknown one."""
    card = FROM_MESSAGE.get(value)
    if card is None:
        raise no_card(value)
    return card


def cards_to_message(cards: Iterable[Card]) -> list[cards_pb2.Card.ValueType]:
    """Return the values of cards, in their order."""
    return [TO_MESSAGE[card] for card in cards]


def cards_from_message(values: Iterable[int]) -> tuple[Card, ...]:
    """Return the cards of values, in their order; raises `CodecError` as `card_from_message`."""
    try:
        return tuple([FROM_MESSAGE[value] for value in values])
    except KeyError as error:
        raise no_card(error.args[0]) from None


def no_card(value: int) -> CodecError:
    """Make the error for a value that is no card."""
    return CodecError(f"card: got {value}, wanted a value of Card from 1 (2C) to {len(DECK)} (AS)")
