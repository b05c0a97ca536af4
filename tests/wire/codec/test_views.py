"""Views as messages."""

from __future__ import annotations

import dataclasses

import pytest

from kitumaija.engine import (
    GameOptions,
    HandSizes,
    Seat,
    View,
    new_game,
    public_view,
    text_seed,
    view,
)
from kitumaija.v1 import game_pb2
from kitumaija.wire.codec import CodecError, view_from_message, view_to_message
from tests.support.values import random_game


def _message(seats: int = 3) -> game_pb2.View:
    return view_to_message(view(new_game(text_seed("view"), seats).state, Seat(0)))


@pytest.mark.parametrize("hand_sizes", HandSizes)
@pytest.mark.parametrize("seats", [2, 3, 6, 10])
def test_every_seats_view_of_real_games_survives_the_way_over_the_wire(
    seats: int, hand_sizes: HandSizes
) -> None:
    options = GameOptions(hand_sizes=hand_sizes)
    ended = 0
    for _, step in random_game(seats, options, name=f"views {seats} {hand_sizes}", longest=2000):
        for seat in range(seats):
            seen = view(step.state, Seat(seat))
            data = view_to_message(seen).SerializeToString()
            assert view_from_message(game_pb2.View.FromString(data)) == seen
        ended += step.state.over
    assert ended == 1


def test_hidden_hand_sizes_leave_nothing_of_them_in_the_message() -> None:
    state = new_game(text_seed("h"), 3, options=GameOptions(hand_sizes=HandSizes.NEVER)).state
    message = view_to_message(view(state, Seat(1)))
    assert not message.hand_sizes
    assert view_from_message(message).hand_sizes == (None, 5, None)


def test_the_public_view_has_no_message() -> None:
    state = new_game(text_seed("p"), 2).state
    with pytest.raises(CodecError, match="got the public view, wanted the view of a seat"):
        view_to_message(public_view(state))


def test_a_phase_of_a_newer_peer_reads_as_none_and_the_mover_stays() -> None:
    message = _message()
    message.phase = 9  # type: ignore[assignment]
    read = view_from_message(message)
    assert (read.phase, read.mover) == (None, 0)


@pytest.mark.parametrize("seats", [0, 1, 11, 2**32 - 1])
def test_a_number_of_seats_that_no_table_has_is_refused(seats: int) -> None:
    message = _message()
    message.seats = seats
    with pytest.raises(CodecError, match=f"seats: got {seats}, wanted 2 to 10"):
        view_from_message(message)


@pytest.mark.parametrize("field", ["seat", "mover"])
def test_a_seat_beyond_the_table_is_refused(field: str) -> None:
    message = _message(seats=3)
    setattr(message, field, 3)
    with pytest.raises(CodecError, match="wanted seats from 0 to 2"):
        view_from_message(message)


def test_hand_sizes_of_some_seats_only_are_refused() -> None:
    message = _message(seats=3)
    del message.hand_sizes[2]
    with pytest.raises(CodecError, match="got 2 hand sizes, wanted none or one for each of 3"):
        view_from_message(message)


def test_an_unknown_card_is_refused() -> None:
    message = _message()
    message.top = 60  # type: ignore[assignment]
    with pytest.raises(CodecError, match="card: got 60"):
        view_from_message(message)


def test_every_field_of_a_view_has_a_field_in_the_message() -> None:
    fields = {field.name for field in dataclasses.fields(View)}
    assert {field.name for field in game_pb2.View.DESCRIPTOR.fields} == fields
