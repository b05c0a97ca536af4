"""What the read and write functions of the store are given: a connection inside a transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, CursorResult, Executable, RowMapping
from sqlalchemy.exc import IntegrityError

from kitumaija.server.store.errors import AlreadyStored, NotStored
from kitumaija.server.store.failpoints import Passage


class ReadTx:
    """A consistent view of the store, as it was when the first row was read.

    Good only inside the `with` of `Store.read()`, and in one thread.
    """

    __slots__ = ("_connection",)

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def connection(self) -> Connection:
        """The SQLAlchemy connection, for those who build statements."""
        return self._connection

    def all(self, statement: Executable) -> Sequence[RowMapping]:
        """Run a SELECT and give all of its rows."""
        return self._connection.execute(statement).mappings().all()

    def first(self, statement: Executable) -> RowMapping | None:
        """Run a SELECT and give its first row, if there is one."""
        return self._connection.execute(statement).mappings().first()

    def stream(self, statement: Executable, *, chunk: int = 1000) -> Iterator[RowMapping]:
        """Run a SELECT and give its rows one by one, holding `chunk` of them at a time."""
        result = self._connection.execute(statement, execution_options={"yield_per": chunk})
        try:
            yield from result.mappings()
        finally:
            result.close()


class WriteTx(ReadTx):
    """A transaction that may write, and the only one that does at the time.

    `passage` is its way past the failpoints: every function that writes says that it begins.
    """

    __slots__ = ("passage",)

    def __init__(self, connection: Connection, passage: Passage | None = None) -> None:
        super().__init__(connection)
        self.passage = passage or Passage(None)

    def change(self, statement: Executable, values: Mapping[str, Any] | None = None) -> int:
        """Run an UPDATE or DELETE, with values for its parameters; say how many rows it met."""
        result: CursorResult[Any] = self._connection.execute(statement, values)
        return result.rowcount

    def insert(
        self,
        statement: Executable,
        values: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        what: str,
    ) -> None:
        """Insert one row or several, all or none of them.

        Raises AlreadyStored where a key is taken and NotStored where a row that is referred to is
        missing, both with `what` in their message. The transaction can go on after either.
        """
        with self.keys_checked(what), self.savepoint():
            self._connection.execute(statement, values)

    @contextmanager
    def keys_checked(self, what: str) -> Iterator[None]:
        """Say in the store's own errors what the database has against a key."""
        try:
            yield
        except IntegrityError as error:
            if _is_missing_reference(error):
                raise NotStored(
                    f"{what} refers to a row that is not stored: {error.orig}"
                ) from error
            raise AlreadyStored(f"{what} is stored already: {error.orig}") from error

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo what is done inside, and only that, if it raises; they may be nested.

        Plain statements: SQLAlchemy's own nested transactions cost more than most work in them.
        """
        run = self._connection.exec_driver_sql
        run("SAVEPOINT inside")
        try:
            yield
        except BaseException:
            run("ROLLBACK TO SAVEPOINT inside")
            run("RELEASE SAVEPOINT inside")
            raise
        run("RELEASE SAVEPOINT inside")


def _is_missing_reference(error: IntegrityError) -> bool:
    state = getattr(error.orig, "sqlstate", None)  # PostgreSQL: foreign_key_violation
    name = getattr(error.orig, "sqlite_errorname", None)
    return state == "23503" or name == "SQLITE_CONSTRAINT_FOREIGNKEY"
