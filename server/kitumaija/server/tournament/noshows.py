"""What follows when a match could not start because somebody did not come: the rule alone.

A match that could not start is scheduled again once. Whoever fails to come to the same match twice
has not shown up: it takes a last place in its own row, and the others play without it, under
a new deal, if two or more are left. If nobody came at all, nobody takes a place. An entrant that
did not show up as often as the tournament allows is withdrawn.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

ABSENCES_TO_NO_SHOW = 2
"""How often one has to stay away from one match to be a no show for it."""


@dataclass(frozen=True, slots=True)
class AfterAbsence:
    """What becomes of a number of the schedule after an attempt that could not start."""

    seats: tuple[str, ...]
    """Who plays the next attempt, in order of seats; empty if the number is given up as void."""
    no_shows: tuple[str, ...]
    """Who turned out to be a no show by this attempt."""
    last_placed: tuple[str, ...]
    """All who take a last place by this number, those of earlier attempts included."""
    absences: Mapping[str, int]
    """How often each has stayed away from this number."""

    @property
    def void(self) -> bool:
        """Whether the number is given up."""
        return not self.seats


def after_absence(
    seats: Sequence[str],
    absent: Collection[str],
    *,
    absences: Mapping[str, int],
    last_placed: Sequence[str] = (),
) -> AfterAbsence:
    """Return what follows when `absent`, some of those at `seats`, did not come.

    `absences` and `last_placed` are what earlier attempts at the same number left.
    """
    counted = {bot: absences.get(bot, 0) + (bot in absent) for bot in seats}
    no_shows = tuple(bot for bot in seats if bot in absent and counted[bot] >= ABSENCES_TO_NO_SHOW)
    left = tuple(bot for bot in seats if bot not in no_shows)
    return AfterAbsence(
        seats=left if len(left) >= 2 else (),
        no_shows=no_shows,
        # Where nobody is left there is nobody to be placed behind.
        last_placed=(*last_placed, *no_shows) if left else tuple(last_placed),
        absences={bot: times for bot, times in counted.items() if times},
    )
