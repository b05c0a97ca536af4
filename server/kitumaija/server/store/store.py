"""The store's door: open, read, write, close.

A `Store` is the one writer of its database, and holds a lock on it that keeps any other server
out. A `StoreReader` only reads; there may be many, in any process, and they never block the writer.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

import structlog
from sqlalchemy import URL, Connection, Engine
from sqlalchemy.exc import DatabaseError, DBAPIError, InternalError, OperationalError

from kitumaija.server.choices import Durability
from kitumaija.server.store import meta, migrating
from kitumaija.server.store.engines import (
    is_sqlite,
    make_file,
    read_engine,
    sqlite_path,
    store_url,
    write_engine,
)
from kitumaija.server.store.errors import StoreClosed, StoreError, StoreFailed
from kitumaija.server.store.failpoints import TRANSACTION, Passage, Stage, Watch
from kitumaija.server.store.locks import FileLock, take_advisory_lock
from kitumaija.server.store.migrating import Migration
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.store.wal import torn_tail

_log = structlog.stdlib.get_logger(__name__)


def broke_down(error: BaseException) -> bool:
    """Tell whether an error is of the database itself, and not of what was asked of it."""
    # Of a file that is damaged SQLite's error is of no class of its own: it is the family's.
    return isinstance(error, OperationalError | InternalError) or type(error) is DatabaseError


class StoreReader:
    """A store opened for reading only."""

    def __init__(self, url: URL, engine: Engine) -> None:
        self._url = url
        self._readers = engine

    @classmethod
    def open(cls, where: str | Path) -> StoreReader:
        """Open a store of the current schema, given as URL or data directory.

        Raises StoreError where there is none, StoreTooNew or StoreOutdated where its schema is
        another version's.
        """
        url = store_url(where)
        if is_sqlite(url) and not sqlite_path(url).is_file():
            raise StoreError(f"there is no store at {url.database}; `kitumaija serve` makes one")
        engine = read_engine(url)
        try:
            with _connected(engine, url) as connection:
                migrating.check(connection)
        except BaseException:
            engine.dispose()
            raise
        return cls(url, engine)

    @property
    def address(self) -> str:
        """The store's URL, its password hidden."""
        return self._url.render_as_string(hide_password=True)

    @contextmanager
    def read(self) -> Iterator[ReadTx]:
        """A consistent view of the store, on a connection of its own."""
        try:
            with self._readers.connect() as connection:
                # Never committed: there is nothing to keep, and a damaged file refuses even that.
                connection.begin()
                yield ReadTx(connection)
        except DatabaseError as error:
            if not broke_down(error):
                raise
            raise StoreError(f"the store {self.address} cannot be read: {error.orig}") from error

    def close(self) -> None:
        """Let the connections go."""
        self._readers.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Store(StoreReader):
    """A store opened for reading and writing, by this process alone."""

    def __init__(
        self,
        url: URL,
        connection: Connection,
        *,
        lock: FileLock | None,
        migration: Migration | None,
        epoch: int,
        watch: Watch | None,
    ) -> None:
        super().__init__(url, read_engine(url))
        self._connection = connection
        self._watch = watch
        self._lock = lock
        self._turn = threading.Lock()
        self._failure: BaseException | None = None
        self._closed = False
        self.migration = migration
        self.epoch = epoch

    @classmethod
    def open(
        cls, where: str | Path, *, durability: str = "full", watch: Watch | None = None
    ) -> Store:
        """Open or make a store, given as URL or data directory, and take it for this process.

        An older schema is migrated; a SQLite file is backed up beside itself first. The log and
        `store.migration` say from what, to what, and where the backup is. `store.epoch` is larger
        than it ever was before. What a crash left behind the last commit of SQLite's log is
        dropped, and a line of the server's log says how much. `watch` is called at every failpoint
        that is passed, from the opening on. Raises StoreInUse, StoreTooNew, or StoreError with what
        to do.
        """
        kept = _durability(durability)
        url = store_url(where)
        with _failures_said(url), ExitStack() as undo:
            lock = None
            if is_sqlite(url):
                make_file(url)
                lock = FileLock.take(sqlite_path(url))
                undo.callback(lock.release)
                _say_what_is_dropped(sqlite_path(url))
            writers = write_engine(url, kept)
            undo.callback(writers.dispose)
            connection = undo.enter_context(_connected(writers, url))
            if lock is None:
                take_advisory_lock(connection)
            migration = migrating.migrate(connection, url, watch=watch)
            if migration is not None:
                _log.warning("store migrated", what=str(migration))
            with _transaction(connection, watch) as tx:
                epoch = meta.next_epoch(tx)
            undo.pop_all()
        return cls(url, connection, lock=lock, migration=migration, epoch=epoch, watch=watch)

    @contextmanager
    def write(self) -> Iterator[WriteTx]:
        """One transaction: all that is done inside is kept, or nothing of it if it raises.

        Waits for its turn. Raises StoreFailed if the database fails, then and ever after.
        """
        with self._turn:
            self._refuse_if_unusable()
            try:
                with _transaction(self._connection, self._watch) as tx:
                    yield tx
            except DatabaseError as error:
                if not broke_down(error):
                    raise
                self._failure = error
                raise self._failed(error) from error

    @property
    def failure(self) -> BaseException | None:
        """What the database failed with, if it did."""
        return self._failure

    def close(self) -> None:
        """Wait for the write under way, then let the store go. Closing twice is closing once."""
        with self._turn:
            if self._closed:
                return
            self._closed = True
            super().close()
            self._connection.close()
            self._connection.engine.dispose()
            if self._lock is not None:
                self._lock.release()

    def _refuse_if_unusable(self) -> None:
        if self._closed:
            raise StoreClosed(f"the store {self.address} is closed; nothing more is written")
        if self._failure is not None:
            raise self._failed(self._failure)

    def _failed(self, error: BaseException) -> StoreFailed:
        cause = getattr(error, "orig", None) or error
        return StoreFailed(
            f"the store {self.address} failed under a write ({cause}) and takes no more; free the "
            f"disk or bring the database back, then start the server again"
        )


