"""The table of limits that people read says what the server does."""

from __future__ import annotations

import re
from dataclasses import fields
from datetime import timedelta
from pathlib import Path

from kitumaija.server.limits import ServerLimits
from kitumaija.server.settings import ServerSettings
from kitumaija.wire import limits as shared

TABLE = Path(__file__).parents[2] / "server" / "docs" / "limits.md"

WITHIN = {
    "sweep_every",
    "stall_told",
    "clock_starts_within",
    "watch_every",
    "overdue_after",
    "commit_within",
    "PING_INTERVAL",
    "SILENCE_MAX",
    "FRAME_TO_BOT_BYTES",
    "ID_PATTERN",
}
"""What the server keeps to itself, and what stands in the table under its other name."""


def said(name: str, value: object) -> str:
    """Return a limit as the table writes it."""
    if isinstance(value, timedelta):
        return f"{value.total_seconds():g} s"
    assert isinstance(value, int)
    if "bytes" in name.lower() and value % 1024**2 == 0:
        return f"{value // 1024**2} MiB"
    if "bytes" in name.lower() and value % 1024 == 0:
        return f"{value // 1024} KiB"
    return str(value)


def limits() -> dict[str, object]:
    """Return every limit that a caller may meet, by name."""
    own = ServerLimits()
    found = {field.name: getattr(own, field.name) for field in fields(ServerLimits)}
    found |= {name: value for name, value in vars(shared).items() if name.isupper()}
    settings = ServerSettings()
    found["capacity_max"] = settings.capacity_max
    found["connections_per_address"] = settings.connections_per_address
    return {name: value for name, value in found.items() if name not in WITHIN}


def test_every_limit_stands_in_the_table_with_its_value_and_nothing_else_does() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", TABLE.read_text("utf-8"), re.MULTILINE)

    assert dict(rows) == {name: said(name, value) for name, value in limits().items()}
    assert len(rows) == len(dict(rows))
