"""A tournament's server whose store fails under a command."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from kitumaija.server.store import StoreError
from kitumaija.server.store.engines import FILE_NAME
from kitumaija.server.store.failpoints import Stage
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused, organized
from tests.support.raw_bot import PATIENCE


async def test_a_command_that_cannot_be_kept_is_refused_and_stops_the_server(
    organizer: Organizer,
) -> None:
    with organizer.app.store.write() as tx:
        pages = tx.connection.execute(text("PRAGMA page_count")).scalar_one()
        tx.connection.execute(text(f"PRAGMA max_page_count = {pages}"))

    with pytest.raises(Refused) as refused:
        await organizer.register(*(f"bot-{number}" for number in range(1000)))

    assert refused.value.reason is ErrorReason.STORE_FAILED
    async with asyncio.timeout(PATIENCE):
        error = await organizer.app.failed()
    assert "takes no more; free the disk" in str(error)


async def test_a_start_that_is_committed_and_cannot_be_followed_stops_the_server(
    tmp_path: Path,
) -> None:
    """The store says RUNNING: a server that does not run it must not go on as if all were well."""

    def lose_the_ratings(name: str, stage: Stage) -> None:
        if (name, stage) == ("tournaments.set_schedule_seed", Stage.AFTER_COMMIT):
            with closing(sqlite3.connect(tmp_path / "data" / FILE_NAME)) as store:
                store.execute("ALTER TABLE rating_states RENAME TO lost")

    async with organized(tmp_path / "data", watch=lose_the_ratings) as organizer:
        with pytest.raises(Refused):
            await organizer.begin("ann", "bob")

        async with asyncio.timeout(PATIENCE):
            error = await organizer.app.failed()
        assert isinstance(error, StoreError)
        assert "cannot be read" in str(error)

    with closing(sqlite3.connect(tmp_path / "data" / FILE_NAME)) as store:
        store.execute("ALTER TABLE lost RENAME TO rating_states")
    async with organized(tmp_path / "data", seed="again") as again:
        again.tokens = organizer.tokens
        for bot in ("ann", "bob"):
            await again.connect(bot)
        last = await again.finished()
        assert last.matches.finished == last.matches.planned == 2
