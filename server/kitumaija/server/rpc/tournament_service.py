"""`TournamentService`: messages as commands of the director; it reads by `tournament_reads`."""

from __future__ import annotations

from typing import Any, TypeVar

from kitumaija.server.archive.signing import Signer
from kitumaija.server.ids import random_id
from kitumaija.server.rpc.auth import Authenticator, Caller
from kitumaija.server.rpc.fields import checked_given, checked_id, checked_length
from kitumaija.server.rpc.requests import ChangeRequest, Request
from kitumaija.server.rpc.settings_messages import settings_from_message
from kitumaija.server.rpc.tournament_messages import entrant_message, match_message
from kitumaija.server.rpc.tournament_reads import Call, TournamentReads
from kitumaija.server.store import bots, entrants, matches
from kitumaija.server.store.rows import SeatedMatch
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.tournament.director import Director
from kitumaija.server.tournament.refusals import no_entrant, no_match
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.limits import REASON_CHARS_MAX, TITLE_CHARS_MAX

EntrantT = TypeVar(
    "EntrantT",
    v1.EnterTournamentResponse,
    v1.WithdrawEntrantResponse,
    v1.DisqualifyEntrantResponse,
    v1.BenchEntrantResponse,
    v1.ReturnEntrantResponse,
)
TournamentT = TypeVar(
    "TournamentT",
    v1.CreateTournamentResponse,
    v1.OpenTournamentResponse,
    v1.CloseTournamentResponse,
    v1.StartTournamentResponse,
    v1.PauseTournamentResponse,
    v1.ResumeTournamentResponse,
    v1.CancelTournamentResponse,
)


