"""Telling those who watch a tournament that something moved, without a queue for each of them."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary


class Bell:
    """Rings for everybody who listens at the time; nobody has to keep up."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def next(self) -> asyncio.Event:
        """Return what will be set at the next ring: take it, look, then wait for it."""
        return self._next

    def ring(self) -> None:
        """Wake all who wait."""
        self._next.set()
        self._next = asyncio.Event()


class Bells:
    """A bell a tournament, there as long as somebody holds it."""

    def __init__(self) -> None:
        self._bells: WeakValueDictionary[str, Bell] = WeakValueDictionary()

    def of(self, tournament_id: str) -> Bell:
        """Return the bell of a tournament."""
        bell = self._bells.get(tournament_id)
        if bell is None:
            bell = self._bells[tournament_id] = Bell()
        return bell

    def ring(self, tournament_id: str) -> None:
        """Ring one bell, if anybody listens."""
        bell = self._bells.get(tournament_id)
        if bell is not None:
            bell.ring()

    def ring_all(self) -> None:
        """Ring every bell."""
        for bell in tuple(self._bells.values()):
            bell.ring()
