"""The Decision, whose bytes everybody has to read."""

from __future__ import annotations

import json

from google.protobuf.json_format import MessageToDict

from kitumaija.engine import GameOptions, event_for, legal_actions, view
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import (
    decision_message,
    events_from_message,
    events_to_message,
    legal_from_message,
    legal_to_message,
    view_from_message,
    view_to_message,
)
from tests.support.golden import golden
from tests.support.values import random_game


def _decisions(seats: int, name: str) -> list[arena_pb2.ServerMessage]:
    """Return the decisions of a random game, each with the events of the step before it."""
    return [
        decision_message(
            match_id="ji5nvlx6wbbzhp7ykfr3gqm2ea",
            decision_id=number,
            view=view(step.state, step.state.mover),
            legal=legal_actions(step.state),
            first_event=number * 3,
            events=[event_for(event, step.state.mover) for event in step.events],
            time_left_us=10_987_654,
            bank_us=9_987_654,
            last_used_us=1_234,
            round_trip_us=567,
        )
        for number, (_, step) in enumerate(random_game(seats, GameOptions(), name=name), start=1)
        if not step.state.over
    ]


def test_a_decision_is_what_its_parts_are() -> None:
    for _, step in random_game(4, GameOptions(), name="parts"):
        if step.state.over:
            break
        seen, legal = view(step.state, step.state.mover), legal_actions(step.state)
        message = decision_message(
            match_id="m",
            decision_id=7,
            view=seen,
            legal=legal,
            first_event=2,
            events=step.events,
            time_left_us=3,
            bank_us=4,
            last_used_us=5,
            round_trip_us=6,
        )
        assert message.decision == arena_pb2.Decision(
            match_id="m",
            decision_id=7,
            view=view_to_message(seen),
            legal=legal_to_message(legal),
            first_event=2,
            events=events_to_message(step.events),
            time_left_us=3,
            bank_us=4,
            last_used_us=5,
            round_trip_us=6,
        )
        assert view_from_message(message.decision.view) == seen
        assert legal_from_message(message.decision.legal) == legal
        assert events_from_message(message.decision.events) == step.events


def test_decisions_have_the_bytes_that_they_always_had() -> None:
    frame = arena_pb2.PlayResponse(messages=_decisions(3, "golden decisions")[:12])
    data = frame.SerializeToString(deterministic=True)
    assert golden("decisions.binpb", data) == data
    assert arena_pb2.PlayResponse.FromString(data) == frame


def test_a_decision_reads_in_json_as_it_always_did() -> None:
    message = _decisions(3, "golden decisions")[4]
    plain = MessageToDict(message, preserving_proto_field_name=True)
    text = (json.dumps(plain, indent=2) + "\n").encode()
    assert golden("decision.json", text) == text


def test_a_decision_late_in_a_ten_player_game_is_small() -> None:
    assert max(message.ByteSize() for message in _decisions(10, "large")) < 1024
