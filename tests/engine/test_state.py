from __future__ import annotations

import copy
import dataclasses
import pickle
import random

import pytest

from kitumaija.engine import (
    GameOptions,
    Seat,
    State,
    apply,
    legal_actions,
    new_game,
    parse_card,
    parse_cards,
    position,
    text_seed,
    view,
)
from kitumaija.engine.freezing import frozen_as
from kitumaija.engine.state import Draft
from tests.support.playouts import choose

RUNNING = position(seats=3, mover=1, hands={0: "3H 2H", 1: "4C"}, pile="7D 9S", out=[2])


def played() -> State:
    rng = random.Random(5)
    state = new_game(text_seed("played"), 3).state
    for _ in range(60):
        state = apply(state, choose(legal_actions(state), rng)).state
    return state


def test_a_state_tells_its_seats_hands_and_top_card() -> None:
    assert RUNNING.seats == 3
    assert RUNNING.hand(Seat(0)) == parse_cards("2H 3H")
    assert RUNNING.top == parse_card("9S")
    assert not RUNNING.over


@pytest.mark.parametrize("field", dataclasses.fields(State), ids=lambda field: field.name)
def test_no_field_of_a_state_can_be_set(field: dataclasses.Field[object]) -> None:
    state = played()

    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(state, field.name, None)


def test_a_state_takes_no_other_attribute() -> None:
    with pytest.raises((AttributeError, TypeError)):
        played().note = "x"  # type: ignore[attr-defined]


def test_equal_games_have_equal_states_with_equal_hashes() -> None:
    assert played() == played()
    assert hash(played()) == hash(played())


def test_a_state_made_by_the_rules_is_one_like_any_other() -> None:
    state = played()
    fields = {field.name: getattr(state, field.name) for field in dataclasses.fields(State)}

    assert type(state) is State
    assert State(**fields) == state
    assert dataclasses.replace(state, turns=7).turns == 7


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy])
def test_a_copied_state_is_equal_and_frozen(again: object) -> None:
    assert callable(again)
    assert again(played()) == played()


def test_a_state_and_a_view_come_back_from_pickling() -> None:
    state = played()
    seen = view(state, Seat(0))

    assert pickle.loads(pickle.dumps(state)) == state
    assert pickle.loads(pickle.dumps(seen)) == seen


def test_a_state_in_a_log_shows_no_key_that_the_deal_follows_from() -> None:
    assert text_seed("played").hex() not in repr(played())
    assert "chance" not in repr(played())


def test_a_draft_has_the_fields_of_a_state() -> None:
    names = [field.name for field in dataclasses.fields(State)]

    assert [field.name for field in dataclasses.fields(Draft)] == names


def test_a_draft_becomes_no_value_with_other_slots() -> None:
    with pytest.raises(TypeError, match="layout"):
        frozen_as(GameOptions, Draft.of(RUNNING))
