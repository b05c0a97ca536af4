"""Counting what passes through the lobby: batches on their way to the disk, bots that come."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from kitumaija.server.clock import Clock
from kitumaija.server.lobby.connection import Connection
from kitumaija.server.lobby.outgoing import JournalWriter
from kitumaija.server.match.values import Nanos
from kitumaija.server.metrics import Metrics
from kitumaija.server.store.rows import JournalRow


class MeteredWriter:
    """A writer of journals whose batches are counted and timed."""

    def __init__(self, writer: JournalWriter, clock: Clock, metrics: Metrics) -> None:
        self._writer = writer
        self._clock = clock
        self._metrics = metrics

    def append(self, rows: Sequence[JournalRow], /) -> asyncio.Future[None]:
        """Commit the rows (`JournalWriter`)."""
        count, since = len(rows), self._clock.now()

        def done(written: asyncio.Future[None]) -> None:
            if not written.cancelled() and written.exception() is None:
                self._metrics.committed(count, self._clock.now() - since)

        written = self._writer.append(rows)
        written.add_done_callback(done)
        return written


class Attendance:
    """Counts the bots that come (`PresenceListener`): for the first time, again, twice at once."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._here: set[str] = set()
        self._known: set[str] = set()

    def arrived(self, connection: Connection, at: Nanos) -> None:
        """Count a stream."""
        del at
        bot_id = connection.bot_id
        self._metrics.arrived(again=bot_id in self._known, replaces=bot_id in self._here)
        self._here.add(bot_id)
        self._known.add(bot_id)

    def left(self, connection: Connection, at: Nanos, *, goodbye: bool) -> None:
        """Note that a bot is away."""
        del at, goodbye
        self._here.discard(connection.bot_id)
