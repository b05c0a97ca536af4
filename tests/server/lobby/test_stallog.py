"""What the log says of stalls: never nothing, and never a line for each."""

from __future__ import annotations

from typing import Any

import pytest
from structlog.testing import capture_logs

from kitumaija.server.lobby.stallog import StallLog
from kitumaija.server.match import Nanos
from tests.support.clock import ms


def instant(milliseconds: float) -> Nanos:
    return Nanos(ms(milliseconds))


def lines(logged: list[Any]) -> list[tuple[int, int, int]]:
    """Return each line's milliseconds, how many stalls they were, and the longest of them."""
    return [(line["milliseconds"], line["times"], line["longest_milliseconds"]) for line in logged]


@pytest.mark.parametrize(("lasted", "said"), [(99, []), (100, [(100, 1, 100)])])
def test_a_stall_is_said_at_once_if_it_is_worth_a_line(
    lasted: int, said: list[tuple[int, int, int]]
) -> None:
    with capture_logs() as logged:
        StallLog("server stalled").note(instant(0), instant(lasted))

    assert lines(logged) == said


def test_what_follows_within_ten_seconds_is_said_in_one_line_afterwards() -> None:
    log = StallLog("server stalled")
    with capture_logs() as logged:
        log.note(instant(0), instant(100))
        for second in range(1, 10):
            log.note(instant(1_000 * second), instant(1_000 * second + 200))
        log.note(instant(10_000), instant(10_050))
        log.sweep(instant(10_099))
        assert len(logged) == 1
        log.sweep(instant(10_100))
        log.sweep(instant(60_000))

    assert lines(logged) == [(100, 1, 100), (1_850, 10, 200)]


def test_small_stalls_are_said_once_they_are_worth_a_line_together() -> None:
    log = StallLog("store stalled")
    with capture_logs() as logged:
        for second in range(4):
            log.note(instant(1_000 * second), instant(1_000 * second + 25))

    assert lines(logged) == [(100, 4, 25)]
    assert logged[0]["event"] == "store stalled"
