"""What is made of a bot's answer, and how a wrong one is explained."""

from __future__ import annotations

import pytest

from kitumaija.sdk import Action, Card, Pass, PlayCard, TakeCards, Turn, TurnCard
from kitumaija.sdk.answers import fallback, settle
from kitumaija.sdk.errors import BotError
from kitumaija.sdk.testing import make_turn

CATCH = make_turn(hand="8H 2D 9C QS", top="7H")
UNABLE = make_turn(hand="9C 2S", pile="3C 9D 7D 8D", stock_size=0)
FREE = make_turn(hand="8H 2D", pile="7H 9H", phase="FREE")
PICKUP = make_turn(hand="8H", pile="3C 9C 7H QS", maija_pending=True)
LEAD = make_turn(hand="8H QS", stock_size=0)


def test_a_card_means_to_play_it() -> None:
    assert settle("Bot", CATCH, Card.HEARTS_EIGHT) == PlayCard(Card.HEARTS_EIGHT)


def test_a_legal_action_is_taken_as_it_is() -> None:
    assert settle("Bot", CATCH, TurnCard()) == TurnCard()


def test_the_first_legal_action_stands_in() -> None:
    assert fallback(CATCH) == PlayCard(Card.DIAMONDS_TWO)


@pytest.mark.parametrize(
    ("turn", "action", "why"),
    [
        (CATCH, PlayCard(Card.CLUBS_NINE), "9C does not beat the top card 7H"),
        (CATCH, PlayCard(Card.HEARTS_ACE), "AH is not in the hand"),
        (CATCH, PlayCard(Card.SPADES_QUEEN), "the queen of spades cannot catch"),
        (CATCH, TakeCards(3), "a player who holds a catching card may not pick up"),
        (CATCH, Pass(), "only a leader who holds nothing but the queen"),
        (UNABLE, TakeCards(2), "it has to be 3 cards"),
        (UNABLE, TurnCard(), "the stock is empty"),
        (FREE, TurnCard(), "only where D5 allows it"),
        (FREE, TakeCards(3), "nothing is picked up in the phase FREE"),
        (PICKUP, PlayCard(Card.HEARTS_EIGHT), "this turn is a pick-up"),
        (PICKUP, TurnCard(), "this turn is a pick-up"),
        (PICKUP, TakeCards(5), "it has to be 3 or 4 cards"),
        (LEAD, PlayCard(Card.SPADES_QUEEN), "the queen of spades cannot lead"),
        (LEAD, TurnCard(), "a lead comes from the hand"),
    ],
)
def test_an_illegal_action_is_explained_by_the_rule_that_it_breaks(
    turn: Turn, action: Action, why: str
) -> None:
    with pytest.raises(BotError, match="which is not legal") as raised:
        settle("Bot", turn, action)

    assert why in str(raised.value)
    assert raised.value.turn is turn
    assert str(turn) in str(raised.value)


def test_a_forgotten_return_is_told() -> None:
    with pytest.raises(BotError, match="choose answered None .*is a return missing"):
        settle("Bot", CATCH, None)


@pytest.mark.parametrize("reply", ["8H", 8, [Card.HEARTS_EIGHT], object()])
def test_what_is_no_action_is_told_with_its_type(reply: object) -> None:
    with pytest.raises(BotError, match=f"a {type(reply).__name__} .*wanted one of turn.legal"):
        settle("Bot", CATCH, reply)
