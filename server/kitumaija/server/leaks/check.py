"""The check: each round in two worlds, and everything that the watcher was told held together."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kitumaija.engine import Card, GameRecord, Seat, shuffled_deck
from kitumaija.server.leaks.decks import LaidOut, Worlds, other_deck
from kitumaija.server.leaks.hiding import unasked
from kitumaija.server.leaks.plan import Round
from kitumaija.server.leaks.playing import Course, Script
from kitumaija.server.leaks.report import Report, differences
from kitumaija.server.leaks.said import Said
from kitumaija.server.leaks.side import running_side
from kitumaija.server.store import records
from kitumaija.wire.record import record_from_bytes


@dataclass(frozen=True, slots=True)
class _World:
    """What came of a round in one world."""

    told: tuple[Said, ...]
    records: dict[str, GameRecord]
    seats: dict[str, int]
    times: list[int]


@dataclass(frozen=True, slots=True)
class Check:
    """Plays rounds in pairs of worlds. `worlds` makes the other world of each match.

    `stopwatch` returns nanoseconds of real time. Files are made below `folder`, and taken away.
    """

    worlds: Worlds
    folder: Path
    stopwatch: Callable[[], int]

    async def round(self, played: Round) -> Report:
        """Play one round in two worlds and compare; raises `Stuck` if the server does not go on."""
        script = Script()
        here = await self._play(played, script, LaidOut())
        decks = self._other_decks(played, here)
        there = await self._play(played, script, LaidOut(decks))
        report = Report(rounds=1)
        report.findings += differences(played, here.seats, here.told, there.told)
        report.findings += unasked(played, here.seats, here.told, here.records)
        for record in here.records.values():
            moved = _moved(record, decks[record.deal.key])
            report.pairs[played.ending.value] += 1
            report.alike += not moved
            report.moved += moved
        for said in here.told:
            report.messages[f"{said.source} {said.kind}"] += 1
            report.bytes += len(said.data)
        report.here += here.times[: len(there.times)]
        report.there += there.times[: len(here.times)]
        return report

    async def _play(self, played: Round, script: Script, decks: LaidOut) -> _World:
        # The same place for both: no path may tell them apart.
        data = self.folder / "data"
        try:
            async with running_side(data, decks, played.seed) as side:
                course = Course(side, played, script, self.stopwatch)
                await course.play()
                with side.app.store.read() as tx:
                    stored = {one: records.get(tx, one) for one in course.matches}
        finally:
            shutil.rmtree(data, ignore_errors=True)
        kept = {
            one: record_from_bytes(data).game for one, data in stored.items() if data is not None
        }
        return _World(
            tuple(side.told),
            course.records | kept,
            dict(course.watcher.seats),
            course.times,
        )

    def _other_decks(self, played: Round, here: _World) -> dict[bytes, tuple[Card, ...]]:
        return {
            record.deal.key: other_deck(
                self.worlds, record, Seat(here.seats[match_id]), played.chance(match_id)
            )
            for match_id, record in here.records.items()
        }


def _moved(record: GameRecord, deck: Sequence[Card]) -> int:
    own = shuffled_deck(record.deal.key)
    return sum(one != other for one, other in zip(own, deck, strict=True))


async def check(
    played: Iterable[Round], how: Check, looked: Callable[[Report], object] = lambda report: None
) -> Report:
    """Play all rounds, one after the other, and return what came of them.

    `looked` is called with what each came to.
    """
    whole = Report()
    for one in played:
        found = await how.round(one)
        whole.add(found)
        looked(found)
    return whole
