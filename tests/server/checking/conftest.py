"""A busy store on each kind of database, made once; a test damages it and undoes that."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.busy_store import Busy, make_busy_store
from tests.support.databases import postgres
from tests.support.postgres import Postgres

__all__ = ["postgres"]


@pytest.fixture(scope="session")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Busy:
    """A busy store in a file."""
    data = tmp_path_factory.mktemp("busy") / "data"
    make_busy_store(data)
    return Busy(str(data))


@pytest.fixture(scope="session")
def busy_postgres(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Busy]:
    """The same in PostgreSQL."""
    url = postgres.create_database()
    make_busy_store(tmp_path_factory.mktemp("busy") / "data", url)
    yield Busy(url)
    postgres.drop_database(url)


@pytest.fixture(params=["busy", "busy_postgres"])
def either(request: pytest.FixtureRequest) -> Busy:
    """Each of the two."""
    store: Busy = request.getfixturevalue(request.param)
    return store
