"""Who sits where: in either world other bots may be behind the seats of which that is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from kitumaija.engine import Chance
from kitumaija.server.leaks.plan import Ending, Round
from kitumaija.server.schedule.numbered import Numbered
from kitumaija.server.tournament.director import Director
from kitumaija.server.tournament.running import RunningTournament

Tables: TypeAlias = Mapping[int, tuple[str, ...]]
"""The bots of a match, by seat, for the first numbers of the schedule."""

_TRIES = 20


def first_tables(played: Round) -> dict[int, tuple[str, ...]]:
    """Return who sits in each match of a round: the watcher and the victim in all of them."""
    tables: dict[int, tuple[str, ...]] = {}
    for number in range(played.matches):
        chance = played.chance(f"table {number}")
        sure = {played.bots[played.watcher], played.bots[played.victim]}
        others, chance = chance.shuffled([bot for bot in played.bots if bot not in sure])
        seated = [*sorted(sure), *others][: played.seats]
        table, _ = chance.shuffled(seated)
        tables[number] = tuple(table)
    return tables


def other_tables(played: Round, tables: Tables) -> dict[int, tuple[str, ...]]:
    """Return who sits there in the other world, where the watcher is not to know it.

    It sits where it sat, and so does a bot that everybody sees to be at its seat. As many of the
    others as can be are behind another seat, or at no table at all.
    """
    if not played.hides_who:
        return dict(tables)
    return {
        number: table if number < played.same else _other(played, table, number)
        for number, table in tables.items()
    }


def _other(played: Round, table: tuple[str, ...], number: int) -> tuple[str, ...]:
    chance = played.chance(f"other table {number}")
    known = {played.bots[played.watcher]}
    if played.ending.shows_who:
        known.add(played.bots[played.victim])
    found = table
    for _ in range(_TRIES):
        drawn, chance = _drawn(played, table, known, chance)
        if _moved(drawn, table) > _moved(found, table):
            found = drawn
    return found


def _drawn(
    played: Round, table: tuple[str, ...], known: set[str], chance: Chance
) -> tuple[tuple[str, ...], Chance]:
    free = [seat for seat, bot in enumerate(table) if bot not in known]
    shuffled, chance = chance.shuffled([bot for bot in played.bots if bot not in known])
    bots = list(shuffled)
    if played.ending is Ending.ABSENT:
        # Without it the match would begin; at which seat it is awaited nobody knows.
        absent = played.bots[played.victim]
        bots = [absent, *(bot for bot in bots if bot != absent)]
    at_table, chance = chance.shuffled(bots[: len(free)])
    drawn = list(table)
    for seat, bot in zip(free, at_table, strict=True):
        drawn[seat] = bot
    return tuple(drawn), chance


def _moved(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


class LaidOutSchedule(Numbered):
    """A schedule in which some tables are laid out by hand."""

    def __init__(self, scheduled: Sequence[tuple[str, ...]], tables: Tables) -> None:
        self._scheduled = scheduled
        self._tables = tables

    def __len__(self) -> int:
        return len(self._scheduled)

    def match(self, number: int) -> tuple[str, ...]:
        """Return who sits in each seat of a match; raises `IndexError` outside the schedule."""
        return self._tables.get(number) or self._scheduled[number]


class SeatingDirector(Director):
    """A director that begins the first matches of every tournament with tables laid out by hand."""

    def __init__(self, *args: Any, tables: Tables, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._tables = tables

    async def take_up(self, tournament_id: str) -> RunningTournament:
        """Keep a tournament in memory from now on."""
        running = await super().take_up(tournament_id)
        for table in running.board.course.tables.values():
            table.dispatch.schedule = LaidOutSchedule(table.schedule, self._tables)
        return running
