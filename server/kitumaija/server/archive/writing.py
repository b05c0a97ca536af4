"""Makes the archive of a tournament that is over, piece by piece; the same one, the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import IO
from zipfile import ZipFile

from kitumaija.server.archive.container import entry
from kitumaija.server.archive.derived import account_of, derived_texts, plan_lines
from kitumaija.server.archive.facts import Facts, facts_to_json, match_to_json
from kitumaija.server.archive.fields import document, line
from kitumaija.server.archive.figures import Figures
from kitumaija.server.archive.manifest import NAME as MANIFEST
from kitumaija.server.archive.manifest import Listed, make_manifest, manifest_text
from kitumaija.server.archive.names import MATCHES, PLAN, RECORD_LINES, TOURNAMENT, record_name
from kitumaija.server.archive.signing import Signer
from kitumaija.server.rating import load_table
from kitumaija.server.store import bots, deal_trees, entrants, matches, records, verdicts
from kitumaija.server.store.rows import SeatedMatch, TournamentRow
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.recall import rounds_drawn, scheduled_entrants
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.server.tournament.turnout import turns_of
from kitumaija.server.tournament.versions import came_as
from kitumaija.wire.record import (
    RecordFormatError,
    record_from_bytes,
    record_to_json_line,
    timed_game_from_bytes,
)

PAGE = 25
"""How many matches are looked at in one step: a few milliseconds' work each time."""


class Archiving:
    """Writes an archive: `step` until it says that it is done.

    Nothing of a tournament that is over changes, so the steps may be in transactions of their own,
    and those who play on the same server do not wait for all of it.
    """

    def __init__(self, row: TournamentRow, file: IO[bytes], signer: Signer) -> None:
        self._row = row
        self._signer = signer
        self._archive = ZipFile(file, "w")
        self._listed: list[Listed] = []
        self._steps = self._written()
        self._tx: ReadTx | None = None

    def step(self, tx: ReadTx) -> bool:
        """Write some more; tell whether there is more to write."""
        self._tx = tx
        try:
            next(self._steps)
        except StopIteration:
            return False
        finally:
            self._tx = None
        return True

    def close(self) -> None:
        """Write no more, whether there is more or not."""
        self._steps.close()
        self._archive.close()

    def _written(self) -> Generator[None]:
        facts = facts_of(self._now, self._row)
        sizes = TournamentSettings.from_dict(dict(self._row.settings)).table_sizes
        tables = {
            size: load_table(self._now, self._row.tournament_id, size, ())
            for size in (sizes if facts.row.schedule_seed else ())
        }
        self._put(TOURNAMENT, document(facts_to_json(facts)))
        figures = Figures(tables)
        yield from self._lines(MATCHES, lambda seated: line(match_to_json(seated)))
        yield from self._records(figures)
        yield from self._lines(RECORD_LINES, self._record_line)
        with self._member(PLAN, long=True) as write:
            for count, planned in enumerate(plan_lines(facts), start=1):
                write(planned.encode())
                if count % (PAGE * 40) == 0:
                    yield
        for name, text in derived_texts(account_of(facts, tables, figures), figures):
            self._put(name, text)
            yield
        manifest = make_manifest(self._row.tournament_id, self._listed, self._signer)
        self._archive.writestr(entry(MANIFEST), manifest_text(manifest).encode())
        self._archive.close()

    def _lines(self, name: str, text_of: Callable[[SeatedMatch], str]) -> Generator[None]:
        """Write a file with a line for each match that has one."""
        with self._member(name, long=True) as write:
            for page in self._pages():
                for seated in page:
                    write(text_of(seated).encode())
                yield

    def _records(self, figures: Figures) -> Generator[None]:
        for page in self._pages():
            for seated in page:
                record = records.get(self._now, seated.match.match_id)
                game = None
                if record is not None:
                    with self._member(record_name(seated.match.match_id)) as write:
                        write(record)
                    game = timed_game_from_bytes(record)
                figures.add(seated, game)
            yield

    def _record_line(self, seated: SeatedMatch) -> str:
        data = records.get(self._now, seated.match.match_id)
        try:
            return "" if data is None else record_to_json_line(record_from_bytes(data))
        except RecordFormatError:
            return ""  # The record is there as it is, and whoever verifies it is told.

    def _pages(self) -> Iterator[tuple[SeatedMatch, ...]]:
        token = ""
        while True:
            page = matches.page(self._now, self._row.tournament_id, size=PAGE, token=token)
            yield page.rows
            token = page.next_token
            if not token:
                return

    def _put(self, name: str, text: str) -> None:
        with self._member(name) as write:
            write(text.encode())

    @contextmanager
    def _member(self, name: str, *, long: bool = False) -> Iterator[Callable[[bytes], None]]:
        """Write a file into the archive, and list it. A `long` one may have more than 2 GiB."""
        hashed, size = hashlib.sha256(), 0
        with self._archive.open(entry(name), "w", force_zip64=long) as member:

            def write(data: bytes) -> None:
                nonlocal size
                member.write(data)
                hashed.update(data)
                size += len(data)

            yield write
        self._listed.append(Listed(name, size, hashed.digest()))

    @property
    def _now(self) -> ReadTx:
        if self._tx is None:
            raise RuntimeError("a step of an archive was taken outside of `step`")
        return self._tx


def facts_of(tx: ReadTx, row: TournamentRow) -> Facts:
    """Return what the store has of a tournament for everybody."""
    entered = {entry.bot_id: entry for entry in entrants.of(tx, row.tournament_id, secrets=False)}
    settings = TournamentSettings.from_dict(dict(row.settings))
    scheduled = scheduled_entrants(tx, row.tournament_id, settings)
    return Facts(
        row,
        entered,
        bots.many(tx, entered),
        came_as(tx, row.tournament_id),
        scheduled,
        rounds_drawn(tx, row, settings),
        deal_trees.roots(tx, row.tournament_id),
        verdicts.of(tx, row.tournament_id),
        turns_of(tx, row.tournament_id, scheduled) if settings.format.is_drawn else None,
    )
