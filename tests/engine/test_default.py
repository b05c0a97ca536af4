"""The default action (I5)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from kitumaija.engine import (
    GameOptions,
    Phase,
    PickUp,
    Seat,
    State,
    apply,
    default_action,
    format_action,
    legal_actions,
    new_game,
    position,
    text_seed,
    view,
)
from tests.support.playouts import choose


def default(state: State) -> str:
    return format_action(default_action(view(state, state.mover), legal_actions(state)))


@pytest.mark.parametrize(
    ("hand", "pile", "stock", "wanted"),
    [
        ("9H 8H 2D", "7H", "3C", "2D"),
        ("9H 8H", "7H", "3C", "8H"),
        ("8D 8H", "7H", "", "8D"),
        ("2S 3S", "5C 6C 7H", "3C", "turn"),
        ("2S 3S", "6C 7H", "", "take 1"),
        ("2S 3S", "5C 6C 7C 7H", "", "take 3"),
    ],
    ids=["lowest rank", "lowest heart", "lowest suit", "luck", "smaller amount", "only amount"],
)
def test_i5_in_catch_the_lowest_catching_card_then_luck_then_the_smaller_pick_up(
    hand: str, pile: str, stock: str, wanted: str
) -> None:
    start = position(seats=2, mover=0, hands={0: hand, 1: "KC"}, pile=pile, stock=stock)

    assert default(start) == wanted


def test_i5_picking_up_at_once_is_not_the_default_of_one_who_can_catch() -> None:
    options = GameOptions(pickup=PickUp.ALWAYS)
    start = position(seats=2, mover=0, hands={0: "AH"}, pile="5C 7H", stock="3C", options=options)

    assert default(start) == "AH"


@pytest.mark.parametrize(("hand", "wanted"), [("9H 3S 3D", "3D"), ("QS AS AH", "AH"), ("QS", "QS")])
def test_i5_the_free_card_is_the_lowest_and_the_queen_only_if_alone(hand: str, wanted: str) -> None:
    start = position(
        seats=2, mover=0, hands={0: hand}, pile="5C 7C", stock="4C", phase=Phase.FREE, luck=True
    )

    assert default(start) == wanted


@pytest.mark.parametrize(("hand", "wanted"), [("9H 3S QS", "3S"), ("QS", "pass")])
def test_i5_the_lead_is_the_lowest_card(hand: str, wanted: str) -> None:
    assert default(position(seats=2, mover=0, hands={0: hand, 1: "4C"})) == wanted


def test_i5_of_two_amounts_the_smaller_is_picked_up() -> None:
    start = position(
        seats=2, mover=0, hands={0: "2C"}, pile="5C 7S QS", maija_pending=True, stock="4C"
    )

    assert default(start) == "take 2"


@pytest.mark.parametrize("seats", range(2, 11))
def test_the_default_is_legal_and_follows_from_the_seats_own_view(seats: int) -> None:
    rng = random.Random(seats)
    state = new_game(text_seed(f"default {seats}"), seats).state
    while not state.over:
        legal = legal_actions(state)
        seen = view(state, state.mover)
        action = default_action(seen, legal)
        assert action in legal
        # Nothing but the phase and the legal actions is used: a bot knows both.
        assert default_action(replace(seen, hand=(), top=None, seat=Seat(0)), legal) == action
        state = apply(state, choose(legal, rng)).state


@pytest.mark.parametrize("seats", [2, 3, 6, 10])
def test_games_of_defaults_alone_come_to_an_end(seats: int) -> None:
    state = new_game(text_seed(f"defaults {seats}"), seats).state
    while not state.over:
        action = default_action(view(state, state.mover), legal_actions(state))
        state = apply(state, action).state

    assert state.outcome is not None


def test_where_nothing_is_legal_there_is_no_default() -> None:
    state = position(seats=2, mover=0, hands={0: "2C"}, pile="5C")

    with pytest.raises(ValueError, match="no action is legal"):
        default_action(view(state, Seat(0)), ())
