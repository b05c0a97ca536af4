"""A store belongs to one server: the locks that keep a second one out.

Both kinds are let go by the operating system or the database when their holder dies, however it
dies, so that a server that was killed can be started again at once.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Self

from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from kitumaija.server.store.errors import StoreInUse

# Any number will do that no other program on the same database is likely to take: "KITU".
ADVISORY_KEY = 0x4B495455
LOCK_WAIT_MILLISECONDS = 2000

# PostgreSQL's SQLSTATE for a lock that was waited for in vain.
_LOCK_NOT_AVAILABLE = "55P03"


class FileLock:
    """A lock on the file beside a SQLite store, which names the process that holds it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def take(cls, store: Path) -> Self:
        """Take the lock of this store's file; raises StoreInUse while another process has it."""
        path = store.with_name(store.name + ".lock")
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(descriptor)
        except OSError as error:
            holder = path.read_text(encoding="ascii", errors="replace").strip() or "unknown"
            os.close(descriptor)
            raise StoreInUse(
                f"the store {store} is in use by the server with process id {holder}; stop that "
                f"one first, or give this one another data directory"
            ) from error
        try:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode("ascii"), 0)
        except OSError:
            os.close(descriptor)
            raise
        return cls(descriptor)

    def release(self) -> None:
        """Let it go. The file stays: removing it would let two servers hold one lock."""
        os.close(self._descriptor)


if sys.platform == "win32":
    import msvcrt

    # Windows locks bytes and keeps others from reading them: a byte behind the process id.
    _LOCKED_BYTE = 1024

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def take_advisory_lock(connection: Connection) -> None:
    """Lock a PostgreSQL store for as long as this connection lives.

    The connection is the one that writes: where the lock is lost, so is the way to write. Waits
    for a moment, since PostgreSQL notices the end of a killed server a little late; then raises
    StoreInUse.
    """
    try:
        with connection.begin():
            connection.execute(text(f"SET LOCAL lock_timeout = {LOCK_WAIT_MILLISECONDS}"))
            connection.execute(_LOCK, {"key": ADVISORY_KEY})
    except OperationalError as error:
        if getattr(error.orig, "sqlstate", None) != _LOCK_NOT_AVAILABLE:
            raise
        with connection.begin():
            holder = connection.execute(_HOLDER, {"key": ADVISORY_KEY}).scalar()
        url = connection.engine.url.render_as_string(hide_password=True)
        raise StoreInUse(
            f"the store {url} is in use by the server `{holder or 'unknown'}`; stop that one "
            f"first, or give this one another database"
        ) from error


_LOCK = text("SELECT pg_advisory_lock(:key)")
_HOLDER = text(
    "SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
    " WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = :key"
    " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
