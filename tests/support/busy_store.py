"""A store in which everything happened that can happen to matches, made by a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import text

from kitumaija.server.store.engines import Durability, is_sqlite, store_url, write_engine
from kitumaija.server.store.transactions import WriteTx
from kitumaija.v1 import tournament_pb2 as v1
from tests.support.organizer import organized

FINISHED = "cup"
"""A finished tournament of ann, bob and cid at tables of 2 and 3."""
ABSENT = "gone"
"""A finished tournament in which dan came and eve never did."""
LIVE = "live"
"""A tournament of fay and gus in the middle of a match; an earlier attempt at it is void."""


def make_busy_store(data: Path, store: str | None = None) -> None:
    """Play, and leave the server with a match unfinished; `store` is a database's URL."""
    asyncio.run(_play(data, store))


async def _play(data: Path, store: str | None) -> None:
    async with organized(data, **({} if store is None else {"store": store})) as organizer:
        await organizer.begin("ann", "bob", "cid", tournament_id=FINISHED, table_sizes=[2, 3])
        await organizer.finished(FINISHED)
        await organizer.begin("dan", absent=("eve",), tournament_id=ABSENT)
        await organizer.miss(4, "eve", tournament_id=ABSENT)
        await organizer.finished(ABSENT)

        await organizer.register("fay", "gus")
        await organizer.create(LIVE)
        fay = await organizer.connect("fay", capacity=1, answers=2)
        await organizer.connect("gus")
        await organizer.enter("fay", "gus", tournament_id=LIVE)
        await organizer.close(LIVE)
        await organizer.start(LIVE)
        await fay.stuck.wait()
        (broken_off,) = organizer.app.hall.match_ids()
        await organizer.call(
            organizer.tournaments.PauseTournament,
            v1.PauseTournamentRequest(tournament_id=LIVE),
        )
        organizer.app.hall.void(broken_off, "The lights went out.")
        await organizer.app.hall.settle()
        await organizer.call(
            organizer.tournaments.ResumeTournament,
            v1.ResumeTournamentRequest(tournament_id=LIVE),
        )
        await organizer.until(lambda now: now.matches.running == 1, LIVE)
        while len(fay._pending) < 2:
            await asyncio.sleep(0)


@contextmanager
def damaged(address: str) -> Iterator[WriteTx]:
    """A transaction in which every row may be changed at will, and which is undone at the end."""
    url = store_url(address)
    engine = write_engine(url, Durability.NORMAL)
    try:
        with engine.connect() as connection:
            if is_sqlite(url):
                connection.connection.driver_connection.execute("PRAGMA foreign_keys = OFF")  # type: ignore[union-attr]
            with connection.begin() as transaction:
                if not is_sqlite(url):
                    connection.execute(text("SET LOCAL session_replication_role = replica"))
                yield WriteTx(connection)
                transaction.rollback()
    finally:
        engine.dispose()
