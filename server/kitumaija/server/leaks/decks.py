"""The decks of the other world: such that the same public course can be played with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Protocol

from kitumaija.engine import (
    Card,
    CardSet,
    Chance,
    DecidedBy,
    GameRecord,
    ReplayError,
    Seat,
    replay,
    shuffled_deck,
)
from kitumaija.engine.cards import EMPTY_SET

_TRIES = 60


class Worlds(Protocol):
    """Makes other worlds: where a pair of worlds comes from is the caller's to say."""

    def __call__(
        self, record: GameRecord, seat: Seat, chance: Chance, keep: CardSet
    ) -> Iterator[tuple[Card, ...]]:
        """Yield decks for the game of `record` in which all that `seat` saw of it stays the same.

        The cards of `keep` stay in their places too. Whether the whole course can be played with a
        deck is looked at by whoever asks; the last one wanted is followed by no other.
        """
        ...


class LaidOut:
    """The decks of a server in the other world (`engine.Shuffle`): some are laid out by hand."""

    def __init__(self, decks: Mapping[bytes, tuple[Card, ...]] = MappingProxyType({})) -> None:
        self._decks = decks

    def __call__(self, key: bytes) -> tuple[Card, ...]:
        """Return the deck of a key."""
        return self._decks.get(key) or shuffled_deck(key)


def other_deck(worlds: Worlds, record: GameRecord, seat: Seat, chance: Chance) -> tuple[Card, ...]:
    """Return a deck with which the record's course can be played; its own if there is no other.

    The server's own moves must come out the same too. If they do not, the hands that they were
    made from are left as they are.
    """
    own = shuffled_deck(record.deal.key)
    for keep in (EMPTY_SET, _played_by_the_server(record)):
        for deck in islice(worlds(record, seat, chance, keep), _TRIES):
            if deck != own and same_course(record, deck):
                return deck
    return own


def same_course(record: GameRecord, deck: tuple[Card, ...]) -> bool:
    """Tell whether every decision of a record, and its result, would stand with another deck."""
    try:
        replay(record, shuffle=lambda _: deck)
    except ReplayError:
        return False
    return True


def _played_by_the_server(record: GameRecord) -> CardSet:
    """Return the cards of all hands that a default action was played from, at that moment."""
    steps = replay(record).steps
    keep = EMPTY_SET
    for index, decision in enumerate(record.decisions):
        if decision.by is not DecidedBy.BOT:
            keep |= steps[index].state.hands[decision.seat]
    return keep
