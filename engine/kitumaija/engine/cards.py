"""Cards, sets of cards, and which card beats which (S1, S5–S11, A1–A4).

A card is a number 0..51 in the deck's order (clubs, diamonds, hearts, spades, each two to ace), and
a set of cards is a 52-bit integer with bit ``card`` set for each card in it. Sets are what the
rules compute with; `Card` is what people and bots read.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

RANK_LETTERS = "23456789TJQKA"
SUIT_LETTERS = "CDHS"


class Suit(IntEnum):
    """The four suits in the deck's order."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3


class Rank(IntEnum):
    """The thirteen ranks, ace high (A1)."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14


class Card(IntEnum):
    """One of the 52 cards; its value is ``suit * 13 + (rank - 2)``.

    ``str(card)`` is the card's notation, rank before suit: ``"8H"``, ``"TC"``.
    """

    CLUBS_TWO = 0
    CLUBS_THREE = 1
    CLUBS_FOUR = 2
    CLUBS_FIVE = 3
    CLUBS_SIX = 4
    CLUBS_SEVEN = 5
    CLUBS_EIGHT = 6
    CLUBS_NINE = 7
    CLUBS_TEN = 8
    CLUBS_JACK = 9
    CLUBS_QUEEN = 10
    CLUBS_KING = 11
    CLUBS_ACE = 12

    DIAMONDS_TWO = 13
    DIAMONDS_THREE = 14
    DIAMONDS_FOUR = 15
    DIAMONDS_FIVE = 16
    DIAMONDS_SIX = 17
    DIAMONDS_SEVEN = 18
    DIAMONDS_EIGHT = 19
    DIAMONDS_NINE = 20
    DIAMONDS_TEN = 21
    DIAMONDS_JACK = 22
    DIAMONDS_QUEEN = 23
    DIAMONDS_KING = 24
    DIAMONDS_ACE = 25

    HEARTS_TWO = 26
    HEARTS_THREE = 27
    HEARTS_FOUR = 28
    HEARTS_FIVE = 29
    HEARTS_SIX = 30
    HEARTS_SEVEN = 31
    HEARTS_EIGHT = 32
    HEARTS_NINE = 33
    HEARTS_TEN = 34
    HEARTS_JACK = 35
    HEARTS_QUEEN = 36
    HEARTS_KING = 37
    HEARTS_ACE = 38

    SPADES_TWO = 39
    SPADES_THREE = 40
    SPADES_FOUR = 41
    SPADES_FIVE = 42
    SPADES_SIX = 43
    SPADES_SEVEN = 44
    SPADES_EIGHT = 45
    SPADES_NINE = 46
    SPADES_TEN = 47
    SPADES_JACK = 48
    SPADES_QUEEN = 49
    SPADES_KING = 50
    SPADES_ACE = 51

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return _SUITS[self]

    @property
    def rank(self) -> Rank:
        """The card's rank."""
        return _RANKS[self]

    def __bool__(self) -> bool:
        # The number of the two of clubs is 0, and it is a card like the others: `if view.top`.
        return True

    def __str__(self) -> str:
        return _NAMES[self]

    def __format__(self, spec: str) -> str:
        # IntEnum would format the number; a card in a message is read by people.
        return format(_NAMES[self], spec)

    # Enum hashes a member's name in Python code; equal integers must hash alike, and fast.
    __hash__ = int.__hash__


DECK: tuple[Card, ...] = tuple(Card)
"""The 52 cards in ascending order: the deck before the shuffle."""

MAIJA = Card.SPADES_QUEEN
"""The queen of spades (S10)."""

CardSet = int
"""A set of cards: bit ``card`` is set for each card in it."""

EMPTY_SET: CardSet = 0
MAIJA_SET: CardSet = 1 << MAIJA
FULL_DECK: CardSet = (1 << len(DECK)) - 1

_SUITS = tuple(Suit(card // 13) for card in range(52))
_RANKS = tuple(Rank(card % 13 + 2) for card in range(52))
_NAMES = tuple(rank + suit for suit in SUIT_LETTERS for rank in RANK_LETTERS)


def card_set(cards: Iterable[Card]) -> CardSet:
    """Return the set of `cards`; a card named twice counts once."""
    members = 0
    for card in cards:
        members |= 1 << card
    return members


def cards_in(cards: CardSet) -> tuple[Card, ...]:
    """Return the cards of a set, ascending: by suit C D H S, then by rank upwards."""
    return (
        _CLUBS[cards & 0x1FFF]
        + _DIAMONDS[cards >> 13 & 0x1FFF]
        + _HEARTS[cards >> 26 & 0x1FFF]
        + _SPADES[cards >> 39]
    )


def _listed(suit: Suit) -> tuple[tuple[Card, ...], ...]:
    """List the cards of each of the 8192 sets of one suit, by the set's thirteen bits."""
    listed: list[tuple[Card, ...]] = [()]
    for card in DECK[13 * suit : 13 * suit + 13]:
        listed += [(*lower, card) for lower in listed]
    return tuple(listed)


# Hands are listed for every view and every list of legal actions: looking four suits up takes a
# third of the time of walking through the bits.
_CLUBS, _DIAMONDS, _HEARTS, _SPADES = (_listed(suit) for suit in Suit)


def _beats(card: Card, top: Card) -> bool:
    """Decide S5–S9 and A1–A4 from suits and ranks, for the table below."""
    if card is MAIJA or top is MAIJA:
        return False  # S11, A4
    if card.suit is top.suit:
        return card.rank > top.rank  # S5, S7, S9, A1
    return card.suit is Suit.DIAMONDS and top.suit is not Suit.CLUBS  # S6, S8, A2


_CATCHERS = tuple(card_set(card for card in DECK if _beats(card, top)) for top in DECK)


def catchers(top: Card) -> CardSet:
    """Return all cards that catch `top` (S5–S9); none for the aces AC and AD and for maija (A4)."""
    return _CATCHERS[top]


def beats(card: Card, top: Card) -> bool:
    """Tell whether `card` catches `top` (S5–S9, A1–A4)."""
    return bool(_CATCHERS[top] >> card & 1)
