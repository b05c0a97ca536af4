"""Cards as numbers in messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitumaija.engine import DECK, Card
from kitumaija.v1 import cards_pb2
from kitumaija.wire.codec import (
    CodecError,
    card_from_message,
    card_to_message,
    cards_from_message,
    cards_to_message,
)


def test_every_card_is_one_higher_in_messages_and_has_the_same_name() -> None:
    for card in DECK:
        assert card_to_message(card) == card + 1
        assert cards_pb2.Card.Name(card_to_message(card)) == f"CARD_{card.name}"


def test_the_messages_know_no_card_but_those_of_the_deck() -> None:
    known = set(cards_pb2.Card.values()) - {cards_pb2.CARD_UNSPECIFIED}
    assert {card_from_message(value) for value in known} == set(DECK)


@pytest.mark.parametrize("value", [0, 53, -1, -52])
def test_a_number_that_is_no_card_is_refused_with_what_was_wanted(value: int) -> None:
    with pytest.raises(CodecError, match=rf"got {value}, wanted a value of Card from 1 \(2C\)"):
        card_from_message(value)
    with pytest.raises(CodecError, match=f"got {value}"):
        cards_from_message([1, value])


@given(st.lists(st.sampled_from(DECK)))
def test_cards_keep_their_order_there_and_back(cards: list[Card]) -> None:
    assert cards_from_message(cards_to_message(cards)) == tuple(cards)
