"""Text that a bot's author chose, in files that other programs open.

JSON takes every text as it is. Everywhere else marks that turn the direction of text, or cannot be
seen, are shown as escapes, and what the form itself gives a meaning is taken that meaning.
"""

from __future__ import annotations

import html
import re
from typing import Any

from kitumaija.console.text import plain, plain_lines

_FORMULA = re.compile(r"(^|[;\n])(?=[\s\"']*[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""Where a cell could begin that a spreadsheet takes for a formula, in both widths of its signs.

At the beginning of the text; and behind a semicolon or a line break, for where commas are decimal
points a spreadsheet parts a line at semicolons, and then no quotation mark protects what it parts.
"""

_MARKDOWN = "\\`*_{}[]<>#|&~"
_LINK = re.compile(r"\b(www(?=\.)|(?:https?|ftp|mailto|xmpp)(?=:))", re.IGNORECASE)


def csv_cell(value: Any) -> Any:
    """Return what stands in a cell: where a spreadsheet would run it stands an apostrophe."""
    if isinstance(value, str):
        return _FORMULA.sub(r"\1'", plain_lines(value))
    return "" if value is None else value


def markdown(text: str) -> str:
    """Return a text for a line of Markdown: it is one line, and nothing in it is markup, or an
    address that a reader of Markdown makes a link of by itself."""
    shown = plain(" ".join(text.split()))
    escaped = "".join(f"\\{one}" if one in _MARKDOWN else one for one in shown)
    return _LINK.sub(r"\1\\", escaped)


def markdown_row(cells: list[str]) -> str:
    """Return a row of a Markdown table; the cells are Markdown already."""
    return f"| {' | '.join(cells)} |"


def markup(text: str) -> str:
    """Return a text for HTML, between tags and in attributes: nothing in it is markup."""
    return html.escape(plain(text))
