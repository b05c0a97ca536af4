"""`TournamentService`: turns messages into commands of the director, and rows into messages."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from typing import IO, Any, TypeVar

import grpc.aio

from kitumaija.server.ids import random_id
from kitumaija.server.rpc.auth import Authenticator, Caller
from kitumaija.server.rpc.fields import checked_given, checked_id, checked_length
from kitumaija.server.rpc.paging import page_size
from kitumaija.server.rpc.requests import ChangeRequest, Request
from kitumaija.server.rpc.settings_messages import settings_from_message
from kitumaija.server.rpc.tournament_messages import (
    entrant_message,
    match_message,
    progress_message,
    standings_message,
    tournament_message,
)
from kitumaija.server.store import bots, entrants, matches, tournaments
from kitumaija.server.store.rows import MatchState, SeatedMatch, TournamentRow
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.tournament import rates
from kitumaija.server.tournament.director import Director
from kitumaija.server.tournament.export import write_archive
from kitumaija.server.tournament.refusals import no_entrant, no_tournament, not_over
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.server.tournament.standings import standings
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.v1 import tournament_pb2_grpc
from kitumaija.wire.limits import TITLE_CHARS_MAX

REASON_CHARS_MAX = 500
CHUNK_BYTES = 256 * 1024
SPOOL_BYTES = 4 * 1024 * 1024

UPDATE_EVERY = 0.1
"""How long, in seconds, a watcher is left alone after an update, however much happens."""

Context = grpc.aio.ServicerContext[Any, Any]
ResponseT = TypeVar("ResponseT")
EntrantT = TypeVar(
    "EntrantT",
    v1.EnterTournamentResponse,
    v1.WithdrawEntrantResponse,
    v1.DisqualifyEntrantResponse,
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


class TournamentService(tournament_pb2_grpc.TournamentServiceServicer):
    """Tournaments: their making, their course, their standings."""

    def __init__(self, director: Director, authenticator: Authenticator) -> None:
        self._director = director
        self._context = director.context
        self._commands = director.commands
        self._authenticator = authenticator

    # Changing

    async def CreateTournament(
        self, request: v1.CreateTournamentRequest, context: Context
    ) -> v1.CreateTournamentResponse:
        """Make a tournament in state DRAFT."""
        caller = self._organizer(context)
        settings = settings_from_message(request.settings)
        tournament_id = request.tournament_id or f"t-{random_id(self._context.token_bytes)}"
        checked_id("tournament_id", tournament_id)
        title = checked_length("title", request.title, TITLE_CHARS_MAX) or tournament_id
        once = self._about_tournament(
            request, caller, "CreateTournament", v1.CreateTournamentResponse, tournament_id
        )
        await self._commands.create(tournament_id, title, settings, actor=caller.name, once=once)
        return once.answer

    async def OpenTournament(
        self, request: v1.OpenTournamentRequest, context: Context
    ) -> v1.OpenTournamentResponse:
        """Open it for entries."""
        caller = self._organizer(context)
        once = self._about_tournament(
            request, caller, "OpenTournament", v1.OpenTournamentResponse, request.tournament_id
        )
        await self._commands.open(request.tournament_id, actor=caller.name, once=once)
        return once.answer

    async def EnterTournament(
        self, request: v1.EnterTournamentRequest, context: Context
    ) -> v1.EnterTournamentResponse:
        """Enter a bot."""
        caller = self._authenticator.caller(context)
        caller.need_bot_or_organizer(request.bot_id)
        once = self._about_entrant(request, caller, "EnterTournament", v1.EnterTournamentResponse)
        await self._commands.enter(
            request.tournament_id, request.bot_id, actor=caller.name, once=once
        )
        return once.answer

    async def CloseTournament(
        self, request: v1.CloseTournamentRequest, context: Context
    ) -> v1.CloseTournamentResponse:
        """Close the entries."""
        caller = self._organizer(context)
        once = self._about_tournament(
            request, caller, "CloseTournament", v1.CloseTournamentResponse, request.tournament_id
        )
        await self._commands.close(request.tournament_id, actor=caller.name, once=once)
        return once.answer

    async def StartTournament(
        self, request: v1.StartTournamentRequest, context: Context
    ) -> v1.StartTournamentResponse:
        """Start it."""
        caller = self._organizer(context)
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
        self, request: v1.PauseTournamentRequest, context: Context
    ) -> v1.PauseTournamentResponse:
        """Start no more matches until resumed."""
        caller = self._organizer(context)
        once = self._about_tournament(
            request, caller, "PauseTournament", v1.PauseTournamentResponse, request.tournament_id
        )
        await self._commands.pause(request.tournament_id, actor=caller.name, once=once)
        return once.answer

    async def ResumeTournament(
        self, request: v1.ResumeTournamentRequest, context: Context
    ) -> v1.ResumeTournamentResponse:
        """Go on after a pause."""
        caller = self._organizer(context)
        once = self._about_tournament(
            request, caller, "ResumeTournament", v1.ResumeTournamentResponse, request.tournament_id
        )
        await self._commands.resume(request.tournament_id, actor=caller.name, once=once)
        return once.answer

    async def CancelTournament(
        self, request: v1.CancelTournamentRequest, context: Context
    ) -> v1.CancelTournamentResponse:
        """End it before its schedule is played."""
        caller = self._organizer(context)
        reason = checked_length("reason", request.reason, REASON_CHARS_MAX)
        once = self._about_tournament(
            request, caller, "CancelTournament", v1.CancelTournamentResponse, request.tournament_id
        )
        await self._commands.cancel(request.tournament_id, reason, actor=caller.name, once=once)
        return once.answer

    async def WithdrawEntrant(
        self, request: v1.WithdrawEntrantRequest, context: Context
    ) -> v1.WithdrawEntrantResponse:
        """Take an entrant out at its own wish."""
        caller = self._authenticator.caller(context)
        caller.need_bot_or_organizer(request.bot_id)
        reason = checked_length("reason", request.reason, REASON_CHARS_MAX)
        once = self._about_entrant(request, caller, "WithdrawEntrant", v1.WithdrawEntrantResponse)
        await self._commands.withdraw(
            request.tournament_id, request.bot_id, reason, actor=caller.name, once=once
        )
        return once.answer

    async def DisqualifyEntrant(
        self, request: v1.DisqualifyEntrantRequest, context: Context
    ) -> v1.DisqualifyEntrantResponse:
        """Take an entrant out by the organizer's decision."""
        caller = self._organizer(context)
        reason = checked_given("reason", request.reason, REASON_CHARS_MAX)
        once = self._about_entrant(
            request, caller, "DisqualifyEntrant", v1.DisqualifyEntrantResponse
        )
        await self._commands.disqualify(
            request.tournament_id, request.bot_id, reason, actor=caller.name, once=once
        )
        return once.answer

    async def RebuildRatings(
        self, request: v1.RebuildRatingsRequest, context: Context
    ) -> v1.RebuildRatingsResponse:
        """Compute the ratings anew from the results alone."""
        caller = self._organizer(context)
        answer = v1.RebuildRatingsResponse()
        once = Request(
            request,
            caller,
            "RebuildRatings",
            kind=v1.RebuildRatingsResponse,
            answer=lambda _: answer,
        )
        if not await self._context.write(once.known):
            results, changed = await self._commands.rebuild_ratings(
                request.tournament_id, actor=caller.name
            )
            answer.results, answer.changed = results, changed
            await self._context.write(lambda tx: once(tx, lambda: None))
        return once.answer

    # Reading

    async def GetTournament(
        self, request: v1.GetTournamentRequest, context: Context
    ) -> v1.GetTournamentResponse:
        """Return one tournament."""
        self._authenticator.caller(context)
        message = await self._context.read(lambda tx: self._tournament(tx, request.tournament_id))
        return v1.GetTournamentResponse(tournament=message)

    async def ListTournaments(
        self, request: v1.ListTournamentsRequest, context: Context
    ) -> v1.ListTournamentsResponse:
        """Return a page of tournaments, newest first."""
        self._authenticator.caller(context)
        size = page_size(request.page_size)
        connected = self._context.presence.connected

        def look(tx: ReadTx) -> v1.ListTournamentsResponse:
            page = tournaments.page(tx, size=size, token=request.page_token)
            return v1.ListTournamentsResponse(
                tournaments=[
                    tournament_message(tx, row, connected, with_entrants=False) for row in page.rows
                ],
                next_page_token=page.next_token,
            )

        return await self._context.read(look)

    async def ListMatches(
        self, request: v1.ListMatchesRequest, context: Context
    ) -> v1.ListMatchesResponse:
        """Return a page of a tournament's matches, in schedule order.

        A match whose bots are not all ready yet is the organizer's to see alone: nobody is to pick
        opponents by staying away.
        """
        caller = self._authenticator.caller(context)
        size = page_size(request.page_size)

        def look(tx: ReadTx) -> v1.ListMatchesResponse:
            _row(tx, request.tournament_id)
            page = matches.page(
                tx,
                request.tournament_id,
                size=size,
                token=request.page_token,
                table_size=request.table_size,
                bot_id=request.bot_id,
            )
            return v1.ListMatchesResponse(
                matches=[
                    match_message(seated)
                    for seated in page.rows
                    if caller.is_organizer or not self._is_gathering(seated)
                ],
                next_page_token=page.next_token,
            )

        return await self._context.read(look)

    async def WatchTournament(
        self, request: v1.WatchTournamentRequest, context: Context
    ) -> AsyncIterator[v1.WatchTournamentResponse]:
        """Say how far a tournament is, at once and whenever it changes, to its end."""
        self._authenticator.caller(context)
        bell = self._director.bell(request.tournament_id)
        told: v1.WatchTournamentResponse | None = None
        while True:
            heard = bell.next()
            progress = await self._director.progress(request.tournament_id)
            now = progress_message(progress)
            if now != told:
                told = now
                yield now
            if progress.state.over:
                return
            await heard.wait()
            await asyncio.sleep(UPDATE_EVERY)

    async def GetStandings(
        self, request: v1.GetStandingsRequest, context: Context
    ) -> v1.GetStandingsResponse:
        """Return the standings."""
        self._authenticator.caller(context)
        row = await self._context.read(lambda tx: _row(tx, request.tournament_id))
        await self._rate(row)
        found = await self._context.read(lambda tx: standings(tx, _row(tx, request.tournament_id)))
        return standings_message(found)

    async def ExportTournament(
        self, request: v1.ExportTournamentRequest, context: Context
    ) -> AsyncIterator[v1.ExportTournamentResponse]:
        """Return everything of a tournament as a ZIP archive, in pieces."""
        self._authenticator.caller(context)
        row = await self._context.read(lambda tx: _row(tx, request.tournament_id))
        if not row.state.over:
            raise not_over(row.tournament_id, row.state)
        await self._rate(row)
        with tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES) as file:
            await self._context.read(lambda tx: write_archive(tx, row, file))
            file.seek(0)
            async for chunk in _chunks(file):
                yield v1.ExportTournamentResponse(chunk=chunk)

    # What they have in common

    def _organizer(self, context: Context) -> Caller:
        caller = self._authenticator.caller(context)
        caller.need_organizer()
        return caller

    def _tournament(self, tx: ReadTx, tournament_id: str) -> v1.Tournament:
        return tournament_message(tx, _row(tx, tournament_id), self._context.presence.connected)

    def _about_tournament(
        self,
        request: ChangeRequest,
        caller: Caller,
        method: str,
        kind: type[TournamentT],
        tournament_id: str,
    ) -> Request[TournamentT]:
        def answer(tx: WriteTx) -> TournamentT:
            return kind(tournament=self._tournament(tx, tournament_id))

        return Request(request, caller, method, kind=kind, answer=answer)

    def _about_entrant(
        self, request: Any, caller: Caller, method: str, kind: type[EntrantT]
    ) -> Request[EntrantT]:
        def answer(tx: WriteTx) -> EntrantT:
            entry = entrants.get(tx, request.tournament_id, request.bot_id, secrets=False)
            bot = bots.get(tx, request.bot_id)
            if entry is None or bot is None:
                raise no_entrant(request.tournament_id, request.bot_id)
            return kind(entrant=entrant_message(entry, bot, self._context.presence.connected))

        return Request(request, caller, method, kind=kind, answer=answer)

    async def _rate(self, row: TournamentRow) -> None:
        """Rate what a crash after the end of a tournament may have left unrated."""
        if row.state.over and row.schedule_seed is not None:
            settings = TournamentSettings.from_dict(dict(row.settings))
            for size in settings.table_sizes:
                await rates.catch_up(self._context, row.tournament_id, size)

    def _is_gathering(self, seated: SeatedMatch) -> bool:
        if seated.match.state is not MatchState.RUNNING or not seated.seats:
            return False
        return self._context.is_gathering(seated.match.match_id, seated.seats[0].bot_id)


def _row(tx: ReadTx, tournament_id: str) -> TournamentRow:
    row = tournaments.get(tx, tournament_id, secrets=False)
    if row is None:
        raise no_tournament(tournament_id)
    return row


async def _chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
        yield chunk
