"""The write-ahead rule: no message leaves before the decisions that it reveals are committed.

What the machines want in one turn of the event loop makes one batch: journal rows, then messages.
The rows are handed to the writer together, and the messages leave when they are committed, batch
after batch, so a later message never overtakes an earlier one on any stream.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from kitumaija.server.store.rows import JournalRow


class JournalWriter(Protocol):
    """What commits journal rows (`store/writer.py`)."""

    def append(self, rows: Sequence[JournalRow], /) -> asyncio.Future[None]:
        """Commit the rows, in order and all or none; done when they are on the disk."""
        ...


@dataclass(slots=True, eq=False)
class _Batch:
    rows: list[JournalRow] = field(default_factory=list)
    releases: list[Callable[[], None]] = field(default_factory=list)
    written: asyncio.Future[None] | None = None


class Outgoing:
    """Collects rows and what is to be done once they are committed; keeps the order of both.

    `failed` is called once, with the error, if rows could not be committed; nothing is released
    from then on.
    """

    def __init__(self, writer: JournalWriter, failed: Callable[[BaseException], None]) -> None:
        self._writer = writer
        self._failed = failed
        self._open = _Batch()
        self._scheduled = False
        self._broken = False
        self._waiting: deque[_Batch] = deque()

    def journal(self, row: JournalRow) -> None:
        """Commit a row with this batch."""
        self._open.rows.append(row)
        self._schedule()

    def then(self, release: Callable[[], None]) -> None:
        """Call `release` when everything collected so far is committed."""
        self._open.releases.append(release)
        self._schedule()

    @property
    def oldest(self) -> object:
        """What has waited longest for its commit, to be told from others; None if nothing does."""
        return self._waiting[0] if self._waiting else None

    async def settled(self) -> None:
        """Wait until everything collected so far is committed and released, or will never be."""
        while (self._scheduled or self._waiting) and not self._broken:
            written = self._waiting[-1].written if self._waiting else None
            if written is None or written.done():
                await asyncio.sleep(0)
            else:
                await asyncio.wait((written,))

    def _schedule(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            # After everything that this turn of the loop has ready: one commit for all of it.
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._scheduled = False
        batch, self._open = self._open, _Batch()
        if self._broken:
            return
        self._waiting.append(batch)
        if batch.rows:
            batch.written = self._writer.append(batch.rows)
            batch.written.add_done_callback(self._release)
        else:
            self._release()

    def _release(self, written: asyncio.Future[None] | None = None) -> None:
        # Looked at though the batches before it may have failed: asyncio would report each of those
        # behind them as an error that nobody saw.
        _error_of(written)
        while self._waiting and not self._broken:
            written = self._waiting[0].written
            if written is not None and not written.done():
                return
            error = _error_of(written)
            if error is not None:
                self._broken = True
                self._failed(error)
                return
            for release in self._waiting.popleft().releases:
                release()


def _error_of(written: asyncio.Future[None] | None) -> BaseException | None:
    if written is None:
        return None
    if written.cancelled():
        return asyncio.CancelledError("the journal was closed")
    return written.exception()
