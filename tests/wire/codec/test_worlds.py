"""Worlds as messages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kitumaija.engine import GameOptions, State, apply, legal_actions, new_game, text_seed
from kitumaija.engine.state import NO_HISTORY
from kitumaija.v1 import cards_pb2, game_pb2, world_pb2
from kitumaija.wire.codec import CodecError, world_from_message, world_to_message
from tests.support.values import random_game

OPTIONS = GameOptions()


def but_for_the_past(state: State) -> State:
    return replace(state, history=NO_HISTORY, dealer=state.mover)


@pytest.mark.parametrize("seats", [2, 3, 6, 10])
def test_every_state_of_real_games_survives_the_way_over_the_wire(seats: int) -> None:
    ended = 0
    for _, step in random_game(seats, OPTIONS, name=f"worlds {seats}", longest=2000):
        data = world_to_message(step.state).SerializeToString()
        state = world_from_message(world_pb2.World.FromString(data), OPTIONS)
        assert but_for_the_past(state) == but_for_the_past(step.state)
        assert legal_actions(state) == legal_actions(step.state)
        ended += step.state.over
    assert ended == 1


def test_a_world_goes_on_as_it_would_have() -> None:
    state = new_game(text_seed("goes on"), 3).state
    there = world_from_message(world_to_message(state), OPTIONS)
    for _ in range(40):
        action = legal_actions(state)[0]
        state, events = apply(state, action)
        there, told = apply(there, action)
        assert told == events
    assert but_for_the_past(there) == but_for_the_past(state)


def message() -> world_pb2.World:
    return world_to_message(new_game(text_seed("wrong"), 3).state)


def test_what_no_game_could_hold_is_refused_with_what_is_wrong() -> None:
    twice, short, nobody, no_phase, ended, out = (message() for _ in range(6))
    twice.stock[0] = twice.hands[0].cards[0]
    short.chance_key = b"short"
    nobody.mover = 7
    no_phase.phase = game_pb2.PHASE_UNSPECIFIED
    ended.termination = game_pb2.TERMINATION_FINISHED
    out.out.append((out.mover + 1) % 3)
    no_card = message()
    no_card.pile[0] = cards_pb2.CARD_UNSPECIFIED

    for wrong, why in (
        (twice, "in two places"),
        (short, "chance_key: got 5 bytes, wanted 32"),
        (nobody, "hold cards and move"),
        (no_phase, "phase: wanted one while the game runs"),
        (ended, "phase: wanted one while the game runs"),
        (out, "is out, and holds cards"),
        (no_card, "card: got 0"),
        (world_pb2.World(phase=game_pb2.PHASE_CATCH), "got 0 players"),
    ):
        with pytest.raises(CodecError, match=why):
            world_from_message(wrong, OPTIONS)
