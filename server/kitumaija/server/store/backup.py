"""Backups: a data directory from which a server goes on where the store was at that moment."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from kitumaija.server.store.copying import copy_sqlite, sync
from kitumaija.server.store.engines import FILE_NAME, is_sqlite, sqlite_path, store_url
from kitumaija.server.store.errors import StoreError, StoreOutdated, StoreTooNew
from kitumaija.server.store.store import StoreReader


def back_up(where: str | Path, to: Path, *, beside: Iterable[Path] = ()) -> Path:
    """Copy the SQLite store at `where` into the new directory `to`; returns the copy's file.

    A server may write to the store meanwhile. `beside` are files that belong with it; those of
    them that exist are copied too. The directory gets its name when all of it is on the disk and
    the copy has been opened, so it is whole or not there. Raises StoreError: for a directory that
    exists, for a store that is not SQLite, for a disk that is full.
    """
    url = store_url(where)
    if not is_sqlite(url):
        shown = url.set(drivername="postgresql").render_as_string(hide_password=True)
        raise StoreError(
            f"the store {shown} is PostgreSQL, which has a tool for it that needs no pause either: "
            f"pg_dump --format=custom --file={to}.dump '{shown}'"
        )
    source = sqlite_path(url)
    if not source.is_file():
        raise StoreError(f"there is no store at {source}; name its data directory with --data")
    if to.exists():
        raise StoreError(f"{to} exists, and no backup takes the place of anything: name another")
    try:
        return _made(source, to, tuple(beside))
    except (OSError, sqlite3.Error) as error:
        cause = getattr(error, "strerror", None) or error
        raise StoreError(
            f"no backup of {source} can be made at {to}: {cause}; name a directory on a disk with "
            "room for it"
        ) from error


def _made(source: Path, to: Path, beside: tuple[Path, ...]) -> Path:
    to.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{to.name}.", suffix=".part", dir=to.parent))
    try:
        copy = part / FILE_NAME
        copy_sqlite(source, copy)
        with suppress(StoreOutdated, StoreTooNew):  # Another version's store is worth a copy too.
            StoreReader.open(f"sqlite:///{copy}").close()
        for file in beside:
            if file.is_file():
                _copy_secret(file, part / file.name)
        sync(part)
        part.rename(to)
        sync(to.parent)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return to / FILE_NAME


def _copy_secret(file: Path, to: Path) -> None:
    descriptor = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(file.read_bytes())
        stream.flush()
        os.fsync(descriptor)
