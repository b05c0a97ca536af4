"""Connections to the two kinds of database, and what differs between them.

SQLite runs in WAL mode: one writer, readers beside it that it never blocks. sqlite3's own handling
of transactions is switched off, for it begins them late and deferred; here a write transaction is
BEGIN IMMEDIATE from its first statement on. PostgreSQL does the same work with its own means.
"""

from __future__ import annotations

import os
import socket
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from kitumaija.server.choices import Durability
from kitumaija.server.store.errors import StoreError

FILE_NAME = "kitumaija.sqlite3"
BUSY_MILLISECONDS = 10_000
WAL_BYTES_KEPT = 64 * 1024 * 1024


def store_url(where: str | Path) -> URL:
    """Read a database URL, or a data directory, which then holds `kitumaija.sqlite3`.

    Raises StoreError for any database but SQLite in a file and PostgreSQL.
    """
    text = str(where)
    if "://" not in text:
        return URL.create("sqlite", database=str(Path(text).expanduser().resolve() / FILE_NAME))
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise StoreError(
            f"got a store's address that is no URL; wanted a directory, sqlite:///PATH or "
            f"postgresql://USER@HOST/NAME: {error}"
        ) from error
    backend = url.get_backend_name()
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if backend == "sqlite" and url.database and url.database != ":memory:" and not url.query:
        return URL.create("sqlite", database=str(Path(url.database).expanduser().resolve()))
    raise StoreError(
        f"got the store {url.render_as_string()!r}; wanted a directory, sqlite:///PATH of a file "
        f"or postgresql://USER@HOST/NAME"
    )


def is_sqlite(url: URL) -> bool:
    """Whether the store is a file of this machine."""
    return url.get_backend_name() == "sqlite"


def sqlite_path(url: URL) -> Path:
    """The file of a SQLite store."""
    return Path(url.database or "")


def make_file(url: URL) -> None:
    """Make the file of a new SQLite store, and its directory; only their owner may read them.

    SQLite gives the files that it keeps beside it the same rights.
    """
    path = sqlite_path(url)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(
            f"no store can be kept at {path}: {error.strerror}; name a directory that is writable"
        ) from error


def write_engine(url: URL, durability: Durability) -> Engine:
    """The engine of the one connection that writes."""
    if not is_sqlite(url):
        commits = "on" if durability is Durability.FULL else "off"
        return _postgres_engine(url, f"-c synchronous_commit={commits}")
    path = sqlite_path(url)

    def connect() -> sqlite3.Connection:
        connection = _sqlite(f"{path.as_uri()}?mode=rw")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA journal_size_limit = {WAL_BYTES_KEPT}")
        connection.execute(f"PRAGMA synchronous = {durability.value}")
        connection.execute("PRAGMA foreign_keys = ON")
        return connection

    return _sqlite_engine(url, connect, begin="BEGIN IMMEDIATE", pool_size=1)


def read_engine(url: URL, *, readers: int = 8) -> Engine:
    """The engine of those who only read: it creates no file and refuses every write."""
    if not is_sqlite(url):
        # A reader's connection that was cut off while it was idle is replaced unseen. The writer's
        # is not: with it went the lock on the store.
        engine = _postgres_engine(url, "-c default_transaction_read_only=on", pre_ping=True)
        return engine.execution_options(isolation_level="REPEATABLE READ")
    path = sqlite_path(url)

    def connect() -> sqlite3.Connection:
        connection = _sqlite(f"{path.as_uri()}?mode=rw")
        connection.execute("PRAGMA query_only = ON")
        return connection

    return _sqlite_engine(url, connect, begin="BEGIN", pool_size=readers)


def _sqlite(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(
        uri,
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=BUSY_MILLISECONDS / 1000,
    )


def _sqlite_engine(url: URL, connect: Any, *, begin: str, pool_size: int) -> Engine:
    engine = create_engine(url, creator=connect, pool_size=pool_size, max_overflow=-1)

    @event.listens_for(engine, "begin")
    def do_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _postgres_engine(url: URL, options: str, *, pre_ping: bool = False) -> Engine:
    name = f"kitumaija pid {os.getpid()} on {socket.gethostname()}"
    try:
        return create_engine(
            url,
            connect_args={"options": options, "application_name": name[:63]},
            pool_pre_ping=pre_ping,
        )
    except ModuleNotFoundError as error:
        raise StoreError(
            "a PostgreSQL store wants psycopg: pip install 'kitumaija[postgres]'"
        ) from error
