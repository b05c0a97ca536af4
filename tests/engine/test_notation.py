from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitumaija.engine import (
    DECK,
    Action,
    Card,
    NotationError,
    Pass,
    PlayCard,
    TakeCards,
    TurnCard,
    format_action,
    format_card,
    format_cards,
    parse_action,
    parse_card,
    parse_cards,
)

cards = st.sampled_from(DECK)
actions: st.SearchStrategy[Action] = st.one_of(
    cards.map(PlayCard), st.just(TurnCard()), st.integers(0, 9999).map(TakeCards), st.just(Pass())
)


@given(cards)
def test_a_card_comes_back_from_its_text(card: Card) -> None:
    assert parse_card(format_card(card)) is card


@given(st.lists(cards))
def test_cards_come_back_from_their_text_in_order(several: list[Card]) -> None:
    assert parse_cards(format_cards(several)) == tuple(several)


@given(actions)
def test_an_action_comes_back_from_its_text(action: Action) -> None:
    assert parse_action(format_action(action)) == action


@given(st.text())
def test_what_is_read_as_an_action_is_that_actions_text(text: str) -> None:
    with suppress(NotationError):
        assert format_action(parse_action(text)) == text


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (PlayCard(Card.HEARTS_EIGHT), "8H"),
        (PlayCard(Card.CLUBS_TEN), "TC"),
        (TurnCard(), "turn"),
        (TakeCards(3), "take 3"),
        (Pass(), "pass"),
    ],
)
def test_the_texts_of_actions(action: Action, text: str) -> None:
    assert format_action(action) == text


@pytest.mark.parametrize("text", ["", "8h", "H8", "10H", "1H", "8H ", "JOKER"])
def test_what_is_no_card_is_refused_with_what_is_wanted(text: str) -> None:
    with pytest.raises(NotationError, match=r"no card: .* wanted a rank"):
        parse_card(text)


@pytest.mark.parametrize("text", ["", "Turn", "take", "take -1", "take 03", "take 10000", "8H 9H"])
def test_what_is_no_action_is_refused_with_what_is_wanted(text: str) -> None:
    with pytest.raises(NotationError, match=r"no action: .* wanted a card as 8H, 'turn'"):
        parse_action(text)
