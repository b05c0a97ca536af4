"""How games end, on both sides of every limit (G3–G6)."""

from __future__ import annotations

import pytest

from kitumaija.engine import (
    CardsDrawn,
    GameEnded,
    GameOptions,
    Outcome,
    Seat,
    State,
    Stopped,
    Termination,
    apply,
    legal_actions,
    parse_action,
    position,
)
from tests.support.cycle import TURNS, around, cycle_start
from tests.support.tables import play

TWICE = GameOptions(repetition=2, turns_per_player=0)

# From 2H 3D 5H 2D 4H to 2H 2D 5H 3D 4H, with no position twice on the way.
OTHERWISE_PILED = [
    *["take 3", "take 2", "2D", "3D", "2C", "take 2", "take 1", "2C", "take 1", "5H", "2D"],
    *["3H", "4H", "3D", "take 3", "take 2", "2H", "2D", "5H", "3D", "4H"],
]


def ended(state: State) -> Termination | None:
    return state.outcome.termination if state.outcome else None


def kitumaija(state: State) -> Seat | None:
    assert state.outcome is not None
    return state.outcome.kitumaija


@pytest.mark.parametrize("repetition", [2, 3, 4])
def test_g4_the_game_stops_at_the_named_occurrence_and_not_before(repetition: int) -> None:
    start = cycle_start(GameOptions(repetition=repetition, turns_per_player=0))

    before = around(start, repetition - 2)
    at = around(start, repetition - 1)

    assert (ended(before), before.turns) == (None, TURNS * (repetition - 2))
    assert (ended(at), at.turns) == (Termination.REPETITION, TURNS * (repetition - 1))


def test_g4_without_repetition_the_same_position_may_come_back_for_ever() -> None:
    start = cycle_start(GameOptions(repetition=0, turns_per_player=0))

    assert ended(around(start, 20)) is None


def test_g4_another_player_to_move_makes_another_position() -> None:
    start = position(seats=2, mover=0, hands={0: "QS", 1: "3C 4C"}, options=TWICE)

    passed = play(start, "pass")

    assert (passed.hands, passed.pile, passed.mover) == (start.hands, start.pile, 1)
    assert ended(passed) is None


def test_g4_another_order_of_the_pile_makes_another_position() -> None:
    start = position(
        seats=2, mover=0, hands={0: "QS", 1: "2C 3H"}, pile="2H 3D 5H 2D 4H", options=TWICE
    )

    again = play(start, *OTHERWISE_PILED)

    assert (again.hands, again.mover, again.top) == (start.hands, 0, start.top)
    assert set(again.pile) == set(start.pile)
    assert again.pile != start.pile
    assert ended(again) is None


@pytest.mark.parametrize("cap", [1, 2, 5])
def test_g4_the_cap_stops_the_game_at_that_many_turns_and_not_before(cap: int) -> None:
    state = cycle_start(GameOptions(repetition=0, turns_per_player=cap))

    while not state.over:
        assert state.turns < cap * 2
        state = _one_more(state)

    assert (ended(state), state.turns) == (Termination.TURN_CAP, cap * 2)


@pytest.mark.parametrize(("turns", "ends"), [(4, None), (5, Termination.TURN_CAP)])
def test_g4_the_cap_counts_the_players_who_are_out(turns: int, ends: Termination | None) -> None:
    start = position(
        seats=3,
        mover=0,
        hands={0: "2C", 1: "5S"},
        pile="AC",
        out=[2],
        turns=turns,
        options=GameOptions(turns_per_player=2),
    )

    assert ended(play(start, "take 1")) is ends


def test_g4_where_both_stop_the_game_the_repetition_is_the_reason() -> None:
    start = cycle_start(GameOptions(repetition=2, turns_per_player=TURNS // 2))

    assert ended(around(start)) is Termination.REPETITION


def test_g4_where_the_last_turn_finishes_the_game_it_is_not_the_cap_that_stops_it() -> None:
    start = position(
        seats=2, mover=0, hands={0: "8H", 1: "9C"}, pile="7H", turns=1,
        options=GameOptions(turns_per_player=1),
    )  # fmt: skip

    assert ended(play(start, "8H")) is Termination.FINISHED


def test_g4_a_forced_pick_up_is_a_turn_that_the_cap_can_come_before() -> None:
    options = GameOptions(turns_per_player=1)
    start = position(
        seats=2, mover=0, hands={0: "QS 8H 2C", 1: "9C"}, pile="2D 3H 4H 5H 7H", turns=1,
        options=options,
    )  # fmt: skip

    stopped = play(start, "8H", "QS")

    assert (ended(stopped), stopped.turns) == (Termination.TURN_CAP, 2)
    assert stopped.outcome is not None
    assert stopped.outcome.places == (1, 1)


def test_g4_a_smaller_stock_forgets_what_was_before() -> None:
    start = position(seats=2, mover=0, hands={0: "8H 2C", 1: "9C"}, pile="7H", stock="3C 4C")

    after, events = apply(play(start, "8H"), parse_action("2C"))

    assert any(isinstance(event, CardsDrawn) for event in events)
    assert sum(len(size) for size in after.history) == 1


def test_g3_places_are_the_order_of_going_out() -> None:
    start = position(seats=3, mover=0, hands={0: "8H", 1: "9H", 2: "TC"}, pile="7H")

    over = play(start, "8H", "9H")

    assert over.outcome == Outcome(Termination.FINISHED, (1, 2, 3))
    assert kitumaija(over) == 2


@pytest.mark.parametrize(
    ("stopped", "places"),
    [(Stopped.BY_HAND_SIZE, (5, 2, 1, 2, 4)), (Stopped.SHARE_LAST, (2, 2, 1, 2, 2))],
)
def test_g5_in_a_stopped_game_those_with_cards_are_placed_as_the_option_says(
    stopped: Stopped, places: tuple[int, ...]
) -> None:
    start = position(
        seats=5,
        mover=0,
        hands={0: "2C 3C 4C", 1: "5S", 3: "6S", 4: "7C 8C"},
        pile="AC",
        out=[2],
        turns=4,
        options=GameOptions(turns_per_player=1, stopped=stopped),
    )

    over, events = apply(start, parse_action("take 1"))

    assert over.outcome == Outcome(Termination.TURN_CAP, places)
    assert kitumaija(over) is None
    assert events[-1] == GameEnded(Outcome(Termination.TURN_CAP, places))


def _one_more(state: State) -> State:
    return apply(state, legal_actions(state)[0]).state
