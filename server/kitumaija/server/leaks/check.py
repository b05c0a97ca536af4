"""The check: each round in two worlds, and everything that the watcher was told held together."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kitumaija.engine import Card, Deal, GameRecord, Seat, shuffled_deck
from kitumaija.server.leaks.bots import entropy_of
from kitumaija.server.leaks.decks import LaidOut, Worlds, other_deck
from kitumaija.server.leaks.hiding import unasked
from kitumaija.server.leaks.moves import Script
from kitumaija.server.leaks.names import without_names
from kitumaija.server.leaks.plan import Round
from kitumaija.server.leaks.playing import Course
from kitumaija.server.leaks.report import Report, differences
from kitumaija.server.leaks.said import Said
from kitumaija.server.leaks.seating import Tables, first_tables, other_tables
from kitumaija.server.leaks.side import running_side


@dataclass(frozen=True, slots=True)
class _World:
    """What came of a round in one world; matches by their ids."""

    told: tuple[Said, ...]
    records: dict[str, GameRecord]
    numbers: dict[str, int]
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
        script, tables = Script(), first_tables(played)
        here = await self._play(played, script, LaidOut(), tables)
        others = other_tables(played, tables)
        decks = self._other_decks(played, here)
        laid_out = LaidOut({_deal(here, one, others).key: deck for one, deck in decks.items()})
        there = await self._play(played, script, laid_out, others)
        swapped = {match_id for match_id, at in here.numbers.items() if others[at] != tables[at]}
        ours, theirs = (without_names(played, swapped, told) for told in (here.told, there.told))
        report = Report(rounds=1)
        report.findings += differences(played, here.seats, ours, theirs)
        report.findings += unasked(played, here.seats, here.told, here.records)
        for match_id, record in here.records.items():
            moved = _moved(shuffled_deck(record.deal.key), decks[match_id])
            report.pairs[played.ending.value] += 1
            report.alike += not moved
            report.moved += moved
        report.blind += len(here.numbers) if played.blind else 0
        report.swapped += sum(_moved(tables[at], others[at]) for at in here.numbers.values())
        for said in ours:
            report.messages[f"{said.source} {said.kind}"] += 1
            report.bytes += len(said.data)
        report.here += here.times[: len(there.times)]
        report.there += there.times[: len(here.times)]
        return report

    async def _play(self, played: Round, script: Script, decks: LaidOut, tables: Tables) -> _World:
        # The same place for both: no path may tell them apart.
        data = self.folder / "data"
        try:
            async with running_side(data, decks, tables, played.seed) as side:
                course = Course(side, played, script, self.stopwatch)
                await course.play()
        finally:
            shutil.rmtree(data, ignore_errors=True)
        return _World(
            tuple(side.told),
            course.records,
            course.numbers,
            dict(course.watcher.seats),
            course.times,
        )

    def _other_decks(self, played: Round, here: _World) -> dict[str, tuple[Card, ...]]:
        """Return the deck of each match in the other world."""
        decks: dict[str, tuple[Card, ...]] = {}
        for match_id, record in here.records.items():
            chance = played.chance(match_id)
            if match_id in here.seats:
                seat = Seat(here.seats[match_id])
                decks[match_id] = other_deck(self.worlds, record, seat, chance)
            else:
                # It never began, and nobody has seen a card of it.
                deck, _ = chance.shuffled(shuffled_deck(record.deal.key))
                decks[match_id] = tuple(deck)
        return decks


def _deal(here: _World, match_id: str, others: Tables) -> Deal:
    """Return the deal of a match as it is with the bots of the other world."""
    bots = others[here.numbers[match_id]]
    return replace(
        here.records[match_id].deal, entropies=tuple((bot, entropy_of(bot)) for bot in bots)
    )


def _moved(here: Sequence[object], there: Sequence[object]) -> int:
    return sum(one != other for one, other in zip(here, there, strict=True))


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
