"""Other worlds for the leak check, made by the knowledge oracle."""

from __future__ import annotations

import random
from collections.abc import Iterator

from kitumaija.engine import Card, CardSet, Chance, GameRecord, Seat, new_game, shuffled_deck
from tests.support.knowledge import knowledge_of, rearranged, stays_legal


def worlds_by_the_oracle(
    record: GameRecord, seat: Seat, chance: Chance, keep: CardSet
) -> Iterator[tuple[Card, ...]]:
    """Yield decks in which all that the seat knows is the same (`leaks.Worlds`)."""
    deck = shuffled_deck(record.deal.key)
    course = [decision.action for decision in record.decisions]
    kept = {card for card in deck if keep >> card & 1}
    fixed = knowledge_of(dealt(record, deck), deck, seat, course) | kept
    number, _ = chance.below(1 << 32)
    for other in rearranged(deck, fixed, random.Random(number)):
        # What is not legal in it is yielded as itself: another may be tried instead.
        yield other if stays_legal(dealt(record, other), course) else deck


def dealt(record: GameRecord, deck: tuple[Card, ...]) -> object:
    """Return the state that a deck deals for a record."""
    return new_game(
        record.deal.key, len(record.seats), options=record.options, shuffle=lambda _: deck
    ).state
