"""What the worked positions leave to be tried: the edges of the rules, by number."""

from __future__ import annotations

import pytest

from kitumaija.engine import (
    CardLed,
    CardsDrawn,
    CardsPickedUp,
    FreeFromStock,
    FreeTurned,
    GameOptions,
    IllegalAction,
    IllegalReason,
    LuckTurned,
    MaijaReturned,
    OutOfTurn,
    Passed,
    Phase,
    PickUp,
    PlayCard,
    Seat,
    State,
    Step,
    TurnCard,
    apply,
    format_action,
    format_cards,
    format_position,
    legal_actions,
    parse_action,
    parse_card,
    parse_cards,
    position,
)

P0, P1, P2 = Seat(0), Seat(1), Seat(2)


def step(state: State, *actions: str) -> Step:
    made = Step(state, ())
    for action in actions:
        made = apply(made.state, parse_action(action))
    return made


def test_c2_a_player_who_caught_with_luck_and_a_turned_card_draws_nothing_with_five() -> None:
    start = position(
        seats=2, mover=0, hands={0: "2S 3S 4S 5S 6S", 1: "7C"}, pile="2H", stock="3H QS 9C"
    )

    _, events = step(start, "turn", "turn")

    assert events[0] == FreeTurned(P0, parse_card("QS"))
    assert not any(isinstance(event, CardsDrawn) for event in events)


def test_d6_a_queen_turned_as_free_card_makes_the_next_player_choose() -> None:
    start = position(
        seats=2, mover=0, hands={0: "2S 3S 4S 5S 6S", 1: "7C"}, pile="2H", stock="3H QS 9C"
    )

    state, _ = step(start, "turn", "turn")

    assert (state.mover, state.phase, state.maija_pending) == (P1, Phase.PICKUP, True)
    assert [format_action(action) for action in legal_actions(state)] == ["take 2", "take 3"]


def test_d5_under_always_the_free_card_after_a_catch_of_the_hand_may_be_turned() -> None:
    start = position(
        seats=2,
        mover=0,
        hands={0: "3H 3S 4S 5S 6S", 1: "7C"},
        pile="2H",
        stock="9C KC",
        options=GameOptions(free_from_stock=FreeFromStock.ALWAYS),
    )

    state, events = step(start, "3H", "turn")

    assert events == (
        FreeTurned(P0, parse_card("9C")),
        CardsDrawn(P0, 1, parse_cards("KC")),
    )
    assert state.mover == P1


def test_i2_the_free_card_cannot_be_turned_once_the_luck_card_was_the_last() -> None:
    start = position(seats=2, mover=0, hands={0: "2S 4S", 1: "7C"}, pile="2H", stock="3H")

    state, events = step(start, "turn")

    assert events == (LuckTurned(P0, parse_card("3H"), True),)
    assert TurnCard() not in legal_actions(state)


def test_d7_taking_at_once_is_the_whole_turn_and_draws_nothing() -> None:
    start = position(
        seats=2,
        mover=0,
        hands={0: "2D 3H 4S 5S 6S", 1: "7C"},
        pile="2C 3C 2H",
        stock="9C KC",
        options=GameOptions(pickup=PickUp.ALWAYS),
    )

    state, events = step(start, "take 2")

    assert events == (CardsPickedUp(P0, 2, parse_cards("3C 2H")),)
    assert (state.mover, state.phase, state.turns) == (P1, Phase.CATCH, 1)
    assert format_cards(state.stock) == "9C KC"


def test_b4_the_queen_that_stays_in_the_stock_is_shown_and_no_start_card_turned() -> None:
    start = position(seats=2, mover=0, hands={0: "2S", 1: "7C 8C"}, pile="AC", stock="QS")

    state, events = step(start, "take 1")

    assert events == (CardsPickedUp(P0, 1, parse_cards("AC")), MaijaReturned())
    assert (format_cards(state.stock), state.phase) == ("QS", Phase.LEAD)


def test_b4_a_leader_with_six_cards_leaves_the_queen_in_the_stock() -> None:
    start = position(seats=2, mover=0, hands={0: "2C 3C 4C 5C 6C 7C", 1: "8C"}, stock="QS")

    state, events = step(start, "2C")

    assert events == (CardLed(P0, parse_card("2C")),)
    assert format_cards(state.stock) == "QS"


def test_e5_nothing_can_be_turned_to_lead() -> None:
    start = position(seats=2, mover=0, hands={0: "2C 3C 4C 5C 6C", 1: "8C"}, stock="QS")

    with pytest.raises(IllegalAction, match=r"may not be turned from the stock here"):
        apply(start, TurnCard())


