"""The game section: one form in bytes for one game."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given

from kitumaija.engine import Deal, GameOptions, GameRecord, replay
from kitumaija.v1 import arena_pb2, record_pb2
from kitumaija.wire.record import RecordFormatError, game_from_bytes, game_to_bytes
from tests.support.golden import golden
from tests.support.values import GAME_RECORDS, recorded_game

GAME = recorded_game("golden record", 3, GameOptions(turns_per_player=8))
SECTION = record_pb2.GameSection.FromString(game_to_bytes(GAME))


def _changed(change: Callable[[record_pb2.GameSection], object]) -> bytes:
    """Return the bytes of the game's message after a change to it."""
    section = record_pb2.GameSection()
    section.CopyFrom(SECTION)
    change(section)
    return section.SerializeToString(deterministic=True)


@given(GAME_RECORDS)
def test_a_game_survives_the_way_into_bytes_and_back(game: GameRecord) -> None:
    assert game_from_bytes(game_to_bytes(game)) == game


@given(GAME_RECORDS, GAME_RECORDS)
def test_games_have_equal_bytes_exactly_if_they_are_equal(a: GameRecord, b: GameRecord) -> None:
    assert (game_to_bytes(a) == game_to_bytes(b)) is (a == b)


def test_the_order_in_which_entropies_were_given_does_not_reach_the_bytes() -> None:
    deal = GAME.deal
    turned = replace(GAME, deal=Deal(deal.deal_id, deal.seed, deal.entropies[::-1]))
    assert game_to_bytes(turned) == game_to_bytes(GAME)


@pytest.mark.parametrize("seats", [2, 5, 10])
def test_a_game_that_was_played_replays_from_its_bytes(seats: int) -> None:
    game = recorded_game("replayed", seats)
    read = game_from_bytes(game_to_bytes(game))
    assert replay(read).final.outcome == game.result.outcome


def test_a_game_has_the_bytes_that_it_always_had() -> None:
    data = game_to_bytes(GAME)
    assert golden("game.binpb", data) == data


def test_another_implementation_of_protobuf_writes_the_same_bytes() -> None:
    data = game_to_bytes(GAME)
    script = (
        "import sys\n"
        "from google.protobuf.internal import api_implementation\n"
        "from kitumaija.wire.record import game_from_bytes, game_to_bytes\n"
        "assert api_implementation.Type() == 'python'\n"
        "game = game_from_bytes(sys.stdin.buffer.read())\n"
        "sys.stdout.buffer.write(game_to_bytes(game))\n"
    )
    written = subprocess.run(
        [sys.executable, "-c", script],
        input=data,
        stdout=subprocess.PIPE,
        env={**os.environ, "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"},
        check=True,
    )
    assert written.stdout == data


def test_bytes_that_are_no_game_are_refused() -> None:
    with pytest.raises(RecordFormatError, match="got 2 bytes that are no GameSection"):
        game_from_bytes(b"\xff\xff")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda s: s.MergeFromString(b"\x7a\x00"), "game section: got field 15"),
        (lambda s: s.result.MergeFromString(b"\x7a\x00"), "game section, result: got field 15"),
        (
            lambda s: s.decisions[7].action.MergeFromString(b"\x7a\x00"),
            r"game section, decisions\[7\], action: got field 15",
        ),
    ],
    ids=["in the section", "in the result", "deep in a decision"],
)
def test_a_field_that_is_not_known_is_refused_with_its_place(
    change: Callable[[record_pb2.GameSection], object], place: str
) -> None:
    with pytest.raises(RecordFormatError, match=place + ", which is not known here"):
        game_from_bytes(_changed(change))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda s: s.decisions[3].ClearField("by"), r"decisions\[3\]: by: got nothing"),
        (lambda s: s.decisions[3].ClearField("action"), r"decisions\[3\]: action: got none"),
        (lambda s: setattr(s.decisions[3], "fault", 99), r"decisions\[3\]: fault: got 99"),
        (lambda s: setattr(s.decisions[3], "by", 99), r"decisions\[3\]: DecidedBy: got 99"),
        (lambda s: setattr(s.deal, "seed", b"short"), "deal: .*32"),
        (lambda s: setattr(s.options, "repetition", 1), "options: option repetition: got 1"),
        (lambda s: setattr(s.result, "termination", 9), "result: Termination: got 9"),
        (
            lambda s: setattr(s.result, "ending", arena_pb2.MATCH_ENDING_VOID),
            "result: ending: got 3, wanted 1, for the game has a termination and places",
        ),
    ],
)
def test_what_is_missing_or_wrong_is_refused_with_its_place(
    change: Callable[[record_pb2.GameSection], object], words: str
) -> None:
    with pytest.raises(RecordFormatError, match="game section, " + words):
        game_from_bytes(_changed(change))


def test_a_default_that_was_left_out_makes_other_bytes_and_is_refused() -> None:
    with pytest.raises(RecordFormatError, match="these are not the bytes of this game"):
        game_from_bytes(_changed(lambda s: s.options.ClearField("repetition")))


def test_fields_out_of_their_order_are_refused_with_the_byte_where_it_begins() -> None:
    data = game_to_bytes(GAME)
    version = 2 + len(GAME.rules_version)
    with pytest.raises(RecordFormatError, match="from byte 0 on, these are not the bytes"):
        game_from_bytes(data[version:] + data[:version])


def test_a_field_that_is_there_twice_is_refused() -> None:
    data = game_to_bytes(GAME)
    version = 2 + len(GAME.rules_version)
    with pytest.raises(RecordFormatError, match="from byte [0-9]+ on, these are not the bytes"):
        game_from_bytes(data[:version] + data)
