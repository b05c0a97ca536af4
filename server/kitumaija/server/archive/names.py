"""The names of the files in an archive."""

from __future__ import annotations

import re
from typing import Final

TOURNAMENT: Final = "tournament.json"
MATCHES: Final = "matches.jsonl"
PLAN: Final = "plan.jsonl"
RECORD_LINES: Final = "records.jsonl"

_RECORD = re.compile(r"records/([a-z2-7]{1,64})\.kitu")


def record_name(match_id: str) -> str:
    """Return the name of the file with a match's record."""
    return f"records/{match_id}.kitu"


def match_of_record(name: str) -> str | None:
    """Return the match whose record a file has by its name; None if it is none."""
    found = _RECORD.fullmatch(name)
    return None if found is None else found[1]
