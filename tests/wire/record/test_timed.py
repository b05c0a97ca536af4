"""The times of a record, read without the game."""

from __future__ import annotations

import pytest

from kitumaija.wire.record import (
    DecisionTiming,
    MatchRecord,
    RecordFormatError,
    RecordTimings,
    record_to_bytes,
    timed_game_from_bytes,
)
from tests.support.values import recorded_game

GAME = recorded_game("timed", 3)
TIMINGS = tuple(
    DecisionTiming(number, 20, 3, number % 2, None if number % 3 else number)
    for number in range(len(GAME.decisions))
)
DATA = record_to_bytes(MatchRecord(GAME, RecordTimings(decisions=TIMINGS)))


def test_every_decision_has_its_seat_who_made_it_and_its_times() -> None:
    timed = timed_game_from_bytes(DATA)

    assert timed.seats == GAME.seats
    assert [(one.seat, one.by, one.fault) for one in timed.decisions] == [
        (one.seat, one.by, one.fault) for one in GAME.decisions
    ]
    assert tuple(one.timing for one in timed.decisions) == TIMINGS


def test_a_game_that_was_not_timed_has_no_decisions_here() -> None:
    assert timed_game_from_bytes(record_to_bytes(MatchRecord(GAME))).decisions == ()


@pytest.mark.parametrize("data", [b"KITUREC1\xff", DATA[:-1], b"KITUREC1\x0a\x02\xff\xff"])
def test_what_is_no_record_is_refused(data: bytes) -> None:
    with pytest.raises(RecordFormatError):
        timed_game_from_bytes(data)
