"""Bring a store's schema up to date, or say why not.

The migrations are alembic's, in `migrations/`, in one line: 0001, 0002 and so on. All of those
that are due run in one transaction, so that an interrupted one leaves the store as it was.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, inspect

from kitumaija.server.store.copying import copy_sqlite
from kitumaija.server.store.engines import is_sqlite, sqlite_path
from kitumaija.server.store.errors import StoreError, StoreOutdated, StoreTooNew
from kitumaija.server.store.failpoints import Passage, Stage, Watch

SCRIPTS = Path(__file__).parent / "migrations"
FAILPOINT = "migrating.migrate"
"""The failpoint of a migration (`failpoints.py`)."""


@dataclass(frozen=True, slots=True)
class Migration:
    """A schema that was brought up to date, and where the store as it was before is kept."""

    before: str
    after: str
    backup: Path | None

    def __str__(self) -> str:
        kept = f"; as it was before it is kept at {self.backup}" if self.backup else ""
        return f"the store was migrated from schema {self.before} to {self.after}{kept}"


def check(connection: Connection, scripts: Path = SCRIPTS) -> None:
    """Raise StoreTooNew, StoreOutdated or StoreError unless the schema is today's."""
    known = _known(scripts)
    with connection.begin():
        schema = _schema(connection)
    _refuse_newer(schema, known, connection.engine.url)
    if schema != known[-1]:
        raise StoreOutdated(
            f"the store {_shown(connection.engine.url)} has schema {schema or 'none'} and this "
            f"kitumaija reads {known[-1]}; start the server once, which migrates it"
        )


def migrate(
    connection: Connection, url: URL, scripts: Path = SCRIPTS, *, watch: Watch | None = None
) -> Migration | None:
    """Bring the schema up to date; None if it was, or if the store is new.

    A SQLite file is copied first, to a file beside it. Raises StoreTooNew for a schema that is not
    known here, and StoreError for a database that holds something else.
    """
    known = _known(scripts)
    with connection.begin():
        schema = _schema(connection)
    _refuse_newer(schema, known, url)
    if schema == known[-1]:
        return None
    passage = Passage(watch)
    passage.begins(FAILPOINT)
    backup = _back_up(sqlite_path(url), schema) if schema and is_sqlite(url) else None
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    with _references_unchecked(connection), connection.begin():
        command.upgrade(config, "head")
        if is_sqlite(url) and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
            raise StoreError(
                f"migrating {_shown(url)} to schema {known[-1]} would leave rows without those "
                f"they refer to; it is left at {schema}: report this"
            )
        passage.reaches(Stage.BEFORE_COMMIT)
    passage.reaches(Stage.AFTER_COMMIT)
    return Migration(schema, known[-1], backup) if schema else None


def _known(scripts: Path) -> list[str]:
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    revisions = ScriptDirectory.from_config(config).walk_revisions()
    return [revision.revision for revision in revisions][::-1]


def _schema(connection: Connection) -> str | None:
    schema = MigrationContext.configure(connection).get_current_revision()
    if schema is None and (tables := inspect(connection).get_table_names()):
        raise StoreError(
            f"{_shown(connection.engine.url)} is no store of kitumaija: it holds the tables "
            f"{', '.join(sorted(tables)[:5])}; name an empty database or another directory"
        )
    return schema


def _refuse_newer(schema: str | None, known: list[str], url: URL) -> None:
    if schema is not None and schema not in known:
        raise StoreTooNew(
            f"the store {_shown(url)} has schema {schema} and this kitumaija knows those up to "
            f"{known[-1]}; use the newer kitumaija that wrote it, or a backup from before"
        )


def _back_up(path: Path, schema: str) -> Path:
    number = 1
    while True:
        backup = path.with_name(f"{path.name}.schema-{schema}.{number}.backup")
        try:
            copy_sqlite(path, backup)
        except FileExistsError:
            number += 1
        else:
            return backup


@contextmanager
def _references_unchecked(connection: Connection) -> Iterator[None]:
    """SQLite changes a table by making it anew, which its foreign keys would not survive.

    The switch works outside of transactions only, hence below SQLAlchemy, which would begin one.
    """
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        yield
        return
    driver.execute("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        driver.execute("PRAGMA foreign_keys = ON")


def _shown(url: URL) -> str:
    return url.render_as_string(hide_password=True)
