"""What is said of a damaged store, and what a test looks up in it to damage it."""

from __future__ import annotations

import json
from typing import Any

from tests.support.busy_store import Damage


def said(damage: Damage) -> str:
    """The one sentence that the check has to say."""
    (sentence,) = damage.findings()
    return sentence


def named(match_id: str) -> str:
    """How the cup's first match is called."""
    return f"match {match_id} of 'cup' (2 seats, number 0)"


def rating_state(damage: Damage, tournament_id: str, size: int) -> dict[str, Any]:
    """A rating table as it is stored, to be changed."""
    found = damage.one(
        "SELECT state FROM rating_states WHERE tournament_id = :t AND table_size = :z",
        t=tournament_id,
        z=size,
    )
    made: dict[str, Any] = json.loads(found if isinstance(found, str) else json.dumps(found))
    return made
