"""Worlds for bots that search: complete states that agree with all that the seat was told.

`Worlds` hears the events of a match and draws from everything that could be true, all of it equally
likely: every deal, with the queen's places in the stock, under which each thing that happened was
legal. So a hand holds no card that its player showed he had not (D7), and what cannot be known is
dealt by chance. `kitumaija.sdk.memory` guesses more quickly, and knows less.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kitumaija.engine import (
    Contradiction,
    Event,
    InformationSet,
    SamplingLimit,
    State,
    World,
    text_seed,
)
from kitumaija.sdk.match import Match

__all__ = ["Contradiction", "InformationSet", "SamplingLimit", "World", "Worlds"]


class Worlds:
    """What a seat was told in a match; tell it all events, in order."""

    def __init__(self, match: Match) -> None:
        self._options = match.options
        self._events: list[Event] = []
        self._known: InformationSet | None = None

    def hear(self, events: Iterable[Event]) -> None:
        """Take in what happened: the `events` of every turn."""
        before = len(self._events)
        self._events += events
        if len(self._events) > before:
            self._known = None

    @property
    def known(self) -> InformationSet:
        """Everything that could be true now; made when it is first asked for, in milliseconds.

        Raises `Contradiction` if events are missing, and `SamplingLimit` if there are too many
        different cases to be counted: no game has come near that, but a bot had better have an
        answer without worlds too.
        """
        if self._known is None:
            self._known = InformationSet(self._events, self._options)
        return self._known

    def draw(self, seed: str) -> Iterator[State]:
        """Yield states without end, to be played on with `kitumaija.sdk.rules`.

        The seed is any text: with the same one the same states come, in every process. Take another
        one for every decision. Raises as `known` does.
        """
        return (world.state for world in self.known.worlds(text_seed(seed)))
