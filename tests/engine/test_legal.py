from __future__ import annotations

import random

import pytest

from kitumaija.engine import (
    FreeFromStock,
    GameOptions,
    IllegalReason,
    Phase,
    PickUp,
    State,
    Termination,
    apply,
    format_action,
    legal_actions,
    new_game,
    parse_action,
    position,
    text_seed,
    why_illegal,
)
from tests.support.oracle import ALL_ACTIONS
from tests.support.playouts import choose

HAND = {0: "QS 2C 3D 8H 4S", 1: "9C TC"}


def table(phase: Phase | None = None, *, stock: str = "5H 6H", **more: object) -> State:
    settings: dict[str, object] = {
        "seats": 2,
        "mover": 0,
        "hands": HAND,
        "pile": "2H 9H 7S 7H",
        "phase": phase,
        "stock": stock,
    }
    return position(**{**settings, **more})  # type: ignore[arg-type]


def legal(state: State) -> list[str]:
    return [format_action(action) for action in legal_actions(state)]


CATCH = table()
CATCH_NO_STOCK = table(stock="")
HELPLESS = table(hands={0: "2C 2S"})
FREE = table(Phase.FREE)
FREE_LUCKY = table(Phase.FREE, luck=True)
FREE_LUCKY_LAST = table(Phase.FREE, luck=True, stock="")
AFTER_LUCK = table(Phase.PICKUP, pile="7H 2C", hands={0: "QS", 1: "9C"})
FOR_MAIJA = table(pile="2H 7S QS", maija_pending=True, hands={0: "2C", 1: "9C"})
LEAD = table(pile="")
LEAD_QUEEN = table(pile="", hands={0: "QS", 1: "9C"}, stock="")


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (CATCH, "3D 8H turn"),
        (CATCH_NO_STOCK, "3D 8H"),
        (HELPLESS, "turn|take 3"),
        (FREE, "2C 3D 8H 4S QS"),
        (FREE_LUCKY, "2C 3D 8H 4S QS turn"),
        (FREE_LUCKY_LAST, "2C 3D 8H 4S QS"),
        (AFTER_LUCK, "take 1|take 2"),
        (FOR_MAIJA, "take 2|take 3"),
        (LEAD, "2C 3D 8H 4S"),
        (LEAD_QUEEN, "pass"),
    ],
)
def test_i4_the_legal_actions_come_in_their_order(state: State, expected: str) -> None:
    wanted = expected.split("|") if "take" in expected else expected.split()

    assert legal(state) == wanted


@pytest.mark.parametrize(
    ("option", "lucky", "unlucky"),
    [
        (FreeFromStock.AFTER_LUCK, True, False),
        (FreeFromStock.ALWAYS, True, True),
        (FreeFromStock.NEVER, False, False),
    ],
)
def test_d5_the_free_card_is_turned_where_the_option_allows_it(
    option: FreeFromStock, lucky: bool, unlucky: bool
) -> None:
    options = GameOptions(free_from_stock=option)

    assert ("turn" in legal(table(Phase.FREE, luck=True, options=options))) is lucky
    assert ("turn" in legal(table(Phase.FREE, luck=False, options=options))) is unlucky
    assert "turn" not in legal(table(Phase.FREE, luck=True, options=options, stock=""))


@pytest.mark.parametrize(
    ("pile", "takes"),
    [
        ("7H", ["take 1"]),
        ("2H 7H", ["take 1", "take 2"]),
        ("2H 3H 7H", ["take 2", "take 3"]),
        ("2H 3H 4H 7H", ["take 3"]),
    ],
)
def test_e1_at_once_three_are_picked_up_or_what_there_is(pile: str, takes: list[str]) -> None:
    state = table(pile=pile, hands={0: "2C 2S"}, stock="")

    assert legal(state) == takes


@pytest.mark.parametrize(
    ("pile", "takes"),
    [
        ("7H QS", ["take 1", "take 2"]),
        ("2H 3H 4H 7H QS", ["take 4", "take 5"]),
        ("2H 3H 4H 5H 7H QS", ["take 5"]),
    ],
)
def test_e3_for_maija_five_are_picked_up_or_what_there_is(pile: str, takes: list[str]) -> None:
    assert legal(table(pile=pile, maija_pending=True, hands={0: "2C"}, stock="KC")) == takes


def test_d7_with_pickup_always_one_who_can_catch_may_take() -> None:
    options = GameOptions(pickup=PickUp.ALWAYS)

    assert legal(table(options=options)) == ["3D", "8H", "turn", "take 3"]


def test_nothing_is_legal_once_the_game_is_over() -> None:
    over = table(ended=Termination.TURN_CAP)

    assert legal_actions(over) == ()
    assert why_illegal(over, parse_action("8H")) is IllegalReason.GAME_OVER


@pytest.mark.parametrize(
    ("state", "action", "reason"),
    [
        (CATCH, "AH", IllegalReason.NOT_IN_HAND),
        (CATCH, "4S", IllegalReason.DOES_NOT_BEAT),
        (CATCH, "QS", IllegalReason.MAIJA_CANNOT_CATCH),
        (CATCH, "take 3", IllegalReason.MUST_CATCH),
        (CATCH, "pass", IllegalReason.CANNOT_PASS),
        (CATCH_NO_STOCK, "turn", IllegalReason.STOCK_EMPTY),
        (HELPLESS, "take 2", IllegalReason.PICKUP_AMOUNT),
        (HELPLESS, "take 0", IllegalReason.PICKUP_AMOUNT),
        (FREE, "AH", IllegalReason.NOT_IN_HAND),
        (FREE, "turn", IllegalReason.TURN_NOT_ALLOWED),
        (FREE, "take 3", IllegalReason.WRONG_PHASE),
        (FREE, "pass", IllegalReason.CANNOT_PASS),
        (FREE_LUCKY_LAST, "turn", IllegalReason.STOCK_EMPTY),
        (AFTER_LUCK, "turn", IllegalReason.LUCK_ALREADY_TRIED),
        (AFTER_LUCK, "QS", IllegalReason.WRONG_PHASE),
        (AFTER_LUCK, "take 3", IllegalReason.PICKUP_AMOUNT),
        (FOR_MAIJA, "turn", IllegalReason.WRONG_PHASE),
        (FOR_MAIJA, "2C", IllegalReason.WRONG_PHASE),
        (FOR_MAIJA, "take 5", IllegalReason.PICKUP_AMOUNT),
        (FOR_MAIJA, "pass", IllegalReason.CANNOT_PASS),
        (LEAD, "AH", IllegalReason.NOT_IN_HAND),
        (LEAD, "QS", IllegalReason.MAIJA_CANNOT_LEAD),
        (LEAD, "turn", IllegalReason.TURN_NOT_ALLOWED),
        (LEAD, "take 1", IllegalReason.WRONG_PHASE),
        (LEAD, "pass", IllegalReason.CANNOT_PASS),
    ],
)
def test_what_is_illegal_has_its_reason(state: State, action: str, reason: IllegalReason) -> None:
    assert why_illegal(state, parse_action(action)) is reason


def test_an_action_has_a_reason_against_it_exactly_if_it_is_not_listed() -> None:
    rng = random.Random(7)
    for seats in range(2, 11):
        state = new_game(text_seed(f"reasons {seats}"), seats).state
        while not state.over:
            listed = legal_actions(state)
            for text in ALL_ACTIONS:
                action = parse_action(text)
                assert (why_illegal(state, action) is None) == (action in listed)
            state = apply(state, choose(listed, rng)).state
