"""What the watcher asks beside its stream: every list, table and replay that there is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from kitumaija.server.leaks.bots import Player
from kitumaija.server.leaks.side import Side
from kitumaija.v1 import bot_pb2, replay_pb2
from kitumaija.v1 import tournament_pb2 as v1

_EXPLAINED = (0, 1, 2)
"""The decisions that are asked about: 0 for those at which something was wrong."""


class _Named(TypedDict):
    """What names a tournament in a request."""

    tournament_id: str


@dataclass(frozen=True, slots=True)
class Questions:
    """What one watcher asks about one tournament, with its own token."""

    side: Side
    watcher: Player
    tournament: str
    matches: tuple[str, ...]

    async def ask(self) -> None:
        """Ask everything, and keep the answers and the refusals."""
        await self._about_the_tournament()
        for match_id in self.matches:
            await self._about(match_id)

    async def _about_the_tournament(self) -> None:
        side, named = self.side, _Named(tournament_id=self.tournament)
        calls = side.tournaments
        for method, request in (
            (calls.GetTournament, v1.GetTournamentRequest(**named)),
            (calls.ListTournaments, v1.ListTournamentsRequest()),
            (calls.ListMatches, v1.ListMatchesRequest(**named)),
            (calls.WatchTournament, v1.WatchTournamentRequest(**named)),
            (calls.GetStandings, v1.GetStandingsRequest(**named)),
            (calls.GetClocks, v1.GetClocksRequest(**named)),
            (calls.ListAuditEntries, v1.ListAuditEntriesRequest(**named)),
            (calls.ExportTournament, v1.ExportTournamentRequest(**named)),
            (side.registry.ListBots, bot_pb2.ListBotsRequest()),
        ):
            await side.ask(self.watcher, method, request)

    async def _about(self, match_id: str) -> None:
        side, calls = self.side, self.side.replays
        own = self.watcher.seats[match_id]
        for seat in (own, own + 1 if own == 0 else own - 1):
            replay = replay_pb2.GetSeatReplayRequest(match_id=match_id, seat=seat)
            # Once the tournament is over, everybody's cards are for everybody to see.
            if seat == own or not await self._is_over():
                await side.ask(self.watcher, calls.GetSeatReplay, replay, match_id)
        for decision_id in _EXPLAINED:
            explain = replay_pb2.ExplainSeatRequest(
                match_id=match_id, seat=own, decision_id=decision_id
            )
            await side.ask(self.watcher, calls.ExplainSeat, explain, match_id)
        if not await self._is_over():
            record = replay_pb2.GetRecordRequest(match_id=match_id)
            await side.ask(self.watcher, calls.GetRecord, record, match_id)

    async def _is_over(self) -> bool:
        request = v1.GetTournamentRequest(tournament_id=self.tournament)
        found = await self.side.order(self.side.tournaments.GetTournament, request)
        over = (v1.TOURNAMENT_STATE_FINISHED, v1.TOURNAMENT_STATE_CANCELLED)
        return found.tournament.state in over
