"""The entrants of a tournament that was started, as its director keeps them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Player:
    """An entrant of the schedule."""

    bot_id: str
    display_name: str
    entropy: bytes
    """What it contributed to the deals of its tables; empty if nothing."""
    bot_version: str = ""
    """Frozen at its first match; empty before."""
