"""Foreign text on a terminal."""

from __future__ import annotations

import pytest

from kitumaija.console.text import plain, plain_lines


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
