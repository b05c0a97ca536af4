"""Game options as messages."""

from __future__ import annotations

import pytest
from hypothesis import given

from kitumaija.engine import GameOptions, HandSizes, PickUp
from kitumaija.v1 import game_pb2
from kitumaija.wire.codec import (
    CodecError,
    options_from_message,
    options_of_newer,
    options_to_message,
)
from tests.support.values import OPTIONS


@given(OPTIONS)
def test_options_survive_the_way_over_the_wire(options: GameOptions) -> None:
    data = options_to_message(options).SerializeToString()
    assert options_from_message(game_pb2.GameOptions.FromString(data)) == options


def test_an_empty_message_means_the_defaults() -> None:
    assert options_from_message(game_pb2.GameOptions()) == GameOptions()


def test_a_field_that_is_set_leaves_the_others_at_their_defaults() -> None:
    message = game_pb2.GameOptions(pickup=game_pb2.PICK_UP_ALWAYS, repetition=0)
    assert options_from_message(message) == GameOptions(pickup=PickUp.ALWAYS, repetition=0)


def test_options_are_sent_with_every_field_set() -> None:
    message = options_to_message(GameOptions())
    assert {field.name for field, _ in message.ListFields()} == {
        field.name for field in message.DESCRIPTOR.fields
    }


def test_an_unknown_value_is_refused_rather_than_taken_for_the_default() -> None:
    message = game_pb2.GameOptions(hand_sizes=7)  # type: ignore[arg-type]
    known = ", ".join(f"{number} ({member.name})" for number, member in enumerate(HandSizes, 1))
    with pytest.raises(CodecError) as caught:
        options_from_message(message)
    assert str(caught.value) == f"HandSizes: got 7, wanted one of {known}"


def test_what_the_options_themselves_refuse_is_refused_in_their_words() -> None:
    with pytest.raises(CodecError, match="option repetition: got 1, wanted 0"):
        options_from_message(game_pb2.GameOptions(repetition=1))


def test_what_only_a_newer_server_knows_reads_as_the_default_for_a_bot() -> None:
    message = options_to_message(GameOptions(pickup=PickUp.ALWAYS, repetition=5))
    message.stopped = 99  # type: ignore[assignment]
    message.free_from_stock = 99  # type: ignore[assignment]

    assert options_of_newer(message) == GameOptions(pickup=PickUp.ALWAYS, repetition=5)
