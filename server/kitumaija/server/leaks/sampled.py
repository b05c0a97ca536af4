"""Other worlds by the engine's sampler: the cards that a seat never saw, in other places."""

from __future__ import annotations

from collections.abc import Iterator

from kitumaija.engine import (
    MAIJA,
    Card,
    CardSet,
    Chance,
    GameRecord,
    MaijaReturned,
    Passed,
    PlayCard,
    Seat,
    State,
    card_set,
    cards_in,
    event_for,
    replay,
    sample_world,
    shuffled_deck,
    view,
)


def seen_by(record: GameRecord, seat: Seat) -> CardSet:
    """Return every card whose face the seat has seen from the deal to the end of the record."""
    seen: list[Card] = []
    for step in replay(record).steps:
        shown = view(step.state, seat)
        seen += shown.hand
        seen += () if shown.top is None else (shown.top,)
        for event in step.events:
            told = event_for(event, seat)
            if isinstance(told, MaijaReturned | Passed):
                seen.append(MAIJA)
            card = getattr(told, "card", None)
            seen += () if card is None else (card,)
            seen += getattr(told, "cards", None) or ()
    seen += (one.action.card for one in record.decisions if isinstance(one.action, PlayCard))
    return card_set(seen)


def sampled_worlds(
    record: GameRecord, seat: Seat, chance: Chance, keep: CardSet
) -> Iterator[tuple[Card, ...]]:
    """Yield decks that deal the seat, and show it, what the record's deck does (`Worlds`)."""
    deck = shuffled_deck(record.deal.key)
    dealt = replay(record).steps[0].state
    fixed = seen_by(record, seat) | keep
    while True:
        other, chance = sample_world(dealt, seat, chance, keep=fixed)
        becomes = _exchange(dealt, other, fixed)
        yield tuple(becomes.get(card, card) for card in deck)


def _exchange(dealt: State, other: State, fixed: CardSet) -> dict[Card, Card]:
    """Return which card lies in the place of each that changed it."""
    becomes = dict(zip(dealt.stock, other.stock, strict=True))
    for hand, instead in zip(dealt.hands, other.hands, strict=True):
        becomes |= zip(cards_in(hand & ~fixed), cards_in(instead & ~fixed), strict=True)
    return becomes
