"""The writer: one thread that commits for everybody.

Whatever is waiting when the thread comes round goes into one transaction, in the order in which it
was handed over, and is told of together once that is committed. So the price of a commit is paid
once a round, not once a match, and the event loop never waits for a disk.
"""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from queue import Empty, SimpleQueue
from typing import Any, Self, TypeVar

from kitumaija.server.store import journal
from kitumaija.server.store.errors import StoreClosed, StoreError, StoreFailed
from kitumaija.server.store.rows import JournalRow
from kitumaija.server.store.store import Store, broke_down
from kitumaija.server.store.transactions import WriteTx

T = TypeVar("T")

# Units of one transaction: more of them save nothing, and make the first wait for the last.
UNITS_A_COMMIT = 1024


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """A function to be run inside the transaction."""

    work: Callable[[WriteTx], Any]
    waiter: asyncio.Future[Any]


@dataclass(frozen=True, slots=True, eq=False)
class _Append:
    """Journal entries to be appended; those of neighbours are inserted together."""

    rows: Sequence[JournalRow]
    waiter: asyncio.Future[Any]


_Unit = _Run | _Append


@dataclass(frozen=True, slots=True)
class _Told:
    """What a waiter is to be told: a result, or an error."""

    waiter: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class StoreWriter:
    """Commits units of work in the order in which they were handed over.

    A unit is all or nothing, and one that raises leaves its neighbours as they are. A waiter hears
    of its unit only after the commit. When the database fails, or a commit for any other reason,
    everybody who waits and everybody who comes later gets StoreFailed: what came later may build on
    what is lost.

    `run` and `append` belong on a running event loop; any number of loops may share the writer.
    To stop waiting, by cancelling, does not take a unit back.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: SimpleQueue[_Unit | None] = SimpleQueue()
        self._door = threading.Lock()
        self._closed = False
        self._broken: StoreFailed | None = None
        self._thread = threading.Thread(target=self._serve, name="store-writer", daemon=True)
        self._thread.start()

    def run(self, work: Callable[[WriteTx], T]) -> asyncio.Future[T]:
        """Run `work` inside a transaction, in the writer's thread; await it for what it returned.

        What `work` raises is raised to the waiter, and nothing that it did is kept. It must not
        block on anything but the database, and not call the writer.
        """
        waiter: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._hand_over(_Run(work, waiter))
        return waiter

    def append(self, entries: Sequence[JournalRow]) -> asyncio.Future[None]:
        """Append journal entries; await it for their being committed, all of them.

        Raises JournalConflict or NotStored to the waiter, as `journal.append` does.
        """
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._hand_over(_Append(tuple(entries), waiter))
        return waiter

    async def close(self) -> None:
        """Commit what was handed over, then stop; whoever comes later gets StoreClosed.

        The store stays open. Closing twice is closing once.
        """
        with self._door:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _hand_over(self, unit: _Unit) -> None:
        with self._door:
            if not self._closed:
                self._queue.put(unit)
                return
        unit.waiter.set_exception(StoreClosed("the writer is closed; nothing more is written"))

    def _serve(self) -> None:
        for units in self._rounds():
            _tell(self._commit(units))

    def _rounds(self) -> Iterator[list[_Unit]]:
        while (unit := self._queue.get()) is not None:
            units = [unit]
            last = False
            while len(units) < UNITS_A_COMMIT and not last:
                try:
                    waiting = self._queue.get_nowait()
                except Empty:
                    break
                if waiting is None:
                    last = True
                else:
                    units.append(waiting)
            yield units
            if last:
                return

    def _commit(self, units: Sequence[_Unit]) -> list[_Told]:
        try:
            if self._broken is not None:
                raise self._broken
            with self._store.write() as tx:
                return list(_do_all(tx, units))
        except StoreError as error:
            return [_Told(unit.waiter, error=_again(error)) for unit in units]
        except BaseException as error:  # noqa: BLE001 - whatever it was, they must not wait on
            failed = StoreFailed(f"the store's writer met an error of its own: {error!r}")
            failed.__cause__ = error
            self._broken = failed
            return [_Told(unit.waiter, error=_again(failed)) for unit in units]


def _do_all(tx: WriteTx, units: Sequence[_Unit]) -> Iterator[_Told]:
    for kind, neighbours in groupby(units, key=type):
        group = list(neighbours)
        if kind is _Append and len(group) > 1 and _appended_at_once(tx, group):
            yield from (_Told(unit.waiter) for unit in group)
        else:
            yield from (_do(tx, unit) for unit in group)


def _appended_at_once(tx: WriteTx, units: Sequence[_Unit]) -> bool:
    """Insert the entries of many in one go; if any is wrong, none is in, and each has its turn."""
    rows = [row for unit in units if isinstance(unit, _Append) for row in unit.rows]
    try:
        journal.append(tx, rows)
    except Exception as error:
        if broke_down(error):
            raise
        return False  # Whose error it is shows when each is tried alone.
    return True


def _do(tx: WriteTx, unit: _Unit) -> _Told:
    try:
        if isinstance(unit, _Append):
            journal.append(tx, unit.rows)
            return _Told(unit.waiter)
        with tx.savepoint():
            return _Told(unit.waiter, result=unit.work(tx))
    except StopIteration as error:
        # A future refuses this one, as a generator does.
        return _Told(unit.waiter, error=RuntimeError(f"the work raised {error!r}"))
    except BaseException as error:
        if broke_down(error):
            raise
        return _Told(unit.waiter, error=error)  # It is the waiter's, not the thread's.


def _again(error: StoreError) -> StoreError:
    """The same error as a value of its own: raising one many times muddles its traceback."""
    copy = type(error)(*error.args)
    copy.__cause__ = error.__cause__
    return copy


def _tell(everybody: Sequence[_Told]) -> None:
    """Wake the waiters, those of one loop together and in order."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Told]] = defaultdict(list)
    for told in everybody:
        by_loop[told.waiter.get_loop()].append(told)
    for loop, its_own in by_loop.items():
        try:
            loop.call_soon_threadsafe(_settle, its_own)
        except RuntimeError:
            # The loop is closed: nobody waits there any more.
            continue


def _settle(everybody: Sequence[_Told]) -> None:
    for told in everybody:
        if told.waiter.done():
            continue
        if told.error is not None:
            told.waiter.set_exception(told.error)
        else:
            told.waiter.set_result(told.result)
