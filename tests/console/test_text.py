"""Foreign text on a terminal."""

from __future__ import annotations

import json

import pytest

from kitumaija.console.text import counted, plain, plain_json, plain_lines


@pytest.mark.parametrize("mark", ["\x1b[31m", "\n", "\r", "\u202e", "\x07", "\u2066", "\x00"])
def test_nothing_can_move_the_cursor_or_turn_the_text(mark: str) -> None:
    shown = plain(f"a{mark}b")

    assert shown.isprintable()
    assert shown.startswith("a")
    assert shown.endswith("b")


def test_what_can_be_printed_stays_as_it_is_in_any_script() -> None:
    assert plain("Väinö 雪 🂡 [red]") == "Väinö 雪 🂡 [red]"


def test_line_by_line_the_breaks_stay_and_the_marks_do_not() -> None:
    assert plain_lines("one\n\x1b[2Jtwo\r\n\tthree") == "one\n\\x1b[2Jtwo\n        three"


@pytest.mark.parametrize("indent", [None, 2])
def test_a_json_document_says_the_same_and_moves_no_cursor(indent: int | None) -> None:
    value = {"a\x9b2J": "\u202eb\x7f", "more": ["\U000e0001", "Väinö 雪 🂡", "\ud800", '"\\\n']}
    shown = plain_json(json.dumps(value, ensure_ascii=False, indent=indent))

    assert json.loads(shown) == value
    assert all(line.isprintable() for line in shown.split("\n"))
    assert "Väinö 雪 🂡" in shown


def test_one_thing_is_one_and_everything_else_is_several() -> None:
    assert [counted(number, "bot") for number in (0, 1, 2)] == ["0 bots", "1 bot", "2 bots"]
    assert counted(1, "match", "matches") == "1 match"
    assert counted(10_000, "match", "matches", form=",d") == "10,000 matches"
