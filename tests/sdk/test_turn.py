"""A turn as its bot reads it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from kitumaija.sdk import Card, Pass, Phase, PlayCard, TakeCards, TurnCard
from kitumaija.sdk.testing import make_turn
from kitumaija.wire.times import Limits


class Hand:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


def test_it_names_what_may_be_done() -> None:
    turn = make_turn(hand="8H 2D 9C", top="7H")

    assert turn.phase is Phase.CATCH
    assert turn.playable == (Card.DIAMONDS_TWO, Card.HEARTS_EIGHT)
    assert turn.can_turn
    assert turn.takes == ()
    assert not turn.can_pass
    assert turn.legal == (PlayCard(Card.DIAMONDS_TWO), PlayCard(Card.HEARTS_EIGHT), TurnCard())


def test_it_names_the_amounts_that_may_be_picked_up() -> None:
    turn = make_turn(hand="9C", pile="6H 9H", stock_size=0)

    assert turn.takes == (1, 2)
    assert turn.legal == (TakeCards(1), TakeCards(2))


def test_it_names_the_pass_of_a_leader_who_holds_only_the_queen() -> None:
    turn = make_turn(hand="QS", stock_size=0)

    assert turn.phase is Phase.LEAD
    assert turn.can_pass
    assert turn.legal == (Pass(),)


@pytest.mark.parametrize(
    ("seat", "out", "following"), [(0, (), 1), (2, (), 0), (0, (1,), 2), (2, (0,), 1)]
)
def test_it_names_the_next_player_who_is_still_in(
    seat: int, out: tuple[int, ...], following: int
) -> None:
    assert make_turn(hand="2C", top="3C", seat=seat, seats=3, out=out).next_seat == following


def test_what_remains_falls_with_the_clock_and_not_below_zero() -> None:
    clock = Hand()
    limits = Limits(per_decision=timedelta(seconds=1), bank=timedelta(seconds=2))
    turn = make_turn(hand="2C", top="3C", limits=limits, clock=clock)

    assert (turn.time_left, turn.bank) == (timedelta(seconds=3), timedelta(seconds=2))
    assert turn.remaining() == timedelta(seconds=3)
    clock.now = 2_999_999_000
    assert turn.remaining() == timedelta(microseconds=1)
    clock.now = 5_000_000_000
    assert turn.remaining() == timedelta(0)


@pytest.mark.parametrize(
    "turn",
    [
        make_turn(hand="8H 2D", top="7H"),
        make_turn(hand="8H 2D", pile="3C 9C 7H", phase="FREE", luck=True, seats=4, seat=2),
        make_turn(hand="8H", pile="3C 9C 7H QS", maija_pending=True, out=(1,), seats=3),
        make_turn(hand="QS", stock_size=0, turns=9),
    ],
)
def test_its_text_holds_the_call_that_makes_one_like_it(turn: object) -> None:
    call = str(turn).rpartition("again:")[2].strip()

    again = eval(call, {"make_turn": make_turn})

    assert str(again) == str(turn)


def test_its_text_fits_a_terminal_and_shows_the_hand_and_what_is_legal() -> None:
    text = str(make_turn(hand="8H 2D", top="7H"))

    assert "hand:   2D 8H" in text
    assert "legal:  2D, 8H, turn" in text
    assert "CATCH, top 7H, pile 1, stock 10" in text
