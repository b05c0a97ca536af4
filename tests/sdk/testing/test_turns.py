"""Turns made by hand are turns as the rules make them."""

from __future__ import annotations

import pytest

from kitumaija.sdk import Bot, Card, Phase, PlayCard, Turn, TurnCard, play
from kitumaija.sdk.cards import DECK
from kitumaija.sdk.errors import UsageError
from kitumaija.sdk.rules import GameOptions, PickUp
from kitumaija.sdk.testing import make_turn
from tests.support.bots import First


def test_the_cards_that_are_named_are_there_and_the_rest_is_filled_in() -> None:
    turn = make_turn(
        hand="8H 2D", top="7H", pile_size=6, stock_size=12, hand_sizes=(2, 7, 5), seats=3
    )

    assert turn.hand == (Card.DIAMONDS_TWO, Card.HEARTS_EIGHT)
    assert turn.top is Card.HEARTS_SEVEN
    assert (turn.pile_size, turn.stock_size) == (6, 12)
    assert turn.hand_sizes == (2, 7, 5)


def test_sizes_are_hidden_when_the_stock_is_empty() -> None:
    assert make_turn(hand="8H 2D", top="7H", stock_size=0, seats=3).hand_sizes == (2, None, None)


def test_the_options_decide_what_is_legal() -> None:
    turn = make_turn(hand="8H", top="7H", options=GameOptions(pickup=PickUp.ALWAYS))

    assert turn.legal[0] == PlayCard(Card.HEARTS_EIGHT)
    assert turn.takes == (1,)


def test_a_phase_is_named_by_its_member_or_its_name() -> None:
    by_name = make_turn(hand="8H 2D", top="7H", phase="FREE", luck=True)
    by_member = make_turn(hand="8H 2D", top="7H", phase=Phase.FREE, luck=True)

    assert by_name == by_member
    assert TurnCard() in by_name.legal


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"hand": "8H 8H", "pile": "8H"}, "the card 8H is in two places"),
        ({"hand": "10H", "top": "7H"}, "no card: '10H'"),
        ({"hand": "8H", "top": "7H", "phase": "catch"}, "wanted one of CATCH, FREE"),
        ({"hand": "8H", "phase": "CATCH"}, "a card is led to an empty pile only"),
        ({"hand": "8H", "top": "7H", "seats": 11}, "wanted 2 to 10"),
        ({"hand": "8H", "top": "7H", "stock_size": 60}, "there are not as many cards"),
    ],
)
def test_a_turn_that_no_game_could_hold_is_refused_with_the_reason(
    given: dict[str, object], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        make_turn(**given)  # type: ignore[arg-type]


def test_every_turn_of_real_games_can_be_made_again_from_its_text() -> None:
    texts: list[tuple[str, str]] = []

    class Checks(First):
        def choose(self, turn: Turn) -> PlayCard:
            call = str(turn).rpartition("again:")[2].strip()
            again = eval(call, {"make_turn": make_turn})
            texts.append((_asked(turn), _asked(again)))
            return super().choose(turn)  # type: ignore[return-value]

    bots: list[type[Bot]] = [Checks] * 3
    for seed in range(4):
        play(bots, seed=seed)

    assert len(texts) > 200
    assert [there for there, _ in texts] == [here for _, here in texts]


def _asked(turn: Turn) -> str:
    """What was asked of the turn, without its numbers."""
    return str(turn).partition("asked:")[2].partition("again:")[0]


def test_no_card_is_dealt_twice() -> None:
    turn = make_turn(hand="8H", top="7H", pile_size=10, stock_size=20, seats=4)

    assert len({*turn.hand, turn.top}) == 2
    assert len(DECK) >= 10 + 20 + 1 + 15
