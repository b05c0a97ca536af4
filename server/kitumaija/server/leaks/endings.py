"""Brings the matches of a round to their end, each ending in its own way."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from kitumaija.server.leaks.bots import Player
from kitumaija.server.leaks.moves import Moves
from kitumaija.server.leaks.opening import GRACE, PER_DECISION, STARTUP, TOURNAMENT
from kitumaija.server.leaks.plan import Ending, Round
from kitumaija.server.leaks.side import Side
from kitumaija.server.leaks.tables import Tables
from kitumaija.v1 import tournament_pb2 as v1

_REASON = "The lights went out."
_BEYOND = timedelta(seconds=30)
"""More than a bank has, and more than any limit is waited beyond."""
_STANDSTILL = timedelta(hours=20)
"""Longer than any match of a round may take."""
_FRAMES = 4


@dataclass(frozen=True, slots=True)
class Fate:
    """What happens to one round on one side."""

    side: Side
    round: Round
    tables: Tables
    moves: Moves

    @property
    def victim(self) -> Player:
        """The bot that the ending befalls."""
        return self.side.players[self.round.victim]

    async def strike(self) -> None:
        """Bring the ending about, and wait until it has had its effect.

        What is to be played on afterwards, or annulled when it was, is left to be.
        """
        ways: Mapping[Ending, Callable[[], Awaitable[None]]] = {
            Ending.FORFEIT: self._refuse,
            Ending.TIMEOUT: self._run_out,
            Ending.DISCONNECTED: self._disconnect,
            Ending.LEFT: self._leave,
            Ending.FLOODED: self._flood,
            Ending.BROKE: self._break,
            Ending.WITHDRAWN: self._withdraw,
            Ending.DISQUALIFIED: self._disqualify,
            Ending.CANCELLED: self._cancel,
            Ending.CAPPED: self._stand_still,
            Ending.LOST: self._lose_all,
            Ending.ABSENT: self._keep_from_beginning,
            Ending.LATE: self._keep_from_beginning,
        }
        way = ways.get(self.round.ending)
        if way is not None:
            await way()
        await self.tables.all_at_rest()

    async def annul(self) -> None:
        """Have the organizer declare the first match void."""
        first = self.tables.match_ids[0]
        request = v1.VoidMatchRequest(tournament_id=TOURNAMENT, match_id=first, reason=_REASON)
        await self.side.order(self.side.tournaments.VoidMatch, request)

    # The bots' doing

    async def _refuse(self) -> None:
        self.moves.refusing = True

    async def _run_out(self) -> None:
        for _ in range(self.round.forgiven + 1):
            for player in self.side.players:
                player.asked.clear()
            self.side.advance(PER_DECISION + _BEYOND)
            await self.tables.all_at_rest()

    async def _disconnect(self) -> None:
        await self._lose(self.victim)
        self.side.advance(GRACE + _BEYOND)

    async def _leave(self) -> None:
        self.tables.away.add(self.victim)
        await self.victim.leave()
        await self.side.gone(self.victim)
        await self.victim.close()

    async def _flood(self) -> None:
        await self.victim.flood(_FRAMES)
        await self._sent_away()

    async def _break(self) -> None:
        await self.victim.break_the_protocol()
        await self._sent_away()

    async def _sent_away(self) -> None:
        """Wait until the victim's stream is ended, and let it come back for the end."""
        victim = self.victim
        await self.side.gone(victim)
        await victim.ending()
        await victim.connect(self.round.matches, self.tables.match_ids)

    # The organizer's

    async def _withdraw(self) -> None:
        self.victim.asked.clear()
        request = v1.WithdrawEntrantRequest(
            tournament_id=TOURNAMENT, bot_id=self.victim.bot_id, reason=_REASON
        )
        await self.side.order(self.side.tournaments.WithdrawEntrant, request)

    async def _disqualify(self) -> None:
        self.victim.asked.clear()
        request = v1.DisqualifyEntrantRequest(
            tournament_id=TOURNAMENT, bot_id=self.victim.bot_id, reason=_REASON
        )
        await self.side.order(self.side.tournaments.DisqualifyEntrant, request)

    async def _cancel(self) -> None:
        request = v1.CancelTournamentRequest(tournament_id=TOURNAMENT, reason=_REASON)
        await self.side.order(self.side.tournaments.CancelTournament, request)

    # The server's

    async def _stand_still(self) -> None:
        self.side.stall(_STANDSTILL)

    async def _lose_all(self) -> None:
        # The clock stands still, so it is the same instant for all of them.
        for player in self.side.players:
            await self._lose(player)
        self.side.advance(GRACE + _BEYOND)
        await self.side.app.hall.settle()
        watcher = self.moves.watcher
        await watcher.connect(self.round.matches, self.tables.match_ids)
        self.tables.away.remove(watcher)

    async def _lose(self, player: Player) -> None:
        self.tables.away.add(player)
        await player.close()
        await self.side.gone(player)

    # Before the beginning

    async def _keep_from_beginning(self) -> None:
        """Have all be ready but one at each table, and the start-up run out."""
        tables = self.tables
        if self.round.ending is Ending.ABSENT:
            tables.away.add(self.victim)
        for match_id, table in tables.all.items():
            for seat, player in enumerate(table.players):
                if player in tables.away or self._is_late(match_id, seat):
                    continue
                await player.ready(match_id)
        for player in self.side.players:
            if player not in tables.away:
                await player.settle()
        self.side.advance(STARTUP + _BEYOND)

    def _is_late(self, match_id: str, seat: int) -> bool:
        late = self.round.ending is Ending.LATE
        return late and seat == self.moves.script.late[match_id]
