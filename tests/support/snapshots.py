"""What a server that is killed at a failpoint leaves: its files, copied while it stands there."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from kitumaija.server.app import App
from kitumaija.server.store import migrating
from kitumaija.server.store.engines import FILE_NAME
from kitumaija.server.store.failpoints import TRANSACTION, Stage

LEFT = (FILE_NAME, f"{FILE_NAME}-wal", "organizer.token")

Place = tuple[str, Stage]


def copy_store(app: App, to: Path) -> None:
    """Copy the store as it is now, in the midst of it all: what a server that dies leaves."""
    to.mkdir()
    with (
        closing(sqlite3.connect(app.settings.data / FILE_NAME)) as source,
        closing(sqlite3.connect(to / FILE_NAME)) as copy,
    ):
        source.backup(copy)
    token = app.settings.organizer_token_file
    (to / token.name).write_text(token.read_text())


class Snapshots:
    """Copies the files of a data directory at each failpoint, all stages of one transaction.

    Of the transactions that pass a failpoint one is drawn, each as likely as the others. Failpoints
    share what is drawn where they can, so that copies of one moment are many. The writer stands
    still meanwhile and nobody else writes, so a copy is what the system keeps of a process that
    dies there. `only` are the failpoints that are looked at; all if it is empty.
    """

    def __init__(self, data: Path, to: Path, *, seed: int, only: tuple[str, ...] = ()) -> None:
        self._data = data
        self._to = to
        self._only = only
        self._chance = random.Random(seed)
        self._lot = 0.0
        self._best: dict[str, float] = {}
        self.taken: dict[Place, Path] = {}
        to.mkdir()

    def watch(self, name: str, stage: Stage) -> None:
        """Keep a copy if this transaction has drawn the highest lot so far."""
        if stage is Stage.BEFORE and name in {TRANSACTION, migrating.FAILPOINT}:
            self._lot = self._chance.random()
        if (self._only and name not in self._only) or self._lot < self._best.get(name, 0.0):
            return
        self._best[name] = self._lot
        self.taken[name, stage] = self._to / f"{name}-{stage}"
        self._copy(self.taken[name, stage])

    def distinct(self) -> dict[Path, list[Place]]:
        """The copies that differ, each with the places where it was taken."""
        found: dict[tuple[bytes, ...], list[Place]] = {}
        for place, path in self.taken.items():
            content = tuple((path / name).read_bytes() for name in LEFT if (path / name).exists())
            found.setdefault(content, []).append(place)
        return {self.taken[places[0]]: places for places in found.values()}

    def _copy(self, to: Path) -> None:
        shutil.rmtree(to, ignore_errors=True)
        to.mkdir()
        for name in LEFT:
            if (self._data / name).exists():
                shutil.copyfile(self._data / name, to / name)
