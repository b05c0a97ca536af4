"""Texts that somebody else chose, and where they are shown: what must hold of every such place."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final
from zipfile import ZipFile

from typer.testing import CliRunner

from kitumaija.server.__main__ import commands
from tests.support.organizer import Organizer

TRICKS: Final = (
    "two\nlines",
    "back\rover",
    "\x1b[2J\x1b[31mred",
    "\x1b]0;title\x07",
    "\x9b31m",
    "\u202eright to left",
    "\u2066isolated",
    "\u2028separator",
    "\u200b\u200fnothing to see",
    "tab\tand\x0bvertical\x0c",
    "../../etc/passwd",
    "..\\..\\windows",
    "/etc/shadow",
    "C:\\CON",
    "a\u0301\u0301\u0301",
    "🂡 牌 עברית العربية ไทย",
    "=HYPERLINK(1)",
    "parted;=HYPERLINK(1)",
    "www.example.com https://example.com",
    "| a | b |",
    "[red]bold[/red]",
    "<script>alert(1)</script>",
    "%s %n {0} ${PATH} `id`",
    '{"kitumaija": 1}',
    "# HELP kitumaija_x",
)
"""Names that some terminal, spreadsheet, page, file system or program takes for more than names."""

_MEMBER: Final = re.compile(r"[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)*")
_JSON: Final = (".json", ".jsonl")


async def command(organizer: Organizer, *words: str) -> str:
    """Return what an organizer's command prints, on either stream; it has to succeed."""
    address = ("--address", organizer.app.address, "--token", organizer.token or "")
    result = await asyncio.to_thread(CliRunner().invoke, commands(), [*words, *address])
    if result.exit_code:
        raise AssertionError(f"{words} ended with {result.exit_code}: {result.output}")
    return result.output


def is_plain(text: str) -> bool:
    """Whether nothing in a text moves a cursor, turns it round or cannot be seen, line by line."""
    return all(line.isprintable() for line in text.split("\n"))


def strange_members(archive: Path) -> Iterator[str]:
    """Yield what is wrong with an archive: names that lead elsewhere, texts that are not plain."""
    with ZipFile(archive) as pack:
        for info in pack.infolist():
            name = info.filename
            if not _MEMBER.fullmatch(name) or ".." in PurePosixPath(name).parts:
                yield f"the name {name!r}"
            if info.external_attr >> 16 & 0o170000 not in {0, 0o100000}:
                yield f"{name} is no plain file"
            if name.endswith(".kitu"):
                continue
            text = pack.read(info).decode("utf-8")
            if name.endswith(_JSON):
                for line in text.splitlines() if name.endswith("l") else (text,):
                    json.loads(line)
            elif not is_plain(text.replace("\r\n", "\n")):
                yield f"{name} holds what is not plain"
