from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitumaija.engine import DECK, MAIJA, Card, Rank, Suit, beats, card_set, cards_in, catchers

cards = st.sampled_from(DECK)


def test_the_deck_is_clubs_diamonds_hearts_spades_each_from_two_to_ace() -> None:
    assert " ".join(str(card) for card in DECK) == " ".join(
        rank + suit for suit in "CDHS" for rank in "23456789TJQKA"
    )


def test_a_cards_number_is_suit_times_thirteen_plus_rank_minus_two() -> None:
    assert [card.suit * 13 + card.rank - 2 for card in DECK] == list(range(52))


def test_a_card_knows_its_suit_and_rank() -> None:
    assert (Card.HEARTS_EIGHT.suit, Card.HEARTS_EIGHT.rank) == (Suit.HEARTS, Rank.EIGHT)
    assert (Card(51).suit, Card(51).rank) == (Suit.SPADES, Rank.ACE)


def test_a_card_is_named_by_suit_and_rank() -> None:
    assert [card.name for card in DECK] == [f"{card.suit.name}_{card.rank.name}" for card in DECK]


def test_a_card_in_a_text_reads_as_its_notation() -> None:
    assert f"{Card.CLUBS_TEN} {Card.HEARTS_TWO:>3}" == "TC  2H"


@given(cards)
def test_every_card_is_true_the_two_of_clubs_too(card: Card) -> None:
    assert card


@given(cards)
def test_a_card_and_its_number_hash_alike(card: Card) -> None:
    assert hash(card) == hash(int(card))


@given(st.sets(cards))
def test_a_set_gives_back_its_cards_ascending(chosen: set[Card]) -> None:
    assert cards_in(card_set(chosen)) == tuple(sorted(chosen))


def test_a_card_named_twice_is_in_the_set_once() -> None:
    assert card_set([MAIJA, MAIJA]) == card_set([MAIJA])


@pytest.mark.parametrize("top", DECK, ids=str)
def test_the_catchers_of_a_card_are_the_cards_that_beat_it(top: Card) -> None:
    assert cards_in(catchers(top)) == tuple(card for card in DECK if beats(card, top))


@pytest.mark.parametrize("top", DECK, ids=str)
def test_the_catchers_follow_from_suit_and_rank(top: Card) -> None:
    higher = [card for card in DECK if card.suit == top.suit and card.rank > top.rank]
    trumps = [card for card in DECK if card.suit is Suit.DIAMONDS]
    expected = {
        Suit.CLUBS: higher,
        Suit.DIAMONDS: higher,
        Suit.HEARTS: trumps + higher,
        Suit.SPADES: trumps + higher,
    }[top.suit]

    assert cards_in(catchers(top)) == tuple(card for card in expected if MAIJA not in (card, top))
