"""The sizes of what a bot may say, on both sides of each limit."""

from __future__ import annotations

import pytest

from kitumaija.v1 import arena_pb2
from kitumaija.wire.kinds import kind_of
from kitumaija.wire.sizes import missized

COMMIT, REVEAL = arena_pb2.ENTROPY_STEP_COMMIT, arena_pb2.ENTROPY_STEP_REVEAL


def _said(field: str, size: int) -> arena_pb2.BotMessage:
    """Return a message of which one text has this many characters."""
    message = arena_pb2.BotMessage()
    name, part = field.split(".")
    setattr(getattr(message, name), part, "ä" * size)
    return message


@pytest.mark.parametrize(
    ("field", "most"),
    [
        ("hello.sdk", 100),
        ("hello.language", 40),
        ("hello.bot_version", 40),
        ("goodbye.reason", 200),
        ("ready.match_id", 64),
        ("answer.match_id", 64),
        ("resync.match_id", 64),
        ("entropy.tournament_id", 63),
    ],
)
def test_a_text_may_have_as_many_characters_as_the_protocol_says(field: str, most: int) -> None:
    fits, too_long = _said(field, most), _said(field, most + 1)
    assert missized(kind_of(fits), fits) is None
    problem = missized(kind_of(too_long), too_long)
    assert problem is not None
    assert problem.endswith(f"got {most + 1} characters, wanted at most {most}")
    assert problem.lower().startswith(field)
    name, part = field.split(".")
    setattr(getattr(fits, name), part, "\0")
    assert "NUL" in (missized(kind_of(fits), fits) or "")


@pytest.mark.parametrize(
    ("step", "size", "well"),
    [
        (COMMIT, 31, False),
        (COMMIT, 32, True),
        (COMMIT, 33, False),
        (COMMIT, 0, False),
        (REVEAL, 0, True),
        (REVEAL, 64, True),
        (REVEAL, 65, False),
        (arena_pb2.ENTROPY_STEP_UNSPECIFIED, 64, True),
        (arena_pb2.ENTROPY_STEP_UNSPECIFIED, 65, False),
    ],
)
def test_entropy_has_the_length_of_its_step(
    step: arena_pb2.EntropyStep.ValueType, size: int, well: bool
) -> None:
    message = arena_pb2.BotMessage(entropy=arena_pb2.Entropy(value=bytes(size), step=step))
    assert (missized(kind_of(message), message) is None) is well


def test_what_has_no_text_has_the_right_size() -> None:
    for message in (
        arena_pb2.BotMessage(pong=arena_pb2.Pong(nonce=2**64 - 1)),
        arena_pb2.BotMessage(),
    ):
        assert missized(kind_of(message), message) is None
