"""Text for people: what somebody else wrote, made fit for a terminal, and counts in words."""

from __future__ import annotations

import json


def plain(text: str) -> str:
    """Return the text with control and direction marks, line breaks too, shown as escapes."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def plain_lines(text: str) -> str:
    """Return the text as `plain` does, line by line: its line breaks stay."""
    return "\n".join(plain(line.expandtabs()) for line in text.splitlines())


def plain_json(document: str) -> str:
    """Return a JSON document with the same content, made fit for a terminal.

    What cannot be printed is written as JSON's own escapes; line breaks between values stay.
    """
    return "".join(
        character if character.isprintable() or character == "\n" else json.dumps(character)[1:-1]
        for character in document
    )


def counted(number: int, one: str, more: str = "", *, form: str = "d") -> str:
    """Return how many there are of something: `1 match`, `26 matches`.

    `more` is the word for several, `one` with an s if left out; `form` is how the number is
    written, such as `,d` in thousands.
    """
    return f"{number:{form}} {one if number == 1 else more or one + 's'}"
