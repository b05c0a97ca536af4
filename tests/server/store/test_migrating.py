"""Stores of other versions: migrated, refused, or left as they were."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from kitumaija.server.choices import Durability
from kitumaija.server.store import (
    Store,
    StoreError,
    StoreOutdated,
    StoreReader,
    StoreTooNew,
    bots,
)
from kitumaija.server.store.engines import store_url, write_engine
from kitumaija.server.store.migrating import SCRIPTS, Migration, check, migrate
from kitumaija.server.store.schema import METADATA
from tests.support.stores import a_bot, add_cup

TODAY = max(SCRIPTS.glob("versions/v*.py")).name[1:5]
"""The schema of this version."""

NEXT = f"""
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{TODAY}"


def upgrade() -> None:
    with op.batch_alter_table("bots", recreate="auto") as bots:
        bots.add_column(sa.Column("motto", sa.Text(), nullable=False, server_default="none"))
        bots.alter_column("owner", new_column_name="keeper")
"""
BROKEN = NEXT + "    raise RuntimeError('power cut')\n"


def test_the_migrations_make_the_tables_that_the_code_knows(store: Store) -> None:
    with store.write() as tx:
        context = MigrationContext.configure(tx.connection, opts={"compare_type": True})

        assert compare_metadata(context, METADATA) == []


def test_an_older_store_is_migrated_with_all_that_is_in_it(
    store_address: str, tmp_path: Path
) -> None:
    _make_store(store_address)

    with _connection(store_address) as connection:
        migration = migrate(connection, store_url(store_address), _scripts(tmp_path, NEXT))
        with connection.begin():
            rows = connection.execute(text("SELECT bot_id, keeper, motto FROM bots")).all()

    assert migration is not None
    assert (migration.before, migration.after) == (TODAY, "9999")
    assert [tuple(row) for row in rows] == [
        ("ada", "owner of ada", "none"),
        ("bo", "owner of bo", "none"),
    ]


def test_a_sqlite_store_is_kept_as_it_was_beside_the_migrated_one(tmp_path: Path) -> None:
    address = str(tmp_path / "data")
    scripts = _scripts(tmp_path, NEXT)
    _make_store(address)
    migration = _migrate(address, scripts)

    backup = tmp_path / f"data/kitumaija.sqlite3.schema-{TODAY}.1.backup"
    assert migration == Migration(TODAY, "9999", backup)
    assert str(backup) in str(migration)
    assert backup.stat().st_mode & 0o777 == 0o600
    with StoreReader.open(f"sqlite:///{backup}") as reader, reader.read() as tx:
        assert bots.get(tx, "ada") == a_bot("ada")


def test_a_backup_never_takes_the_place_of_another(tmp_path: Path) -> None:
    address = str(tmp_path / "data")
    _make_store(address)
    taken = tmp_path / f"data/kitumaija.sqlite3.schema-{TODAY}.1.backup"
    taken.write_text("somebody's")

    migration = _migrate(address, _scripts(tmp_path, NEXT))

    assert migration is not None
    assert migration.backup == taken.with_name(f"kitumaija.sqlite3.schema-{TODAY}.2.backup")
    assert taken.read_text() == "somebody's"


def test_a_migration_that_fails_leaves_the_store_as_it_was(
    store_address: str, tmp_path: Path
) -> None:
    _make_store(store_address)

    with pytest.raises(RuntimeError, match="power cut"):
        _migrate(store_address, _scripts(tmp_path, BROKEN))

    with Store.open(store_address) as store, store.read() as tx:
        assert bots.get(tx, "ada") == a_bot("ada")


def test_a_newer_store_is_refused_with_what_to_do(store_address: str, tmp_path: Path) -> None:
    _make_store(store_address)
    _migrate(store_address, _scripts(tmp_path, NEXT))

    for door in (Store.open, StoreReader.open):
        with pytest.raises(StoreTooNew, match=rf"schema 9999 .* up to {TODAY}; use the newer"):
            door(store_address)


def test_a_reader_refuses_an_older_store_instead_of_changing_it(
    store_address: str, tmp_path: Path
) -> None:
    _make_store(store_address)

    with (
        _connection(store_address) as connection,
        pytest.raises(StoreOutdated, match=rf"schema {TODAY} .* reads 9999; start the server once"),
    ):
        check(connection, _scripts(tmp_path, NEXT))


def test_a_database_that_holds_something_else_is_refused(store_address: str) -> None:
    _make_store(store_address)
    with _connection(store_address) as connection, connection.begin():
        connection.execute(text("DROP TABLE alembic_version"))

    with pytest.raises(StoreError, match="no store of kitumaija: it holds the tables audit, bots"):
        Store.open(store_address)


def _make_store(address: str) -> None:
    with Store.open(address) as store, store.write() as tx:
        add_cup(tx, "ada", "bo")


def _migrate(address: str, scripts: Path) -> Migration | None:
    with _connection(address) as connection:
        return migrate(connection, store_url(address), scripts)


@contextmanager
def _connection(address: str) -> Iterator[Connection]:
    engine = write_engine(store_url(address), Durability.FULL)
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def _scripts(tmp_path: Path, following: str) -> Path:
    """Today's migrations and one more."""
    scripts = tmp_path / "migrations"
    shutil.copytree(SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    (scripts / "versions/v9999_next.py").write_text(following)
    return scripts
