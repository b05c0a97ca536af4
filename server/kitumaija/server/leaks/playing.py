"""The course of one round on one side: the same steps in both worlds, one after the other.

Nothing here is left to who is faster: a bot answers when the last answer has had all its effect.
So the order in which the watcher is told things is compared as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from kitumaija.engine import GameRecord
from kitumaija.server.leaks.asking import Questions
from kitumaija.server.leaks.bots import Player
from kitumaija.server.leaks.endings import Fate
from kitumaija.server.leaks.feeds import Feeds
from kitumaija.server.leaks.moves import Moves, Script
from kitumaija.server.leaks.opening import TOURNAMENT, opened
from kitumaija.server.leaks.plan import Ending, Round
from kitumaija.server.leaks.said import of_stream
from kitumaija.server.leaks.side import Side
from kitumaija.server.leaks.tables import Tables
from kitumaija.server.store import records
from kitumaija.v1 import arena_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.record import record_from_bytes


class Course:
    """One round on one side. `script` is filled in the first world and followed in the other."""

    def __init__(
        self, side: Side, played: Round, script: Script, stopwatch: Callable[[], int]
    ) -> None:
        self._side = side
        self._round = played
        self._script = script
        self._stopwatch = stopwatch
        self.records: dict[str, GameRecord] = {}
        """What was played, by match; of those that were broken off what there was by then."""
        self.numbers: dict[str, int] = {}
        """The places of the matches in the schedule."""
        self.times: list[int] = []

    @property
    def watcher(self) -> Player:
        """The bot that is watched."""
        return self._side.players[self._round.watcher]

    async def play(self) -> None:
        """Play the round, to its end and what can be asked after it."""
        side, played = self._side, self._round
        tables = Tables(side, await opened(side, played, self._hear))
        self.numbers = tables.numbers
        self._note_who_it_befalls(tables)
        moves = Moves(tables, played, self._script, self.watcher, self._stopwatch, self.times)
        questions = Questions(side, self.watcher, TOURNAMENT, tables.match_ids, played)
        fate = Fate(side, played, tables, moves)
        async with Feeds(side, self.watcher, tables.match_ids) as feeds:
            if played.ending.begins:
                await tables.seat()
                await moves.make(played.decisions, tables.match_ids)
            await questions.ask()
            await self._come_back(tables)
            self.records = tables.unfinished()
            self._read_records(one for one in tables.match_ids if one not in self.records)
            await fate.strike()
            if not played.ending.breaks_off:
                await self._play_on(tables, moves, questions)
            if played.ending is Ending.ANNULLED:
                await fate.annul()
            await questions.ask_everything()
            await self._come_back(tables)
            await feeds.over()
        await side.read_metrics()

    async def _play_on(self, tables: Tables, moves: Moves, questions: Questions) -> None:
        """Play everything to its end; where it is hidden who plays, the first match before the
        others, for then everybody may know who played it, and not who plays on.
        """
        first, *others = tables.match_ids
        if others and self._round.hides_who:
            await moves.make(None, [first])
            await self._rated([first])
            await questions.ask()
        await moves.make(None, tables.match_ids)
        await self._rated(tables.match_ids)
        self._read_records(tables.match_ids)

    def _note_who_it_befalls(self, tables: Tables) -> None:
        """Write down at which seats the ending befalls a bot: they are the same in both worlds.

        But for who is late: at which seat that was nobody is told, so it is another one there.
        """
        victim, script = self._side.players[self._round.victim], self._script
        if not script.befell:
            script.befell = {
                match_id: tables.seat_of(match_id, victim) for match_id in tables.match_ids
            }
            script.late = dict(script.befell)
            return
        for match_id, seat in script.befell.items():
            sure = {seat, tables.seat_of(match_id, self.watcher)}
            free = [other for other in range(self._round.seats) if other not in sure]
            if free:
                chosen, _ = self._round.chance(f"late {match_id}").below(len(free))
                script.late[match_id] = free[chosen]

    def _read_records(self, match_ids: Iterable[str]) -> None:
        with self._side.app.store.read() as tx:
            for match_id in match_ids:
                data = records.get(tx, match_id)
                if data is not None:
                    self.records[match_id] = record_from_bytes(data).game

    async def _come_back(self, tables: Tables) -> None:
        """Break the watcher's stream off and let it come back, with all that it knows."""
        watcher = self.watcher
        was_asked, had_ended = set(watcher.asked), set(watcher.ended)
        watcher.ended.clear()
        await watcher.close()
        await self._side.gone(watcher)
        await watcher.connect(self._round.matches, tables.match_ids)
        await self._side.bell.until(
            lambda: was_asked <= set(watcher.asked) and had_ended <= watcher.ended,
            "not everything was told again to a bot that came back",
        )
        await watcher.settle()

    async def _rated(self, match_ids: Sequence[str]) -> None:
        """Wait until what was played is rated: the tables are asked for after that."""
        request = v1.GetStandingsRequest(tournament_id=TOURNAMENT)
        for _ in range(500):
            standings = await self._side.order(self._side.tournaments.GetStandings, request)
            if sum(table.rated for table in standings.tables) >= len(match_ids):
                return
            await asyncio.sleep(0.01)

    def _hear(self, message: arena_pb2.ServerMessage | str) -> None:
        self._side.told.append(of_stream(message))
