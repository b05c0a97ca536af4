"""Text that a bot's author chose, in files that other programs open.

JSON takes every text as it is. Everywhere else marks that turn the direction of text, or cannot be
seen, are shown as escapes, and what the form itself gives a meaning is taken that meaning.
"""

from __future__ import annotations

import html
from typing import Any

from kitumaija.console.text import plain, plain_lines

_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet takes for the beginning of a formula, in both widths."""

_MARKDOWN = "\\`*_{}[]<>#|&~"


def csv_cell(value: Any) -> Any:
    """Return what stands in a cell: one that a spreadsheet would run begins with an apostrophe."""
    if isinstance(value, str):
        shown = plain_lines(value)
        return f"'{shown}" if shown.lstrip().startswith(_FORMULA) else shown
    return "" if value is None else value


def markdown(text: str) -> str:
    """Return a text for a line of Markdown: it is one line, and nothing in it is markup."""
    shown = plain(" ".join(text.split()))
    return "".join(f"\\{one}" if one in _MARKDOWN else one for one in shown)


def markdown_row(cells: list[str]) -> str:
    """Return a row of a Markdown table; the cells are Markdown already."""
    return f"| {' | '.join(cells)} |"


def markup(text: str) -> str:
    """Return a text for HTML, between tags and in attributes: nothing in it is markup."""
    return html.escape(plain(text))