def test_e5_who_leads_his_last_card_is_out() -> None:
    start = position(seats=3, mover=0, hands={0: "2C", 1: "3C 4C", 2: "5C"})

    state, _ = step(start, "2C")

    assert (state.out, state.mover, state.phase) == ((P0,), P1, Phase.CATCH)


def test_e5_a_pass_is_a_turn_and_moves_no_card() -> None:
    start = position(seats=2, mover=0, hands={0: "QS", 1: "3C 4C"})

    state, events = step(start, "pass")

    assert events == (Passed(P0),)
    assert (state.hands, state.pile, state.turns) == (start.hands, (), 1)
    assert (state.mover, state.phase) == (P1, Phase.LEAD)


def test_f1_the_queen_hits_the_next_player_still_in() -> None:
    start = position(
        seats=3,
        mover=0,
        hands={0: "QS 8H 2C", 2: "9C"},
        pile="2D 3H 4H 5H 7H",
        out=[1],
    )

    state, events = step(start, "8H", "QS")

    assert events[-1] == CardsPickedUp(P2, 5, parse_cards("4H 5H 7H 8H QS"))
    assert (state.mover, state.turns) == (P0, 2)


def test_f2_the_queen_is_among_the_cards_picked_up_and_pends_no_more() -> None:
    start = position(
        seats=2, mover=0, hands={0: "QS 8H 2C", 1: "9C"}, pile="2D 3H 4H 5H 7H", stock=""
    )

    state, _ = step(start, "8H", "QS")

    assert parse_card("QS") in state.hand(P1)
    assert not state.maija_pending


def test_s27_a_lone_card_that_catches_leaves_no_free_card_to_play() -> None:
    start = position(seats=3, mover=0, hands={0: "8H", 1: "9C", 2: "TC"}, pile="7H")

    state, _ = step(start, "8H")

    assert (state.mover, state.phase) == (P1, Phase.CATCH)


def test_g1_nobody_goes_out_while_there_is_a_stock() -> None:
    start = position(seats=2, mover=0, hands={0: "8H", 1: "9C"}, pile="7H", stock="2C 3C")

    state, events = step(start, "8H")

    assert events[-1] == CardsDrawn(P0, 2, parse_cards("2C 3C"))
    assert state.out == ()


def test_the_state_that_an_action_starts_from_stays_as_it_was() -> None:
    start = position(seats=2, mover=0, hands={0: "8H 2C", 1: "9C"}, pile="7H", stock="3C")
    text = format_position(start)

    apply(start, parse_action("8H"))

    assert format_position(start) == text


def test_a_card_given_as_its_number_lies_on_the_pile_as_a_card() -> None:
    start = position(seats=2, mover=0, hands={0: "8H 2C", 1: "9C"}, pile="7H")
    number: int = int(parse_card("8H"))

    state, _ = apply(start, PlayCard(number))  # type: ignore[arg-type]

    assert format_cards(state.pile) == "7H 8H"


def test_an_illegal_action_names_the_action_and_the_rule_and_no_hidden_card() -> None:
    start = position(seats=2, mover=0, hands={0: "8H 2C", 1: "9C"}, pile="7H")

    with pytest.raises(IllegalAction) as raised:
        apply(start, parse_action("2C"))

    assert raised.value.reason is IllegalReason.DOES_NOT_BEAT
    assert raised.value.action == "2C"
    assert raised.value.position == format_position(start)
    assert str(raised.value) == "'2C' is illegal: the card does not beat the top card (S5-S9)"
    assert "9C" not in repr(raised.value)


def test_an_action_by_another_than_the_mover_is_out_of_turn() -> None:
    start = position(seats=2, mover=0, hands={0: "8H 2C", 1: "9C"}, pile="7H")

    with pytest.raises(OutOfTurn) as raised:
        apply(start, parse_action("8H"), by=P1)

    assert raised.value.reason is IllegalReason.NOT_YOUR_TURN
    assert apply(start, parse_action("8H"), by=P0) == apply(start, parse_action("8H"))


def test_after_the_end_no_action_is_out_of_turn_but_the_game_is_over() -> None:
    start = position(seats=2, mover=0, hands={0: "8H", 1: "9C"}, pile="7H")
    over, _ = step(start, "8H")

    with pytest.raises(IllegalAction) as raised:
        apply(over, parse_action("9C"), by=P0)

    assert raised.value.reason is IllegalReason.GAME_OVER
