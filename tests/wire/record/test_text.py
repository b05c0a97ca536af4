"""Records as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from kitumaija.engine import GameOptions
from kitumaija.wire.record import (
    MatchRecord,
    RecordFormatError,
    record_from_bytes,
    record_from_json,
    record_to_bytes,
    record_to_json,
)
from tests.support.golden import golden
from tests.support.values import match_records, recorded_game

RECORD = MatchRecord(recorded_game("golden record", 2, GameOptions(turns_per_player=8)))


def _changed(**changes: object) -> str:
    document: dict[str, Any] = json.loads(record_to_json(RECORD))
    return json.dumps({**document, **changes})


@given(match_records())
def test_a_record_survives_the_way_into_json_and_back(record: MatchRecord) -> None:
    assert record_from_json(record_to_json(record)) == record


@given(match_records())
def test_bytes_and_json_can_be_turned_into_each_other(record: MatchRecord) -> None:
    data = record_to_bytes(record)
    assert record_to_bytes(record_from_json(record_to_json(record_from_bytes(data)))) == data


def test_a_record_reads_in_json_as_it_always_did() -> None:
    text = record_to_json(RECORD).encode()
    assert golden("record.json", text) == text


def test_the_first_seat_is_written_out_although_it_is_zero() -> None:
    document = json.loads(record_to_json(RECORD))
    assert document["game"]["decisions"][0]["seat"] == 0


def test_names_in_any_script_are_written_as_they_are() -> None:
    assert '"entrant_id": "älä"' in record_to_json(RECORD)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "no JSON: .* line 1 column 2"),
        ('{"a": ' + "9" * 5_000 + "}", "no JSON: .* digits"),
        ("[" * 100_000, "nested too deeply"),
        (_changed(game={"result": {"termination": "\ud800"}}), "no JSON: .*surrogates"),
        ("[]", "got list, wanted an object of"),
        ("{}", "format: got None, wanted 'kitumaija-record/1'"),
        (_changed(format="kitumaija-record/2"), "format: got 'kitumaija-record/2'"),
        (_changed(more=1), "got the keys .*'more'"),
        (_changed(game=[]), "game: got list, wanted an object"),
        (_changed(timings=None), "timings: got NoneType, wanted an object"),
        (_changed(game={"seats": 1}), "game: "),
        (_changed(game={"dealer": 1}), "game: .*dealer"),
        (_changed(game={"deal": {"seed": 5}}), "game: .*seed"),
        (_changed(game={}), "game section, deal: "),
        (_changed(timings={"limits": {"bank": "-1s"}}), "timings section: limit bank"),
    ],
)
def test_what_is_no_record_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(RecordFormatError, match=words):
        record_from_json(text)


def test_a_field_of_the_timings_that_is_not_known_is_passed_over() -> None:
    assert record_from_json(_changed(timings={"weather": "rain"})) == RECORD
