"""A PostgreSQL server of our own: made for the tests that want one, and gone with them.

It lives in a temporary directory, listens on a socket there and on no port, and belongs to an
unprivileged user, as PostgreSQL insists. It ends when this process does, however that ends.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import LiteralString

import psycopg
from psycopg import sql

from tests.support.apt import installed

PACKAGE = "postgresql"
START_SECONDS = 60

# What tests can do without: safety from power cuts, and room for big data.
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "listen_addresses": "",
    "max_connections": "60",
    "shared_buffers": "16MB",
}

# When this process ends, its end of the pipe closes, `read` returns, and the server goes too.
WATCH = '"$@" & server=$!; read -r _; kill -QUIT $server; wait $server'


class PostgresMissing(Exception):
    """There is no PostgreSQL to run, and none could be installed."""


@dataclass(frozen=True, slots=True)
class Postgres:
    """A running server, by the directory of its socket."""

    socket: Path

    def create_database(self) -> str:
        """Make a new, empty database and give its URL."""
        name = f"test_{uuid.uuid4().hex}"
        self._administer("CREATE DATABASE {}", name)
        return f"postgresql://kitumaija@/{name}?host={self.socket}"

    def drop_database(self, url: str) -> None:
        """Remove a database, and whoever is connected to it."""
        name = url.removeprefix("postgresql://kitumaija@/").partition("?")[0]
        self._administer("DROP DATABASE {} WITH (FORCE)", name)

    def answers(self) -> bool:
        """Whether it takes connections."""
        try:
            self._connect().close()
        except psycopg.OperationalError:
            return False
        return True

    def _administer(self, command: LiteralString, name: str) -> None:
        with self._connect() as connection:
            connection.execute(sql.SQL(command).format(sql.Identifier(name)))

    def _connect(self) -> psycopg.Connection:
        return psycopg.connect(
            f"host={self.socket} user=kitumaija dbname=postgres", autocommit=True
        )


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Run a server; raises PostgresMissing where there is none to run, and says why."""
    programs = _programs()
    # The path of a socket may have about 100 characters, fewer than some temporary directories.
    directory = Path(tempfile.mkdtemp(prefix="kitu-pg-", dir="/tmp"))
    user = "postgres" if os.geteuid() == 0 else None
    if user:
        shutil.chown(directory, user)
    try:
        _run([programs / "initdb", "-D", directory / "data", *_INITDB], directory, user)
        with (
            (directory / "log").open("wb") as log,
            _served(programs, directory, user, log.fileno()),
        ):
            postgres = Postgres(directory)
            _await(postgres)
            yield postgres
    finally:
        shutil.rmtree(directory)


_INITDB = ("-U", "kitumaija", "-A", "trust", "-N", "-E", "UTF8", "--locale=C.UTF-8")


@contextmanager
def _served(programs: Path, directory: Path, user: str | None, log: int) -> Iterator[None]:
    settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
    server = [programs / "postgres", "-D", directory / "data", "-k", directory, *settings]
    watch = subprocess.Popen(
        [*_as(user), "sh", "-c", WATCH, "sh", *map(str, server)],
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=log,
        cwd=directory,
    )
    try:
        yield
    finally:
        watch.communicate()


def _await(postgres: Postgres) -> None:
    tries = START_SECONDS * 20
    for _ in range(tries):
        if postgres.answers():
            return
        time.sleep(0.05)
    log = (postgres.socket / "log").read_text(encoding="utf-8", errors="replace")
    raise PostgresMissing(f"PostgreSQL did not start within {START_SECONDS} s:\n{log}")


def _programs() -> Path:
    """The directory of the newest server's programs, installed if this may be done."""
    found = installed(PACKAGE, _found)
    if found is None:
        raise PostgresMissing(f"PostgreSQL is not installed: apt-get install -y {PACKAGE}")
    return found


def _found() -> Path | None:
    # Debian keeps initdb and postgres out of the PATH, by version.
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=_version)
    on_path = shutil.which("initdb")
    if debian:
        return debian[-1].parent
    return Path(on_path).resolve().parent if on_path else None


def _version(initdb: Path) -> int:
    return int(initdb.parts[-3])


def _run(command: Sequence[str | Path], directory: Path, user: str | None) -> None:
    done = subprocess.run(
        [*_as(user), *map(str, command)],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stdout}{done.stderr}")


def _as(user: str | None) -> list[str]:
    """Return the words before a command that is run as somebody else.

    Python could do it too, but forks for that, and gRPC in the fork of a test's process meets its
    own descriptors closed.
    """
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--keep-groups"] if user else []
