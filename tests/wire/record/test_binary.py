"""Record files."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given

from kitumaija.engine import GameOptions, Seat
from kitumaija.v1 import record_pb2
from kitumaija.wire.record import (
    DecisionTiming,
    MatchRecord,
    RecordedBot,
    RecordFormatError,
    RecordTimings,
    game_to_bytes,
    record_from_bytes,
    record_to_bytes,
    record_to_message,
)
from kitumaija.wire.times import Limits
from tests.support.golden import golden
from tests.support.values import match_records, recorded_game

GAME = recorded_game("golden record", 3, GameOptions(turns_per_player=8))
OFFERED = datetime(2025, 3, 30, 0, 59, 59, 999_999, tzinfo=UTC)
RECORD = MatchRecord(
    GAME,
    RecordTimings(
        match_id="ji5nvlx6wbbzhp7ykfr3gqm2ea",
        tournament_id="spring",
        limits=Limits(bank=timedelta(seconds=2), match_cap=timedelta(hours=1)),
        started_at=OFFERED,
        ended_at=OFFERED + timedelta(seconds=3),
        decisions=tuple(
            DecisionTiming(number, 200, 30, number % 2) for number in range(len(GAME.decisions))
        ),
        bots=(RecordedBot(Seat(0), "Ärjylä, “Q♠”", "1.0", "kitumaija-python/0.1.0", "python"),),
    ),
)
DATA = record_to_bytes(RECORD)
BODY = DATA[8:]


@given(match_records())
def test_a_record_survives_the_way_into_a_file_and_back(record: MatchRecord) -> None:
    assert record_from_bytes(record_to_bytes(record)) == record


def test_a_record_has_the_bytes_that_it_always_had() -> None:
    assert golden("record.kiturec", DATA) == DATA


def test_a_file_holds_the_game_section_as_it_stands() -> None:
    assert record_pb2.Record.FromString(BODY).game == game_to_bytes(GAME)


def test_two_runs_of_one_game_differ_in_their_timings_only() -> None:
    other = replace(RECORD, timings=RecordTimings(match_id="another"))
    assert record_to_bytes(other) != DATA
    assert record_to_message(other).game == record_to_message(RECORD).game


@pytest.mark.parametrize("start", [b"", b"KITU", b"KITUREC2" + BODY, BODY])
def test_a_file_that_does_not_begin_as_a_record_is_refused_with_what_it_begins_with(
    start: bytes,
) -> None:
    with pytest.raises(RecordFormatError, match="begins with the 8 bytes KITUREC1; got b"):
        record_from_bytes(start)


def test_a_file_cut_at_any_byte_is_refused() -> None:
    for size in range(len(DATA)):
        with pytest.raises(RecordFormatError):
            record_from_bytes(DATA[:size])


def test_a_cut_names_the_section_and_how_much_of_it_is_missing() -> None:
    with pytest.raises(RecordFormatError, match="cut off: section 2 begins at byte .* 5 are missi"):
        record_from_bytes(DATA[:-5])


def test_a_file_cut_between_its_sections_says_which_one_is_missing() -> None:
    game_only = record_pb2.Record(game=game_to_bytes(GAME)).SerializeToString()
    with pytest.raises(RecordFormatError, match="got 0 timings sections in .* bytes, wanted one"):
        record_from_bytes(b"KITUREC1" + game_only)


def test_a_second_game_section_is_refused() -> None:
    again = record_pb2.Record(game=game_to_bytes(GAME)).SerializeToString()
    with pytest.raises(RecordFormatError, match="got 2 game sections"):
        record_from_bytes(DATA + again)


@pytest.mark.parametrize(
    ("tail", "words"),
    [
        (b"\x08\x01", "at byte .*: got field 1 of wire type 0, wanted a section"),
        (b"\xff" * 12, "no number ends at byte"),
        (b"\x80", "no number ends at byte"),
    ],
)
def test_what_follows_the_sections_and_is_none_is_refused(tail: bytes, words: str) -> None:
    with pytest.raises(RecordFormatError, match=words):
        record_from_bytes(DATA + tail)


def test_a_timings_section_that_is_damaged_is_refused() -> None:
    damaged = record_pb2.Record(game=game_to_bytes(GAME)).SerializeToString() + b"\x12\x01\xff"
    with pytest.raises(RecordFormatError, match="its timings section is damaged"):
        record_from_bytes(b"KITUREC1" + damaged)


def test_timings_of_another_game_are_refused() -> None:
    message = record_to_message(RECORD)
    del message.timings.decisions[-1]
    with pytest.raises(RecordFormatError, match="timings section: .* wanted none or as many as"):
        record_from_bytes(b"KITUREC1" + message.SerializeToString())


def test_timings_that_are_no_times_are_refused() -> None:
    message = record_to_message(RECORD)
    message.timings.ended_at.seconds = 2**62
    with pytest.raises(RecordFormatError, match="timings section: ended_at: .*4611686018427387904"):
        record_from_bytes(b"KITUREC1" + message.SerializeToString())


def test_a_field_of_the_timings_that_is_not_known_is_passed_over() -> None:
    message = record_to_message(RECORD)
    message.timings.MergeFromString(b"\x7a\x00")
    assert record_from_bytes(b"KITUREC1" + message.SerializeToString()) == RECORD


def test_a_time_without_a_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="started_at: got .* without a time zone"):
        RecordTimings(started_at=OFFERED.replace(tzinfo=None))


def test_a_ten_player_record_is_small() -> None:
    game = recorded_game("ten", 10)
    timings = RecordTimings(
        match_id="m" * 26,
        limits=Limits(),
        decisions=tuple(DecisionTiming(900_000, 90_000, 9_000, 0) for _ in game.decisions),
    )
    assert len(game.decisions) > 300
    assert len(record_to_bytes(MatchRecord(game, timings))) < 50_000
