"""What every format is to whoever plays it: who plays next, given what has happened so far.

The matches that are known have numbers from 0 and never change. A round robin and a gauntlet know
all of theirs from the beginning, so that nothing has to happen; they are lazy, and know without
keeping. What is drawn round by round (`rounds.py`) knows the rounds drawn so far, and grows when a
round is over.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from kitumaija.server.schedule.numbered import Numbered


class Schedule(Numbered):
    """The matches of one table size that are known: by number, the entrants in order of seat."""

    __slots__ = ()

    table_size: int

    @property
    def complete(self) -> bool:
        """Whether these are all matches: none will be added."""
        return True

    @property
    def planned(self) -> int:
        """How many matches there will be: those known, and as many as can be told of the others."""
        return len(self)

    @property
    def fewest_seats(self) -> int:
        """How many seats a match has at the least."""
        return self.table_size

    @abstractmethod
    def games(self) -> Mapping[str, int]:
        """Return how many games the matches that are known give each entrant."""

    @abstractmethod
    def set_of(self, number: int) -> Sequence[int]:
        """Return the numbers of the set that a match belongs to: the rotations of its table.

        A set counts for statistics as a whole only. Raises `IndexError` outside the schedule.
        """

    def ready(self, number: int) -> bool:
        """Whether a match can be told without a search that takes long (`prepare`)."""
        del number
        return True

    def prepare(self, number: int) -> None:
        """Search for what is needed to tell a match, which may take some seconds.

        It may be called in another thread, while matches are told that are `ready`.
        """
        if number < len(self):
            self.match(number)
