"""The worked examples of proto/vectors mean here what they mean to bots in other languages."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict

from kitumaija.engine import Pass, PlayCard, TakeCards, TurnCard
from kitumaija.engine.actions import Action
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import (
    action_from_message,
    card_from_message,
    cards_from_message,
    legal_from_message,
)

FILE = Path(__file__).parents[2] / "proto" / "vectors" / "frames.json"
EXAMPLES: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
FRAMES: dict[str, type[arena_pb2.PlayRequest] | type[arena_pb2.PlayResponse]] = {
    "PlayRequest": arena_pb2.PlayRequest,
    "PlayResponse": arena_pb2.PlayResponse,
}
PHASES = {1: "catch", 2: "free", 3: "pick-up", 4: "lead"}

every_example = pytest.mark.parametrize(
    "example", EXAMPLES, ids=[example["name"] for example in EXAMPLES]
)


def _text(action: Action) -> str:
    match action:
        case PlayCard(card):
            return str(card)
        case TakeCards(count):
            return f"take {count}"
        case TurnCard():
            return "turn"
        case Pass():
            return "pass"


def _meaning(message: Any) -> dict[str, Any]:
    kind = message.WhichOneof("message")
    if kind is None:
        return {"is": "nothing"}
    content = getattr(message, kind)
    meaning: dict[str, Any] = {"is": kind}
    match kind:
        case "hello":
            meaning["capacity"] = content.capacity
        case "match_start" | "ready" | "seating" | "match_sync":
            meaning["match"] = content.match_id
        case "answer":
            action = _text(action_from_message(content.action))
            meaning |= {"decision": content.decision_id, "action": action}
        case "accepted":
            meaning["decision"] = content.decision_id
        case "refusal":
            still_open = content.HasField("legal")
            legal = (
                [_text(action) for action in legal_from_message(content.legal)]
                if still_open
                else []
            )
            meaning |= {"decision": content.decision_id, "open": still_open, "legal": legal}
        case "match_end":
            meaning |= {"match": content.match_id, "places": list(content.places)}
        case "decision":
            view = content.view
            meaning |= {
                "decision": content.decision_id,
                "phase": PHASES[view.phase],
                "seat": view.seat,
                "hand": [str(card) for card in cards_from_message(view.hand)],
                "top": str(card_from_message(view.top)) if view.top else "-",
                "legal": [_text(action) for action in legal_from_message(content.legal)],
                "events": [content.first_event, len(content.events)],
                "time_left_us": content.time_left_us,
                "think_at_most_us": content.time_left_us - content.round_trip_us,
            }
    return meaning


@every_example
def test_bytes_and_json_are_the_same_frame(example: dict[str, Any]) -> None:
    frame = FRAMES[example["frame"]]
    read = frame.FromString(bytes.fromhex(example["bytes"]))
    read.DiscardUnknownFields()

    assert read == ParseDict(example["json"], frame())
    if not example.get("newer"):
        assert read.SerializeToString(deterministic=True).hex() == example["bytes"]
        assert MessageToDict(read, preserving_proto_field_name=True) == example["json"]


@every_example
def test_a_frame_means_what_its_example_says(example: dict[str, Any]) -> None:
    frame = FRAMES[example["frame"]].FromString(bytes.fromhex(example["bytes"]))

    messages: list[Any] = list(frame.messages)
    for message, meaning in zip(messages, example["meaning"], strict=True):
        expected = {name: value for name, value in meaning.items() if name != "sha256_of"}
        assert _meaning(message) == expected
        if "sha256_of" in meaning:
            entropy = bytes.fromhex(meaning["sha256_of"])
            assert message.entropy.value == hashlib.sha256(entropy).digest()


def test_every_kind_of_message_has_an_example() -> None:
    shown = {meaning["is"] for example in EXAMPLES for meaning in example["meaning"]}

    every = {
        field.name
        for message in (arena_pb2.BotMessage, arena_pb2.ServerMessage)
        for field in message.DESCRIPTOR.fields
    }
    assert shown == every | {"nothing"}


def test_every_reason_of_a_refusal_has_an_example() -> None:
    reasons = {
        message["refusal"]["reason"]
        for example in EXAMPLES
        for message in example["json"]["messages"]
        if "refusal" in message
    }

    assert set(arena_pb2.RefusalReason.keys()) - {"REFUSAL_REASON_UNSPECIFIED"} <= reasons
