"""HTML of which every text is escaped unless it was made here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from kitumaija.server.archive.escaping import markup


class Html(str):
    """A piece of HTML. A text that is none of these is escaped wherever it goes."""

    __slots__ = ()


class Figure(Html):
    """A number as it is to be shown; it stands to the right."""

    __slots__ = ()


class Sure(Figure):
    """A number that says that something is sure; it is marked."""

    __slots__ = ()


Content: TypeAlias = "str | int | float | None"
"""What a piece of a page is made of: HTML, a text, a number; None is shown as a dash."""


def html(content: Content) -> Html:
    """Return content as HTML: what is HTML already as it is, all else escaped."""
    if isinstance(content, Html):
        return content
    return Html("–" if content is None else markup(str(content)))


def tag(name: str, *contents: Content, **attributes: str) -> Html:
    """Return an element. An attribute's name may end in `_`, as `class_` does."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{markup(value)}"'
        for key, value in attributes.items()
    )
    return Html(f"<{name}{given}>{joined(contents)}</{name}>")


def joined(contents: Iterable[Content]) -> Html:
    """Return contents one after the other."""
    return Html("".join(html(content) for content in contents))


def table(
    caption: str, head: Sequence[Content], rows: Iterable[Sequence[Content]], *, named: int = 0
) -> Html:
    """Return a table. The cell `named` of each row is its head; numbers stand to the right.

    A column's head stands where the column's first cell does.
    """
    rows = list(rows)
    example = rows[0] if rows else [""] * len(head)
    heads = joined(
        tag("th", content, scope="col", **_aligned(cell))
        for content, cell in zip(head, example, strict=True)
    )
    body = joined(
        tag(
            "tr",
            *(_named(cell) if at == named else _cell(cell) for at, cell in enumerate(row)),
        )
        for row in rows
    )
    return tag(
        "div",
        tag(
            "table",
            tag("caption", caption),
            tag("thead", tag("tr", heads)),
            tag("tbody", body),
        ),
        class_="wide",
        tabindex="0",
        role="region",
        aria_label=caption,
    )


def bot(bot_id: str, display_name: str) -> Html:
    """Return how a bot is called: its name apart from the text around it, and its id."""
    if display_name == bot_id:
        return tag("b", bot_id)
    return joined([tag("bdi", tag("b", display_name)), " ", tag("small", bot_id)])


def _named(content: Content) -> Html:
    return tag("th", content, scope="row", **_aligned(content))


def _cell(content: Content) -> Html:
    attributes = _aligned(content)
    if isinstance(content, Sure):
        attributes["class_"] += " sure"
    return tag("td", content, **attributes)


def _aligned(content: Content) -> dict[str, str]:
    right = isinstance(content, Figure) or not isinstance(content, str)
    return {"class_": "n"} if right else {}
