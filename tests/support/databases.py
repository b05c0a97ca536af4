"""Fixtures that run a test on every kind of database that the server can keep its store in.

A conftest takes them in by importing the fixtures by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from kitumaija.server.store import Store
from kitumaija.server.store.schema import METADATA
from tests.support.postgres import Postgres, PostgresMissing, running_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for the session; skips what needs it where there is none."""
    try:
        with running_postgres() as server:
            yield server
    except PostgresMissing as error:
        pytest.skip(f"not run on PostgreSQL: {error}")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """The kind of database that a test runs on."""
    kind: str = request.param
    return kind


@pytest.fixture
def store_address(database: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a new store may be made: a directory that is not there yet, or an empty database."""
    if database == "sqlite":
        yield str(tmp_path / "data")
        return
    server: Postgres = request.getfixturevalue("postgres")
    url = server.create_database()
    yield url
    server.drop_database(url)


@pytest.fixture
def store(database: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store, open for writing.

    PostgreSQL takes its time to make a database, so that there it is one for all tests, wiped.
    """
    if database == "sqlite":
        address = str(tmp_path / "data")
    else:
        address = request.getfixturevalue("postgres_store")
        wipe(address)
    with Store.open(address) as opened:
        yield opened


@pytest.fixture(scope="session")
def postgres_store(postgres: Postgres) -> Iterator[str]:
    """The URL of a PostgreSQL store that is shared by tests."""
    url = postgres.create_database()
    Store.open(url).close()
    yield url
    postgres.drop_database(url)


def wipe(address: str) -> None:
    """Empty all tables of a PostgreSQL store."""
    tables = ", ".join(METADATA.tables)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"TRUNCATE {tables} RESTART IDENTITY".encode())
