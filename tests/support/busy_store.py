"""A store in which everything happened that can happen to matches, made by a real server."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import text

from kitumaija.engine import GameRecord
from kitumaija.server.checking import findings
from kitumaija.server.choices import Durability
from kitumaija.server.store.engines import store_url, write_engine
from kitumaija.server.store.transactions import WriteTx
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.record import record_from_bytes, record_to_bytes
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
    settings: dict[str, Any] = {} if store is None else {"store": store}
    async with organized(data, **settings) as organizer:
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
        fay.stuck.clear()
        await organizer.call(
            organizer.tournaments.ResumeTournament,
            v1.ResumeTournamentRequest(tournament_id=LIVE),
        )
        await fay.stuck.wait()


@dataclass(frozen=True, slots=True)
class Busy:
    """Where the store is, and a way to damage it for a moment."""

    address: str

    @contextmanager
    def damaged(self) -> Iterator[Damage]:
        """A transaction in which anything may be changed, and which is undone at the end."""
        url = store_url(self.address)
        engine = write_engine(url, Durability.NORMAL)
        try:
            with engine.connect() as connection:
                driver = connection.connection.driver_connection
                if isinstance(driver, sqlite3.Connection):
                    driver.execute("PRAGMA foreign_keys = OFF")
                with connection.begin() as transaction:
                    if not isinstance(driver, sqlite3.Connection):
                        # Switches its foreign keys off, for as long as the transaction lasts.
                        connection.execute(text("SET LOCAL session_replication_role = replica"))
                    yield Damage(WriteTx(connection))
                    transaction.rollback()
        finally:
            engine.dispose()


@dataclass(frozen=True, slots=True)
class Damage:
    """What a test does to the store, and what the check says to it."""

    tx: WriteTx

    @property
    def sqlite(self) -> bool:
        """Whether the store is a file."""
        return self.tx.connection.dialect.name == "sqlite"

    def run(self, statement: str, **values: object) -> None:
        """Run a statement, which must meet something."""
        assert self.tx.connection.execute(text(statement), values).rowcount != 0, statement

    def one(self, statement: str, **values: object) -> Any:
        """Return the first value that a SELECT finds."""
        return self.tx.connection.execute(text(statement), values).scalar_one()

    def match(self, tournament_id: str, state: str = "finished") -> str:
        """Return the id of a tournament's first match in a state."""
        found: str = self.one(
            "SELECT match_id FROM matches WHERE tournament_id = :t AND state = :s"
            " ORDER BY table_size, number, attempt LIMIT 1",
            t=tournament_id,
            s=state,
        )
        return found

    def change_record(self, match_id: str, change: Callable[[GameRecord], GameRecord]) -> None:
        """Write another game into a match's record."""
        data = self.one("SELECT record FROM records WHERE match_id = :m", m=match_id)
        record = record_from_bytes(bytes(data))
        game = change(record.game)
        timings = record.timings.decisions[: len(game.decisions)]
        changed = replace(record, game=game, timings=replace(record.timings, decisions=timings))
        self.run(
            "UPDATE records SET record = :r WHERE match_id = :m",
            r=record_to_bytes(changed),
            m=match_id,
        )

    def findings(self) -> list[str]:
        """Return the sentences of the check."""
        return [finding.sentence for finding in findings(self.tx)]
