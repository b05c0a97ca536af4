"""Copies of a SQLite store: made while a server writes on, whole or not there at all."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

_PART = ".part"


def copy_sqlite(source: Path, target: Path) -> None:
    """Copy the database at `source`, as it is at one moment, to the new file `target`.

    Nobody waits for it: a writer of the source goes on. The copy is one file, without those that
    SQLite keeps beside an open one; it is on the disk, checked, and readable by its owner alone,
    before it gets its name, so that no half of one is ever found. Raises FileExistsError rather
    than touch a file that is there, and `sqlite3.Error` or OSError where it cannot be made.
    """
    if target.exists():
        raise FileExistsError(f"{target} exists")
    part = target.with_name(f"{target.name}{_PART}")
    os.close(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600))
    try:
        with (
            closing(sqlite3.connect(f"{source.as_uri()}?mode=rw", uri=True)) as original,
            closing(sqlite3.connect(part)) as copy,
        ):
            original.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(f"the copy is damaged, and so may be {source}: {verdict}")
        sync(part)
        # A link, unlike a rename, never takes the place of another file.
        target.hardlink_to(part)
        sync(target.parent)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()


def sync(path: Path) -> None:
    """Have a file, or the names in a directory, on the disk before going on."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
