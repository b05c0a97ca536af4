"""Small values the whole engine speaks of: seats, phases, and how a game ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NewType

Seat = NewType("Seat", int)
"""A player's place at the table, from 0; play goes in ascending order."""

MIN_SEATS = 2
MAX_SEATS = 10  # S4
HAND_SIZE = 5
"""Cards dealt to each player (S12), and the number a hand is drawn up to (S17)."""


class Phase(Enum):
    """What the player to move is asked for (I1)."""

    CATCH = "catch"
    FREE = "free"
    PICKUP = "pickup"
    LEAD = "lead"


# CPython 3.11 takes 0.2 µs to find a member by its class: too long for what every move compares.
CATCH = Phase.CATCH
FREE = Phase.FREE
PICKUP = Phase.PICKUP
LEAD = Phase.LEAD


class Termination(Enum):
    """Why a game ended (G6)."""

    FINISHED = "finished"
    REPETITION = "repetition"
    TURN_CAP = "turn_cap"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: why, and each seat's place.

    `places[seat]` counts from 1; seats that share a place have the same number and the numbers
    after it are skipped, as in 1 2 2 4 (G3, G5).
    """

    termination: Termination
    places: tuple[int, ...]

    @property
    def kitumaija(self) -> Seat | None:
        """The last player with cards (S29); None for a stopped game, which has no kitumaija."""
        if self.termination is not Termination.FINISHED:
            return None
        return Seat(self.places.index(len(self.places)))
