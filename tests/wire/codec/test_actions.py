"""Actions, and the lists of legal ones."""

from __future__ import annotations

import pytest
from hypothesis import given

from kitumaija.engine import (
    Action,
    Card,
    GameOptions,
    Pass,
    PickUp,
    PlayCard,
    TakeCards,
    TurnCard,
    legal_actions,
)
from kitumaija.v1 import game_pb2
from kitumaija.wire.codec import (
    CodecError,
    action_from_message,
    action_to_message,
    legal_from_message,
    legal_to_message,
)
from tests.support.values import ACTIONS, random_game


@given(ACTIONS)
def test_an_action_survives_the_way_over_the_wire(action: Action) -> None:
    data = action_to_message(action).SerializeToString()
    assert action_from_message(game_pb2.Action.FromString(data)) == action


def test_a_message_without_an_action_is_refused() -> None:
    with pytest.raises(CodecError, match="got none, wanted one of play, turn, take and pass_lead"):
        action_from_message(game_pb2.Action())


def test_an_action_of_a_newer_peer_is_refused_like_none() -> None:
    field_15 = b"\x7a\x00"
    with pytest.raises(CodecError, match="got none"):
        action_from_message(game_pb2.Action.FromString(field_15))


@pytest.mark.parametrize("card", [0, 53, -3])
def test_playing_what_is_no_card_is_refused(card: int) -> None:
    message = game_pb2.Action(play=card)  # type: ignore[arg-type]  # any number may come in
    with pytest.raises(CodecError, match=f"card: got {card}"):
        action_from_message(message)


@pytest.mark.parametrize("count", [0, 53, 2**32 - 1])
def test_taking_what_no_pile_holds_is_refused(count: int) -> None:
    with pytest.raises(CodecError, match=f"take: got {count}, wanted a number of cards from 1"):
        action_from_message(game_pb2.Action(take=count))


@pytest.mark.parametrize("count", [1, 5, 6, 52])
def test_taking_what_a_pile_may_hold_is_for_the_rules_to_judge(count: int) -> None:
    assert action_from_message(game_pb2.Action(take=count)) == TakeCards(count)


@pytest.mark.parametrize("seats", [2, 3, 5, 10])
def test_legal_actions_of_real_games_come_back_in_their_order(seats: int) -> None:
    options = GameOptions(pickup=PickUp.ALWAYS)
    for state, _ in random_game(seats, options, name=f"legal {seats}"):
        legal = legal_actions(state)
        data = legal_to_message(legal).SerializeToString()
        assert legal_from_message(game_pb2.LegalActions.FromString(data)) == legal


def test_every_kind_of_action_has_its_field_in_the_list() -> None:
    message = legal_to_message(
        (PlayCard(Card.CLUBS_TWO), PlayCard(Card.SPADES_ACE), TurnCard(), TakeCards(3), Pass())
    )
    assert list(message.play) == [1, 52]
    assert list(message.take) == [3]
    assert (message.turn, message.pass_lead) == (True, True)
    assert legal_from_message(message)[-3:] == (TurnCard(), TakeCards(3), Pass())
