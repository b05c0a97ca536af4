"""A process that writes to a store as fast as it can until it is killed.

`python -m tests.support.hasty_writer ADDRESS FIRST` numbers its units from FIRST and prints the
number of each as soon as the store has acknowledged it. A unit is two journal entries, or a match
that is begun or ended together with its seats, record and value.
"""

from __future__ import annotations

import asyncio
import sys
from itertools import count

from kitumaija.server.store import JournalRow, Store, StoreWriter, WriteTx, matches, meta
from tests.support.stores import a_match, add_cup, later, placed

IN_FLIGHT = 64
JOURNALED = "cup-3-0-1"


def two_entries(unit: int) -> list[JournalRow]:
    """The journal entries of a unit."""
    return [JournalRow(JOURNALED, 2 * unit + half, b"%d" % unit) for half in (0, 1)]


def whole_match(tx: WriteTx, unit: int) -> None:
    """A match of this number, begun and ended at once."""
    row = a_match(unit)
    matches.add(tx, row, ["ada", "bo"])
    matches.finish(
        tx,
        row.match_id,
        row.epoch,
        ending="played",
        termination="finished",
        seats=placed(row.match_id, "ada", "bo"),
        ended_at=later(unit),
        record=b"%d" % unit,
    )
    meta.put(tx, f"unit {unit}", b"")


async def write(address: str, first: int) -> None:
    """Write for ever."""
    store = Store.open(address)
    with store.write() as tx:
        if meta.get(tx, "begun") is None:
            add_cup(tx, "ada", "bo", "cy")
            matches.add(tx, a_match(0, table_size=3), ["ada", "bo", "cy"])
            meta.put(tx, "begun", b"")
    async with StoreWriter(store) as writer:
        room = asyncio.Semaphore(IN_FLIGHT)

        async def one(unit: int) -> None:
            if unit % 3:
                await writer.append(two_entries(unit))
            else:
                await writer.run(lambda tx: whole_match(tx, unit))
            sys.stdout.write(f"{unit}\n")
            sys.stdout.flush()
            room.release()

        async with asyncio.TaskGroup() as group:
            for unit in count(first):
                await room.acquire()
                group.create_task(one(unit))


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1], int(sys.argv[2])))
