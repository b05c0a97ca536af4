"""When the database itself fails: a full disk, a server that goes away."""

from __future__ import annotations

import asyncio
import resource
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from kitumaija.server.store import (
    JournalRow,
    Store,
    StoreError,
    StoreFailed,
    StoreReader,
    StoreWriter,
    journal,
    tournaments,
)
from kitumaija.server.store.engines import FILE_NAME
from kitumaija.server.store.failpoints import Stage
from tests.support.stores import add_cup, begin_match

MATCH = "cup-2-0-1"
BIG = 50_000


def _rows(sequence: int) -> list[JournalRow]:
    return [JournalRow(MATCH, sequence, b"x" * BIG)]


@pytest.fixture
def playing(store: Store) -> Store:
    """A store in which match 0 is being played."""
    with store.write() as tx:
        add_cup(tx, "ada", "bo")
    begin_match(store, 0)
    return store


@pytest.fixture
def break_down(database: str, playing: Store) -> Callable[[], None]:
    """Makes the next writes fail: SQLite's file may grow no more, PostgreSQL cuts us off."""

    def fill_the_disk() -> None:
        with playing.write() as tx:
            pages = tx.connection.execute(text("PRAGMA page_count")).scalar_one()
            tx.connection.execute(text(f"PRAGMA max_page_count = {pages + 20}"))

    def cut_off() -> None:
        url = playing.address.replace("+psycopg", "")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(l.pid, 10000) FROM pg_locks l JOIN pg_database d"
                " ON d.oid = l.database WHERE l.locktype = 'advisory'"
                " AND d.datname = current_database()"
            )

    return fill_the_disk if database == "sqlite" else cut_off


async def test_everybody_who_waits_and_everybody_later_hears_of_it(
    playing: Store, break_down: Callable[[], None]
) -> None:
    gathered = threading.Event()
    async with StoreWriter(playing) as writer:
        await writer.append(_rows(0))
        break_down()
        held = writer.run(lambda tx: gathered.wait(30))
        waiting = [writer.append(_rows(sequence)) for sequence in range(1, 40)]
        gathered.set()
        await asyncio.wait([held])
        answers = await asyncio.gather(*waiting, return_exceptions=True)

        assert isinstance(answers[-1], StoreFailed)
        assert {type(answer) for answer in answers} <= {type(None), StoreFailed}
        with pytest.raises(StoreFailed, match="takes no more; free the disk or bring the data"):
            await writer.append(_rows(100))
        with pytest.raises(StoreFailed):
            await writer.run(lambda tx: None)
        assert playing.failure is not None

    acknowledged = [sequence for sequence, answer in enumerate([None, *answers]) if answer is None]
    with StoreReader.open(playing.address) as reader, reader.read() as tx:
        assert [row.sequence for row in journal.entries(tx, MATCH)] == acknowledged


def test_a_store_that_failed_refuses_but_can_be_closed_and_opened_again(
    playing: Store, break_down: Callable[[], None]
) -> None:
    with playing.write() as tx:
        journal.append(tx, _rows(0))
    break_down()

    with pytest.raises(StoreFailed, match="failed under a write"):
        _write_until_it_fails(playing)
    with pytest.raises(StoreFailed), playing.write():
        pass
    with playing.read() as tx:
        known = [row.sequence for row in journal.entries(tx, MATCH)]
    playing.close()

    with Store.open(playing.address) as again:
        with again.read() as tx:
            assert [row.sequence for row in journal.entries(tx, MATCH)] == known
        with again.write() as tx:
            journal.append(tx, _rows(1000))


async def test_a_file_that_is_damaged_breaks_the_store_as_a_full_disk_does(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        with store.write() as tx:
            add_cup(tx, "ada", "bo")
        begin_match(store, 0)
        with store.read() as tx:
            size = tx.connection.execute(text("PRAGMA page_size")).scalar_one()
            page = tx.connection.execute(
                text("SELECT rootpage FROM sqlite_master WHERE name = 'journal'")
            ).scalar_one()
    with (tmp_path / FILE_NAME).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)

    with Store.open(tmp_path) as damaged:
        async with StoreWriter(damaged) as writer:
            units = [writer.append(_rows(0)), writer.run(lambda tx: None)]
            answers = await asyncio.gather(*units, return_exceptions=True)
            assert isinstance(answers[0], StoreFailed)
            with pytest.raises(StoreFailed, match="malformed"):
                await writer.run(lambda tx: None)
        with pytest.raises(StoreError, match="cannot be read"), damaged.read() as tx:
            journal.entries(tx, MATCH)


async def test_a_commit_that_fails_by_a_mistake_of_ours_is_the_last_one(
    tmp_path: Path,
) -> None:
    failing = threading.Event()

    def fail(name: str, stage: Stage) -> None:
        if failing.is_set() and stage is Stage.BEFORE_COMMIT:
            failing.clear()
            raise RuntimeError(name)

    with Store.open(tmp_path, watch=fail) as store:
        async with StoreWriter(store) as writer:
            failing.set()
            for _ in range(2):
                with pytest.raises(StoreFailed, match="an error of its own"):
                    await writer.run(lambda tx: None)


@pytest.mark.parametrize("most", [0, 100])
def test_a_store_on_a_full_disk_is_not_opened_and_says_so(tmp_path: Path, most: int) -> None:
    with Store.open(tmp_path) as store:
        epoch = store.epoch

    with files_no_longer_than(most), pytest.raises(StoreError, match="cannot be opened"):
        Store.open(tmp_path)

    with Store.open(tmp_path) as again:
        assert again.epoch == epoch + 1


def test_readers_that_were_cut_off_read_on(store: Store, database: str) -> None:
    if database == "sqlite":
        pytest.skip("nobody can cut off a reader of a file")
    with store.write() as tx:
        add_cup(tx, "ada", "bo")
    with store.read() as tx:
        assert tournaments.get(tx, "cup") is not None
    url = store.address.replace("+psycopg", "")
    with psycopg.connect(url, autocommit=True) as connection:
        # All that hold no lock: the writer holds the store's.
        connection.execute(
            "SELECT pg_terminate_backend(a.pid, 10000) FROM pg_stat_activity a"
            " WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()"
            " AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid)"
        )

    with store.read() as tx:
        assert tournaments.get(tx, "cup") is not None


async def test_what_does_not_fail_in_the_database_does_not_break_the_store(
    playing: Store,
) -> None:
    async with StoreWriter(playing) as writer:
        with pytest.raises(Exception, match="payload|bytes"):
            await writer.append([JournalRow(MATCH, 0, object())])  # type: ignore[arg-type]
        await writer.append(_rows(0))

        assert playing.failure is None


@contextmanager
def files_no_longer_than(most: int) -> Iterator[None]:
    """Let no file grow beyond `most` bytes, as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _write_until_it_fails(store: Store) -> None:
    for sequence in range(1, 100):
        with store.write() as tx:
            journal.append(tx, _rows(sequence))
