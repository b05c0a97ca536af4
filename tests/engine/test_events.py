from __future__ import annotations

import dataclasses
from typing import get_args

import pytest

from kitumaija.engine import (
    CardCaught,
    CardLed,
    CardsDrawn,
    CardsPickedUp,
    Dealt,
    Event,
    FreePlayed,
    FreeTurned,
    GameEnded,
    LuckTurned,
    MaijaReturned,
    Outcome,
    Passed,
    Seat,
    StartCardTurned,
    Termination,
    WentOut,
    event_for,
    parse_card,
    parse_cards,
)

OWNER, OTHER = Seat(1), Seat(0)
CARD = parse_card("8H")
CARDS = parse_cards("8H 2D")

PRIVATE: list[Dealt | CardsDrawn | CardsPickedUp] = [
    Dealt(OWNER, 2, CARDS),
    CardsDrawn(OWNER, 2, CARDS),
    CardsPickedUp(OWNER, 2, CARDS),
]
PUBLIC: list[Event] = [
    StartCardTurned(CARD),
    MaijaReturned(),
    CardCaught(OWNER, CARD),
    LuckTurned(OWNER, CARD, True),
    FreePlayed(OWNER, CARD),
    FreeTurned(OWNER, CARD),
    CardLed(OWNER, CARD),
    Passed(OWNER),
    WentOut(OWNER, 1),
    GameEnded(Outcome(Termination.FINISHED, (2, 1))),
]


def test_every_kind_of_event_is_either_private_or_public() -> None:
    assert {type(event) for event in (*PRIVATE, *PUBLIC)} == set(get_args(Event))


@pytest.mark.parametrize("event", PRIVATE, ids=lambda event: type(event).__name__)
def test_h2_the_faces_that_a_player_gets_are_for_him_alone(
    event: Dealt | CardsDrawn | CardsPickedUp,
) -> None:
    assert event_for(event, OWNER) == event
    for watcher in (OTHER, None):
        assert event_for(event, watcher) == dataclasses.replace(event, cards=None)


@pytest.mark.parametrize("event", PUBLIC, ids=lambda event: type(event).__name__)
def test_h1_what_is_public_is_the_same_for_all(event: Event) -> None:
    for watcher in (OWNER, OTHER, None):
        assert event_for(event, watcher) == event
