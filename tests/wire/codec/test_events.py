"""Events as messages."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given

from kitumaija.engine import Card, CardsDrawn, Dealt, Event, Seat, Termination, event_for
from kitumaija.engine.options import GameOptions
from kitumaija.v1 import game_pb2
from kitumaija.wire.codec import (
    CodecError,
    event_from_message,
    event_to_message,
    events_from_message,
    events_to_message,
    termination_from_message,
    termination_to_message,
)
from tests.support.values import EVENTS, random_game


@given(EVENTS)
def test_an_event_survives_the_way_over_the_wire(event: Event) -> None:
    data = event_to_message(event).SerializeToString()
    assert event_from_message(game_pb2.Event.FromString(data)) == event


def test_every_event_of_the_engine_has_a_kind_of_its_own_and_no_kind_is_left() -> None:
    kinds = set(game_pb2.EventKind.values()) - {game_pb2.EVENT_KIND_UNSPECIFIED}
    assert len(kinds) == len(get_args(Event))


@pytest.mark.parametrize("seats", [2, 4, 10])
def test_what_a_seat_and_the_public_are_told_of_real_games_survives(seats: int) -> None:
    for _, step in random_game(seats, GameOptions(), name=f"events {seats}"):
        for watcher in (Seat(0), Seat(1), None):
            told = tuple(event_for(event, watcher) for event in step.events)
            assert events_from_message(events_to_message(told)) == told


def test_faces_that_are_not_told_are_not_in_the_bytes() -> None:
    open_, hidden = Dealt(Seat(1), 2, (Card.CLUBS_TWO, Card.HEARTS_ACE)), Dealt(Seat(1), 2, None)
    assert len(event_to_message(open_).cards) == 2
    assert len(event_to_message(hidden).cards) == 0
    assert event_to_message(hidden).count == 2


def test_an_event_of_a_newer_peer_is_passed_over() -> None:
    newer = game_pb2.Event(kind=99)  # type: ignore[arg-type]  # any number may come in
    passed = event_to_message(CardsDrawn(Seat(0), 1, None))
    assert event_from_message(newer) is None
    assert event_from_message(game_pb2.Event()) is None
    assert events_from_message([newer, passed]) == (CardsDrawn(Seat(0), 1, None),)


def test_a_game_that_ended_for_a_newer_peers_reason_is_passed_over() -> None:
    ended = game_pb2.Event(
        kind=game_pb2.EVENT_KIND_GAME_ENDED,
        termination=9,  # type: ignore[arg-type]
        places=[1, 2],
    )
    assert event_from_message(ended) is None


def test_fewer_faces_than_cards_are_refused() -> None:
    message = event_to_message(Dealt(Seat(0), 2, (Card.CLUBS_TWO, Card.HEARTS_ACE)))
    message.count = 5
    with pytest.raises(CodecError, match="got 2 cards, wanted none or as many as count says, 5"):
        event_from_message(message)


def test_a_card_event_without_its_card_is_refused() -> None:
    with pytest.raises(CodecError, match="card: got 0"):
        event_from_message(game_pb2.Event(kind=game_pb2.EVENT_KIND_CARD_LED))


@pytest.mark.parametrize("termination", [*Termination, None])
def test_why_a_game_ended_comes_back(termination: Termination | None) -> None:
    assert termination_from_message(termination_to_message(termination)) is termination


def test_an_unknown_reason_for_an_end_is_refused_with_the_known_ones() -> None:
    unknown = 9
    with pytest.raises(CodecError, match=r"Termination: got 9, wanted one of 1 \(FINISHED\)"):
        termination_from_message(unknown)  # type: ignore[arg-type]
