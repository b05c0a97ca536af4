"""The first matches of a schedule, as `kitumaija tournament schedule` lists them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kitumaija.server.cli.output import out
from kitumaija.server.schedule.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Listed:
    """One match of a schedule."""

    number: int
    in_set: int
    """The number of the first match of its set."""
    seats: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {"number": self.number, "set": self.in_set, "seats": list(self.seats)}


def list_matches(schedule: Schedule, first: int) -> list[Listed]:
    """Return the first matches of a schedule, as many as are asked for."""
    return [
        Listed(number, schedule.set_of(number)[0], schedule[number])
        for number in range(min(first, len(schedule)))
    ]


def print_matches(listed: list[Listed]) -> None:
    """Print a line a match: its number, that of its set, and its seats in order."""
    for one in listed:
        out.print(f"{one.number} (set {one.in_set}): {' '.join(one.seats)}", soft_wrap=True)
