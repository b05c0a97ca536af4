"""What the watcher asks beside its stream: every list, table and replay that there is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypedDict

from google.protobuf.message import Message

from kitumaija.server.choices import HandsVisible
from kitumaija.server.leaks.bots import NOWHERE, Player
from kitumaija.server.leaks.plan import Round
from kitumaija.server.leaks.said import LISTED_FOR
from kitumaija.server.leaks.side import Side
from kitumaija.v1 import bot_pb2, replay_pb2, world_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.codec import options_to_message

_EXPLAINED = (0, 1, 2)
"""The decisions that are asked about: 0 for those at which something was wrong."""

_SEARCHING_EVERY = 8
"""In one of so many rounds worlds are asked for: each server starts a process for that."""

_REASON = "I want to know."


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
    round: Round

    async def ask(self) -> None:
        """Ask what changes while matches are played, and keep the answers and the refusals."""
        over = await self._is_over()
        await self._about_the_tournament(over=over)
        if self.round.hides_who:
            await self._for_each_bot()
        shown = self.matches if over else await self._shown()
        for match_id in self.matches:
            await self._about(match_id, over=match_id in shown)

    async def ask_everything(self) -> None:
        """Ask that, and whatever else can be asked."""
        await self.ask()
        await self._page_by_page()
        if not self.round.hides_who:
            await self._for_each_bot()
        if self.round.number % _SEARCHING_EVERY == 0:
            for match_id in self.matches:
                await self._for_worlds(match_id)
        await self._what_it_may_not()

    async def _ask(self, method: Any, request: Message, match_id: str = "", kind: str = "") -> Any:
        return await self.side.ask(self.watcher, method, request, match_id, kind)

    async def _about_the_tournament(self, *, over: bool) -> None:
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
            (side.registry.ListBots, bot_pb2.ListBotsRequest()),
        ):
            await self._ask(method, request)
        # Once the tournament is over, everybody may know who played.
        if not (over and self.round.hides_who):
            await self._ask(calls.ExportTournament, v1.ExportTournamentRequest(**named))

    async def _page_by_page(self) -> None:
        """Ask for the matches one by one: the tokens are told as well."""
        token = ""
        for _ in range(len(self.matches) + 1):
            request = v1.ListMatchesRequest(
                tournament_id=self.tournament, page_size=1, page_token=token
            )
            page = await self._ask(self.side.tournaments.ListMatches, request)
            token = "" if page is None else page.next_page_token
            if not token:
                return

    async def _for_each_bot(self) -> None:
        for bot_id in self.round.bots:
            request = v1.ListMatchesRequest(tournament_id=self.tournament, bot_id=bot_id)
            await self._ask(self.side.tournaments.ListMatches, request, kind=LISTED_FOR)

    async def _about(self, match_id: str, *, over: bool) -> None:
        """Ask about a match; `over` is whether all of it may be read by now."""
        calls = self.side.replays
        own = self.watcher.seats.get(match_id)
        # In a match that never began no seat is known to be its own: any two are as good.
        first = 0 if own is None else own
        other = 1 if first == 0 else first - 1
        for seat in (first, other):
            replay = replay_pb2.GetSeatReplayRequest(match_id=match_id, seat=seat)
            # From then on everybody's cards are for everybody to see.
            if seat == own or not over:
                await self._ask(calls.GetSeatReplay, replay, match_id)
        for decision_id in _EXPLAINED:
            explain = replay_pb2.ExplainSeatRequest(
                match_id=match_id, seat=first, decision_id=decision_id
            )
            await self._ask(calls.ExplainSeat, explain, match_id)
        if not over:
            explain = replay_pb2.ExplainSeatRequest(match_id=match_id, seat=other)
            await self._ask(calls.ExplainSeat, explain, match_id)
            record = replay_pb2.GetRecordRequest(match_id=match_id)
            await self._ask(calls.GetRecord, record, match_id)

    async def _for_worlds(self, match_id: str) -> None:
        """Ask for worlds that agree with what the watcher was told, and play on in one."""
        worlds, options = self.side.worlds, options_to_message(self.round.options)
        events = self.watcher.events.get(match_id, [])
        sample = world_pb2.SampleWorldsRequest(options=options, events=events, count=3)
        sampled = await self._ask(worlds.SampleWorlds, sample, match_id)
        lines = [
            world_pb2.ActionLine(world=world)
            for world in ([] if sampled is None else sampled.worlds)
        ]
        apply = world_pb2.ApplyActionsRequest(options=options, lines=lines)
        await self._ask(worlds.ApplyActions, apply, match_id)

    async def _what_it_may_not(self) -> None:
        """Ask for what there is not, and what is the organizer's: the errors are told as well."""
        side, named = self.side, _Named(tournament_id=self.tournament)
        calls, first = side.tournaments, self.matches[0]
        void = v1.VoidMatchRequest(**named, match_id=first, reason=_REASON)
        wrong_page = v1.ListMatchesRequest(**named, page_token="wrong")
        no_seat = replay_pb2.GetSeatReplayRequest(match_id=first, seat=99)
        for method, request in (
            (calls.GetTournament, v1.GetTournamentRequest(tournament_id=NOWHERE)),
            (calls.ListMatches, wrong_page),
            (calls.VoidMatch, void),
            (calls.RebuildRatings, v1.RebuildRatingsRequest(**named)),
            (side.registry.GetBot, bot_pb2.GetBotRequest(bot_id=self.round.bots[-1])),
            (side.registry.GetBot, bot_pb2.GetBotRequest(bot_id=NOWHERE)),
            (side.replays.GetSeatReplay, no_seat),
            (side.replays.GetRecord, replay_pb2.GetRecordRequest(match_id=NOWHERE)),
            (side.replays.WatchMatch, replay_pb2.WatchMatchRequest(match_id=NOWHERE)),
        ):
            await self._ask(method, request)

    async def _shown(self) -> frozenset[str]:
        """Return the matches of which everybody may read everything while others run."""
        if self.round.hands_visible is not HandsVisible.AFTER_MATCH:
            return frozenset()
        request = v1.ListMatchesRequest(tournament_id=self.tournament)
        found = await self.side.order(self.side.tournaments.ListMatches, request)
        done = v1.MATCH_STATE_FINISHED
        return frozenset(match.match_id for match in found.matches if match.state == done)

    async def _is_over(self) -> bool:
        request = v1.GetTournamentRequest(tournament_id=self.tournament)
        found = await self.side.order(self.side.tournaments.GetTournament, request)
        over = (v1.TOURNAMENT_STATE_FINISHED, v1.TOURNAMENT_STATE_CANCELLED)
        return found.tournament.state in over