@contextmanager
def _transaction(connection: Connection, watch: Watch | None) -> Iterator[WriteTx]:
    passage = Passage(watch)
    passage.begins(TRANSACTION)
    with connection.begin():
        yield WriteTx(connection, passage)
        passage.reaches(Stage.BEFORE_COMMIT)
    passage.reaches(Stage.AFTER_COMMIT)


def _say_what_is_dropped(store: Path) -> None:
    """SQLite drops what a crash left behind the last commit of its log, and says nothing of it."""
    try:
        with store.with_name(store.name + "-wal").open("rb") as log:
            torn = torn_tail(log)
    except FileNotFoundError:
        return
    if torn is not None:
        _log.warning(
            "the store's log breaks off behind its last commit; the rest was dropped",
            dropped_bytes=torn.bytes,
            dropped_frames=torn.frames,
            kept_frames=torn.kept,
        )


def _durability(word: str) -> Durability:
    try:
        return Durability(word)
    except ValueError:
        raise StoreError(f"got the durability {word!r}; wanted {' or '.join(Durability)}") from None


@contextmanager
def _failures_said(url: URL) -> Iterator[None]:
    """Say in one sentence what kept a store from being opened: a full disk, for one."""
    try:
        yield
    except (DatabaseError, OSError) as error:
        if not (broke_down(error) or isinstance(error, OSError)):
            raise
        cause = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
        raise StoreError(
            f"the store {url.render_as_string(hide_password=True)} cannot be opened for writing: "
            f"{cause}; free the disk or bring the database back, then start the server again"
        ) from error


def _connected(engine: Engine, url: URL) -> Connection:
    try:
        return engine.connect()
    except DBAPIError as error:
        raise StoreError(
            f"the store {url.render_as_string(hide_password=True)} cannot be opened: {error.orig}"
        ) from error
