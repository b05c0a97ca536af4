"""Texts that somebody else chose, in cells of a spreadsheet and in lines of Markdown."""

from __future__ import annotations

import pytest

from kitumaija.server.archive.escaping import csv_cell, markdown


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+2", "'=1+2"),
        ("  -1", "'  -1"),
        ("\uff0b1", "'\uff0b1"),
        ('"=1"', '\'"=1"'),
        # Where a comma is a decimal point, cells are parted by semicolons, quotation marks or not.
        ("a;=1", "a;'=1"),
        ("a;b; @c", "a;b;' @c"),
        ('a;"=1"', 'a;\'"=1"'),
        ("two\n=lines", "two\n'=lines"),
        ("a = b; c - d", "a = b; c - d"),
        ("it's", "it's"),
    ],
)
def test_an_apostrophe_stands_wherever_a_spreadsheet_would_find_a_formula(
    text: str, cell: str
) -> None:
    assert csv_cell(text) == cell


def test_a_number_is_no_formula_though_it_is_below_zero() -> None:
    assert csv_cell(-1.5) == -1.5
    assert csv_cell(None) == ""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("see https://example.com", r"see https\://example.com"),
        ("WWW.example.com", r"WWW\.example.com"),
        ("[a](b) | ![c](d)", r"\[a\](b) \| !\[c\](d)"),
        ("round 3: version 1.2", "round 3: version 1.2"),
        ("two\nlines", "two lines"),
    ],
)
def test_nothing_in_a_name_becomes_a_link_or_other_markup(text: str, line: str) -> None:
    assert markdown(text) == line
