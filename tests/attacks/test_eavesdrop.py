"""Somebody on the line, who cannot read what is encrypted, but sees how long it is."""

from __future__ import annotations

import pytest

from kitumaija.engine import (
    DECK,
    CardsDrawn,
    CardsPickedUp,
    Dealt,
    PlayCard,
    Seat,
    event_for,
)
from kitumaija.v1.arena_pb2 import MatchEnd
from kitumaija.wire.codec import action_to_message, cards_to_message, events_to_message


def test_every_card_has_the_same_size_in_every_answer() -> None:
    sizes = {action_to_message(PlayCard(card)).ByteSize() for card in DECK}
    assert len(sizes) == 1


@pytest.mark.parametrize("count", [1, 5, 20])
def test_so_many_cards_have_the_same_size_whichever_they_are(count: int) -> None:
    hands = [DECK[start : start + count] for start in range(52 - count)]
    assert len({MatchEnd(stock=cards_to_message(hand)).ByteSize() for hand in hands}) == 1
    for kind in (Dealt, CardsDrawn, CardsPickedUp):
        told = [
            events_to_message([event_for(kind(Seat(1), count, tuple(hand)), Seat(1))])
            for hand in hands
        ]
        assert len({sum(event.ByteSize() for event in events) for events in told}) == 1