class TournamentService(TournamentReads):
    """Tournaments: their making, their course, their standings."""

    def __init__(self, director: Director, authenticator: Authenticator, signer: Signer) -> None:
        super().__init__(director, authenticator, signer)
        self._commands = director.commands

    async def CreateTournament(
        self, request: v1.CreateTournamentRequest, context: Call
    ) -> v1.CreateTournamentResponse:
        """Make a tournament in state DRAFT."""
        caller = self.authenticator.caller(context)
        settings = settings_from_message(request.settings)
        tournament_id = request.tournament_id or f"t-{random_id(self.context.token_bytes)}"
        checked_id("tournament_id", tournament_id)
        title = checked_length("title", request.title, TITLE_CHARS_MAX) or tournament_id
        once = self._about_tournament(
            request, caller, "CreateTournament", v1.CreateTournamentResponse, tournament_id
        )
        await self._commands.create(tournament_id, title, settings, actor=caller.name, once=once)
        return once.answer

    async def OpenTournament(
        self, request: v1.OpenTournamentRequest, context: Call
    ) -> v1.OpenTournamentResponse:
        """Open it for entries."""
        caller = self.authenticator.caller(context)
        once = self._about_tournament(
            request, caller, "OpenTournament", v1.OpenTournamentResponse, request.tournament_id
        )
        await self._commands.open(request.tournament_id, actor=caller.name, once=once)
        return once.answer

    async def EnterTournament(
        self, request: v1.EnterTournamentRequest, context: Call
    ) -> v1.EnterTournamentResponse:
        """Enter a bot, or several in one step."""
        caller = self.authenticator.caller(context)
        if request.more_bot_ids:
            caller.need_organizer()
        bot_ids = (request.bot_id, *request.more_bot_ids)

        def answer(tx: WriteTx) -> v1.EnterTournamentResponse:
            first, *more = (self._entrant(tx, request.tournament_id, bot_id) for bot_id in bot_ids)
            return v1.EnterTournamentResponse(entrant=first, more_entrants=more)

        once = Request(
            request, caller, "EnterTournament", kind=v1.EnterTournamentResponse, answer=answer
        )
        await self._commands.enter(request.tournament_id, bot_ids, actor=caller.name, once=once)
        return once.answer

    async def CloseTournament(
        self, request: v1.CloseTournamentRequest, context: Call
    ) -> v1.CloseTournamentResponse:
        """Close the entries."""
        caller = self.authenticator.caller(context)
        once = self._about_tournament(
            request, caller, "CloseTournament", v1.CloseTournamentResponse, request.tournament_id
        )
        await self._commands.close(request.tournament_id, actor=caller.name, once=once)
        return once.answer

    async def StartTournament(
        self, request: v1.StartTournamentRequest, context: Call
    ) -> v1.StartTournamentResponse:
        """Start it."""
        caller = self.authenticator.caller(context)
        once = self._about_tournament(
            request, caller, "StartTournament", v1.StartTournamentResponse, request.tournament_id
        )
        await self._commands.start(
            request.tournament_id,
            allow_absent=request.allow_absent,
            actor=caller.name,
            once=once,
        )
        return once.answer

    async def PauseTournament(
        self, request: v1.PauseTournamentRequest, context: Call
    ) -> v1.PauseTournamentResponse:
        """Start no more matches until resumed."""
        caller = self.authenticator.caller(context)
        once = self._about_tournament(
            request, caller, "PauseTournament", v1.PauseTournamentResponse, request.tournament_id
        )
        await self._commands.pause(request.tournament_id, actor=caller.name, once=once)
        return once.answer

    async def ResumeTournament(
        self, request: v1.ResumeTournamentRequest, context: Call
    ) -> v1.ResumeTournamentResponse:
        """Go on after a pause."""
        caller = self.authenticator.caller(context)
        once = self._about_tournament(
            request, caller, "ResumeTournament", v1.ResumeTournamentResponse, request.tournament_id
        )
        await self._commands.resume(request.tournament_id, actor=caller.name, once=once)
        return once.answer

    async def CancelTournament(
        self, request: v1.CancelTournamentRequest, context: Call
    ) -> v1.CancelTournamentResponse:
        """End it before its schedule is played."""
        caller = self.authenticator.caller(context)
        reason = checked_length("reason", request.reason, REASON_CHARS_MAX)
        once = self._about_tournament(
            request, caller, "CancelTournament", v1.CancelTournamentResponse, request.tournament_id
        )
        await self._commands.cancel(request.tournament_id, reason, actor=caller.name, once=once)
        return once.answer

    async def WithdrawEntrant(
        self, request: v1.WithdrawEntrantRequest, context: Call
    ) -> v1.WithdrawEntrantResponse:
        """Take an entrant out at its own wish."""
        caller = self.authenticator.caller(context)
        reason = checked_length("reason", request.reason, REASON_CHARS_MAX)
        once = self._about_entrant(request, caller, "WithdrawEntrant", v1.WithdrawEntrantResponse)
        await self._commands.withdraw(
            request.tournament_id, request.bot_id, reason, actor=caller.name, once=once
        )
        return once.answer

    async def DisqualifyEntrant(
        self, request: v1.DisqualifyEntrantRequest, context: Call
    ) -> v1.DisqualifyEntrantResponse:
        """Take an entrant out by the organizer's decision."""
        caller = self.authenticator.caller(context)
        reason = checked_given("reason", request.reason, REASON_CHARS_MAX)
        once = self._about_entrant(
            request, caller, "DisqualifyEntrant", v1.DisqualifyEntrantResponse
        )
        await self._commands.disqualify(
            request.tournament_id, request.bot_id, reason, actor=caller.name, once=once
        )
        return once.answer

    async def BenchEntrant(
        self, request: v1.BenchEntrantRequest, context: Call
    ) -> v1.BenchEntrantResponse:
        """Take an entrant out for a while."""
        caller = self.authenticator.caller(context)
        reason = checked_length("reason", request.reason, REASON_CHARS_MAX)
        once = self._about_entrant(request, caller, "BenchEntrant", v1.BenchEntrantResponse)
        await self._commands.bench.take_out(
            request.tournament_id, request.bot_id, reason, actor=caller.name, once=once
        )
        return once.answer

    async def ReturnEntrant(
        self, request: v1.ReturnEntrantRequest, context: Call
    ) -> v1.ReturnEntrantResponse:
        """Let an entrant return that was taken out for a while."""
        caller = self.authenticator.caller(context)
        reason = checked_length("reason", request.reason, REASON_CHARS_MAX)
        once = self._about_entrant(request, caller, "ReturnEntrant", v1.ReturnEntrantResponse)
        await self._commands.bench.bring_back(
            request.tournament_id, request.bot_id, reason, actor=caller.name, once=once
        )
        return once.answer

    async def VoidMatch(self, request: v1.VoidMatchRequest, context: Call) -> v1.VoidMatchResponse:
        """Declare a match void that counts."""
        caller = self.authenticator.caller(context)
        reason = checked_given("reason", request.reason, REASON_CHARS_MAX)

        def answer(tx: WriteTx) -> v1.VoidMatchResponse:
            match = matches.get(tx, request.match_id)
            if match is None:
                raise no_match(request.match_id)
            seated = SeatedMatch(match, matches.seats(tx, request.match_id))
            return v1.VoidMatchResponse(match=match_message(seated))

        once = Request(request, caller, "VoidMatch", kind=v1.VoidMatchResponse, answer=answer)
        await self._commands.void_match(
            request.tournament_id, request.match_id, reason, actor=caller.name, once=once
        )
        return once.answer

    async def RebuildRatings(
        self, request: v1.RebuildRatingsRequest, context: Call
    ) -> v1.RebuildRatingsResponse:
        """Compute the ratings anew from the results alone."""
        caller = self.authenticator.caller(context)
        answer = v1.RebuildRatingsResponse()
        once = Request(
            request,
            caller,
            "RebuildRatings",
            kind=v1.RebuildRatingsResponse,
            answer=lambda _: answer,
        )
        if not await self.context.write(once.known):
            results, changed = await self._commands.rebuild_ratings(
                request.tournament_id, actor=caller.name
            )
            answer.results, answer.changed = results, changed
            await self.context.write(lambda tx: once(tx, lambda: None))
        return once.answer

    # What they have in common

    def _about_tournament(
        self,
        request: ChangeRequest,
        caller: Caller,
        method: str,
        kind: type[TournamentT],
        tournament_id: str,
    ) -> Request[TournamentT]:
        def answer(tx: WriteTx) -> TournamentT:
            return kind(tournament=self.tournament(tx, tournament_id))

        return Request(request, caller, method, kind=kind, answer=answer)

    def _about_entrant(
        self, request: Any, caller: Caller, method: str, kind: type[EntrantT]
    ) -> Request[EntrantT]:
        def answer(tx: WriteTx) -> EntrantT:
            return kind(entrant=self._entrant(tx, request.tournament_id, request.bot_id))

        return Request(request, caller, method, kind=kind, answer=answer)

    def _entrant(self, tx: ReadTx, tournament_id: str, bot_id: str) -> v1.Entrant:
        entry = entrants.get(tx, tournament_id, bot_id, secrets=False)
        bot = bots.get(tx, bot_id)
        if entry is None or bot is None:
            raise no_entrant(tournament_id, bot_id)
        return entrant_message(entry, bot, self.context.presence.connected)
