"""The reading half of `TournamentService`: rows of the store as messages, for everybody."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass
from typing import IO, Any, TypeAlias

import grpc.aio

from kitumaija.server.archive.signing import Signer
from kitumaija.server.archive.writing import Archiving
from kitumaija.server.rpc.auth import Authenticator
from kitumaija.server.rpc.clock_messages import clocks_message
from kitumaija.server.rpc.paging import page_size
from kitumaija.server.rpc.tournament_messages import (
    audit_message,
    bench_wait_message,
    match_message,
    progress_message,
    public_match_message,
    standings_message,
    tell_rounds,
    tournament_message,
)
from kitumaija.server.store import audit, matches, rounds, tournaments
from kitumaija.server.store.rows import Page, SeatedMatch, TournamentRow
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament import rates
from kitumaija.server.tournament.clocktable import ClockTable
from kitumaija.server.tournament.director import Director
from kitumaija.server.tournament.refusals import no_tournament, not_over
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.server.tournament.standings import standings
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.v1 import tournament_pb2_grpc

CHUNK_BYTES = 256 * 1024
SPOOL_BYTES = 512 * 1024
"""Up to this size an archive is made in memory, above it in a file."""

UPDATE_EVERY = 0.1
"""How long, in seconds, a watcher is left alone after an update, however much happens."""

Call: TypeAlias = grpc.aio.ServicerContext[Any, Any]


class TournamentReads(tournament_pb2_grpc.TournamentServiceServicer):
    """What can be read of tournaments."""

    def __init__(self, director: Director, authenticator: Authenticator, signer: Signer) -> None:
        self._director = director
        self._signer = signer
        self.context = director.context
        self.authenticator = authenticator
        # One archive is made at a time, however many are asked for: others play meanwhile.
        self._making = asyncio.Lock()

    async def GetTournament(
        self, request: v1.GetTournamentRequest, context: Call
    ) -> v1.GetTournamentResponse:
        """Return one tournament."""
        message = await self.context.read(lambda tx: self.tournament(tx, request.tournament_id))
        wait = self._director.bench_wait(request.tournament_id)
        if wait is not None:
            message.bench_wait.CopyFrom(bench_wait_message(wait))
        return v1.GetTournamentResponse(tournament=message)

    async def ListTournaments(
        self, request: v1.ListTournamentsRequest, context: Call
    ) -> v1.ListTournamentsResponse:
        """Return a page of tournaments, newest first."""
        size = page_size(request.page_size)
        connected = self.context.presence.connected

        def look(tx: ReadTx) -> v1.ListTournamentsResponse:
            page = tournaments.page(tx, size=size, token=request.page_token)
            return v1.ListTournamentsResponse(
                tournaments=[
                    tournament_message(
                        tx, row, connected, self._signer.fingerprint, with_entrants=False
                    )
                    for row in page.rows
                ],
                next_page_token=page.next_token,
            )

        return await self.context.read(look)

    async def ListMatches(
        self, request: v1.ListMatchesRequest, context: Call
    ) -> v1.ListMatchesResponse:
        """Return a page of a tournament's matches.

        A match whose bots are not all ready yet is the organizer's to see alone: nobody is to pick
        opponents by staying away. So is the place in the schedule of a match that runs.
        """
        caller = self.authenticator.caller(context)
        size = page_size(request.page_size)
        seated_now = self.context.hall.seated_ids()

        def look(tx: ReadTx) -> v1.ListMatchesResponse:
            tournament = _row(tx, request.tournament_id, secrets=True)
            wanted = _Wanted(request, size)
            if caller.is_organizer:
                page = wanted.all(tx)
                found = [match_message(seated) for seated in page.rows]
            else:
                blind = TournamentSettings.from_dict(dict(tournament.settings)).blind
                page = wanted.public(tx, seated_now, blind=blind)
                found = [public_match_message(seated, tournament) for seated in page.rows]
            tell_rounds(found, rounds.starts(tx, tournament.tournament_id))
            return v1.ListMatchesResponse(matches=found, next_page_token=page.next_token)

        return await self.context.read(look)

    async def WatchTournament(
        self, request: v1.WatchTournamentRequest, context: Call
    ) -> AsyncIterator[v1.WatchTournamentResponse]:
        """Say how far a tournament is, at once and whenever it changes, to its end."""
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
        self, request: v1.GetStandingsRequest, context: Call
    ) -> v1.GetStandingsResponse:
        """Return the standings."""
        row = await self.context.read(lambda tx: _row(tx, request.tournament_id))
        await self._rate(row)
        found = await self.context.read(lambda tx: standings(tx, _row(tx, request.tournament_id)))
        return standings_message(found)

    async def GetClocks(self, request: v1.GetClocksRequest, context: Call) -> v1.GetClocksResponse:
        """Return what time was measured of each bot, or of the bot that asks."""
        caller = self.authenticator.caller(context)
        row = await self.context.read(lambda tx: _row(tx, request.tournament_id))
        only = "" if caller.bot is None else caller.bot.bot_id
        table = ClockTable(row.tournament_id, only=only)
        while await self.context.read(table.read):
            # Page by page: the bots that play meanwhile do not wait for this.
            pass
        return await self.context.read(lambda tx: clocks_message(tx, row, table))

    async def ExportTournament(
        self, request: v1.ExportTournamentRequest, context: Call
    ) -> AsyncIterator[v1.ExportTournamentResponse]:
        """Return everything of a tournament as a ZIP archive, in pieces."""
        row = await self.context.read(lambda tx: _row(tx, request.tournament_id))
        if not row.state.over:
            raise not_over(row.tournament_id, row.state)
        await self._rate(row)
        with tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES) as file:
            await self._archive(row, file)
            file.seek(0)
            async for chunk in _chunks(file):
                yield v1.ExportTournamentResponse(chunk=chunk)

    async def ListAuditEntries(
        self, request: v1.ListAuditEntriesRequest, context: Call
    ) -> v1.ListAuditEntriesResponse:
        """Return a page of a tournament's audit log, newest first."""
        size = page_size(request.page_size)

        def look(tx: ReadTx) -> v1.ListAuditEntriesResponse:
            row = _row(tx, request.tournament_id)
            page = audit.page(
                tx, size=size, token=request.page_token, tournament_id=row.tournament_id
            )
            return v1.ListAuditEntriesResponse(
                entries=[audit_message(entry) for entry in page.rows],
                next_page_token=page.next_token,
            )

        return await self.context.read(look)

    def tournament(self, tx: ReadTx, tournament_id: str) -> v1.Tournament:
        """Return a tournament without its secrets; raises `NotFound`."""
        row, connected = _row(tx, tournament_id), self.context.presence.connected
        return tournament_message(tx, row, connected, self._signer.fingerprint)

    async def _archive(self, row: TournamentRow, file: IO[bytes]) -> None:
        """Write a tournament's archive, piece by piece: bots that play meanwhile do not wait."""
        async with self._making:
            with closing(Archiving(row, file, self._signer)) as archive:
                more = True
                while more:
                    step = asyncio.ensure_future(self.context.read(archive.step))
                    try:
                        more = await asyncio.shield(step)
                    except asyncio.CancelledError:
                        # Its thread is in the middle of the file, which is not closed before.
                        await asyncio.wait([step])
                        raise

    async def _rate(self, row: TournamentRow) -> None:
        """Rate what is settled and not rated yet."""
        if row.schedule_seed is not None:
            settings = TournamentSettings.from_dict(dict(row.settings))
            for size in settings.table_sizes:
                await rates.catch_up(self.context, row.tournament_id, size)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A page of matches that somebody asks for, `size` at most."""

    request: v1.ListMatchesRequest
    size: int

    def all(self, tx: ReadTx) -> Page[SeatedMatch]:
        return matches.page(
            tx,
            self.request.tournament_id,
            size=self.size,
            token=self.request.page_token,
            table_size=self.request.table_size,
            bot_id=self.request.bot_id,
        )

    def public(self, tx: ReadTx, seated_now: tuple[str, ...], *, blind: bool) -> Page[SeatedMatch]:
        return matches.public_page(
            tx,
            self.request.tournament_id,
            size=self.size,
            token=self.request.page_token,
            table_size=self.request.table_size,
            bot_id=self.request.bot_id,
            # Who asks for one bot's matches would learn by it which of those that run are its.
            running=() if blind and self.request.bot_id else seated_now,
            blind=blind,
        )


def _row(tx: ReadTx, tournament_id: str, *, secrets: bool = False) -> TournamentRow:
    row = tournaments.get(tx, tournament_id, secrets=secrets)
    if row is None:
        raise no_tournament(tournament_id)
    return row


async def _chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
        yield chunk
