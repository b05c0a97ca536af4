"""Whether a text of an archive is what the rest of it makes it, and where it is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from kitumaija.console.text import plain
from kitumaija.server.archive.fields import ArchiveError
from kitumaija.server.archive.reading import Bundle, lines
from kitumaija.server.checking.values import Check, Finding

_SHOWN = 40
"""How many characters of a line are shown, from the first on that differs."""


def text_finding(bundle: Bundle, name: str, wanted: Iterable[bytes]) -> Iterator[Finding]:
    """Compare a file with the lines that it is to have; the first one that differs is named."""
    try:
        for number, (got, want) in enumerate(zip_longest(lines(bundle, name), wanted), start=1):
            if got != want:
                yield Finding(
                    Check.DERIVED, f"{name}, line {number}: {_compared(got, want)}", file=name
                )
                return
    except ArchiveError as error:
        yield Finding(Check.ARCHIVE, str(error), file=name)


def lines_of(text: str) -> list[bytes]:
    """Return a text's lines as a file has them, with their line feeds."""
    return text.encode().splitlines(keepends=True)


def _compared(got: bytes | None, want: bytes | None) -> str:
    if got is None:
        return "it ends there, and something is to follow"
    if want is None:
        return "it is to have ended before"
    alike = next(
        (at for at, pair in enumerate(zip(got, want, strict=False)) if pair[0] != pair[1]),
        min(len(got), len(want)),
    )
    start = max(0, alike - _SHOWN // 2)
    return f"got {_part(got, start)}, wanted {_part(want, start)}"


def _part(line: bytes, start: int) -> str:
    cut = line[start : start + _SHOWN].rstrip(b"\r\n").decode("utf-8", errors="replace")
    before, after = "…" if start else "", "…" if start + _SHOWN < len(line) else ""
    return f"{before}{plain(cut)}{after}" if cut else "an empty line"
