"""What waits for its journal rows when the store fails."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Sequence
from typing import Any

from kitumaija.server.lobby.outgoing import Outgoing
from kitumaija.server.store import JournalRow, StoreFailed


class FailingWriter:
    """Takes rows, and fails with all of them when it is told to."""

    def __init__(self) -> None:
        self.taken: list[asyncio.Future[None]] = []

    def append(self, entries: Sequence[JournalRow]) -> asyncio.Future[None]:
        """Take rows."""
        del entries
        self.taken.append(asyncio.get_running_loop().create_future())
        return self.taken[-1]

    def fail(self) -> None:
        """Fail with everything taken so far."""
        for written in self.taken:
            written.set_exception(StoreFailed("the disk is full"))
        self.taken.clear()


async def turn() -> None:
    """Let the loop do what is due, twice: what it does may make more due."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)


async def test_a_store_that_fails_is_reported_once_and_nothing_leaves_any_more() -> None:
    alarms: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: alarms.append(context))
    writer, failures, left = FailingWriter(), list[BaseException](), list[str]()
    outgoing = Outgoing(writer, failures.append)
    for number, name in enumerate(("first", "second", "third")):
        outgoing.journal(JournalRow("m", number, b""))
        outgoing.then(lambda name=name: left.append(name))  # type: ignore[misc]
        await turn()
    writer.fail()
    await turn()
    outgoing.journal(JournalRow("m", 3, b""))
    outgoing.then(lambda: left.append("fourth"))
    await turn()
    await outgoing.settled()
    del outgoing
    gc.collect()

    assert [str(error) for error in failures] == ["the disk is full"]
    assert left == []
    assert writer.taken == []
    assert alarms == []
