"""Log lines: their two forms, their level, and what is said of an exception."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from kitumaija.server.choices import LogFormat, LogLevel
from kitumaija.server.logs import place_of, set_up


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = before
    structlog.reset_defaults()


def lines(level: LogLevel, form: LogFormat) -> list[str]:
    stream = io.StringIO()
    set_up(level, form, stream)
    structlog.stdlib.get_logger("test").info("match ended", match_id="m1")
    structlog.stdlib.get_logger("test").warning("fault", bot_id="alice")
    logging.getLogger("a library").warning("said by %s", "logging")
    return stream.getvalue().splitlines()


def test_a_line_of_json_is_an_event_with_its_ids() -> None:
    first, second, third = map(json.loads, lines(LogLevel.INFO, LogFormat.JSON))

    assert (first["event"], first["level"], first["match_id"]) == ("match ended", "info", "m1")
    assert (second["event"], second["bot_id"]) == ("fault", "alice")
    assert third["event"] == "said by logging"
    assert all("timestamp" in line for line in (first, second, third))


def test_lines_below_the_level_are_left_out() -> None:
    assert len(lines(LogLevel.WARNING, LogFormat.JSON)) == 2


def test_a_line_for_people_says_the_same() -> None:
    first = lines(LogLevel.INFO, LogFormat.CONSOLE)[0]

    assert "match ended" in first
    assert "match_id=m1" in first


@pytest.mark.parametrize("form", list(LogFormat))
def test_a_traceback_shows_no_values_of_variables(form: LogFormat) -> None:
    stream = io.StringIO()
    set_up(LogLevel.INFO, form, stream)
    hand = "QS8D"
    try:
        raise ValueError(len(hand))
    except ValueError:
        structlog.stdlib.get_logger("test").exception("went wrong")

    said = stream.getvalue()
    assert "went wrong" in said
    assert "test_logs.py" in said
    assert "QS8D" not in said


def test_the_place_of_an_exception_does_not_hold_its_text() -> None:
    try:
        raise ValueError("QS 8D")
    except ValueError as error:
        place = place_of(error)

    assert place["error"] == "ValueError"
    assert "test_logs.py" in place["raised_at"]
    assert "QS" not in str(place)
