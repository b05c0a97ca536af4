"""One thread for one bot object."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias, TypeVar

T = TypeVar("T")
_Job: TypeAlias = tuple[asyncio.Future[object], Callable[[], object]]


class BotThread:
    """Calls an author's code apart from the event loop, one call after the other.

    A match keeps its thread from the making of its bot to the end, so a bot may hold what belongs
    to a thread, and a bot that thinks for long holds up nobody else. The thread is a daemon: code
    that never returns cannot keep the process alive.
    """

    def __init__(self, name: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        Thread(target=self._work, name=name, daemon=True).start()

    async def call(self, function: Callable[[], object]) -> object:
        """Call `function` in the thread; return what it returns, raise what it raises."""
        done: asyncio.Future[object] = self._loop.create_future()
        self._jobs.put((done, function))
        return await done

    def close(self) -> None:
        """Let the thread end after the calls that it has been given."""
        self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            done, function = job
            try:
                result = function()
            except BaseException as error:  # noqa: BLE001 - exit() in a bot is an error of the bot
                self._tell(_fail, done, error)
            else:
                self._tell(_succeed, done, result)

    def _tell(
        self,
        how: Callable[[asyncio.Future[object], T], None],
        done: asyncio.Future[object],
        what: T,
    ) -> None:
        try:
            self._loop.call_soon_threadsafe(how, done, what)
        except RuntimeError:
            # The loop is closed: nobody waits for this any more.
            self._jobs.put(None)


def _succeed(done: asyncio.Future[object], result: object) -> None:
    if not done.done():
        done.set_result(result)


def _fail(done: asyncio.Future[object], error: BaseException) -> None:
    if done.done():
        return
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        done.set_exception(error)
        return
    # A future takes no StopIteration, and the loop would die of a SystemExit.
    stand_in = RuntimeError(f"{type(error).__name__} was raised")
    stand_in.__cause__ = error
    done.set_exception(stand_in)
