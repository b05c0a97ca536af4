"""`ReplayService`: games that were played, and games being played as the public may see them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from functools import partial
from typing import Any

import grpc.aio

from kitumaija.engine import Event
from kitumaija.server.choices import HandsVisible
from kitumaija.server.errors import FailedPrecondition, NotFound, PermissionDenied
from kitumaija.server.match.journal import JournalError, Seen, entry_from_bytes
from kitumaija.server.rpc.auth import Authenticator, Caller
from kitumaija.server.rpc.fields import wrong_field
from kitumaija.server.rpc.seat_explained import explained
from kitumaija.server.rpc.seat_replay import public_events, seat_replay
from kitumaija.server.store import journal, matches, records, tournaments
from kitumaija.server.store.rows import MatchState, SeatedMatch, TournamentRow
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.director import Director
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.v1 import replay_pb2 as v1
from kitumaija.v1 import replay_pb2_grpc
from kitumaija.wire.codec import events_to_message
from kitumaija.wire.record import Incident, MatchRecord, record_from_bytes, record_to_message
from kitumaija.wire.status import ErrorReason

Call = grpc.aio.ServicerContext[Any, Any]

PIECE = 500
"""How many events are sent at once."""


class ReplayService(replay_pb2_grpc.ReplayServiceServicer):
    """Gives records and replays to those who may read them, and public events to everybody."""

    def __init__(self, director: Director, authenticator: Authenticator) -> None:
        self._director = director
        self._context = director.context
        self._authenticator = authenticator

    async def GetRecord(self, request: v1.GetRecordRequest, context: Call) -> v1.GetRecordResponse:
        """Return the whole record of a finished match."""
        caller = self._authenticator.caller(context)

        def look(tx: ReadTx) -> MatchRecord:
            seated, tournament = _found(tx, request.match_id)
            _must_be_over(seated)
            _may_see_all(caller, seated, tournament)
            return _record(tx, seated)

        record = await self._context.read(look)
        return v1.GetRecordResponse(record=record_to_message(record))

    async def GetSeatReplay(
        self, request: v1.GetSeatReplayRequest, context: Call
    ) -> v1.GetSeatReplayResponse:
        """Return a finished match as one seat saw it."""
        caller = self._authenticator.caller(context)

        def look(tx: ReadTx) -> v1.GetSeatReplayResponse:
            seated, tournament = _found(tx, request.match_id)
            # First of all: before a match begins nobody is to learn from a refusal who sits where.
            _must_be_over(seated)
            _check_seat(seated, request.seat)
            its_own = _is_its_own(caller, seated, request.seat)
            if not (its_own and seated.match.state is MatchState.FINISHED):
                _may_see_all(caller, seated, tournament)
            record = _record(tx, seated)
            steps = self._context.steps(record.game)
            return seat_replay(request.match_id, record, steps, request.seat)

        return await self._context.read(look)

    async def ExplainSeat(
        self, request: v1.ExplainSeatRequest, context: Call
    ) -> v1.ExplainSeatResponse:
        """Return why a seat of a match that is over was charged with what it was."""
        caller = self._authenticator.caller(context)

        def look(tx: ReadTx) -> v1.ExplainSeatResponse:
            seated, tournament = _found(tx, request.match_id)
            _must_be_over(seated)
            _check_seat(seated, request.seat)
            data = records.get(tx, request.match_id)
            its_own = _is_its_own(caller, seated, request.seat)
            # Where no game began there is no card to be seen.
            if not (its_own and (data is None or seated.match.state is MatchState.FINISHED)):
                _may_see_all(caller, seated, tournament)
            record = None if data is None else record_from_bytes(data)
            return explained(
                seated,
                TournamentSettings.from_dict(dict(tournament.settings)),
                record,
                _seen(tx, request.match_id),
                steps=() if record is None else self._context.steps(record.game),
                seat=request.seat,
                decision_id=request.decision_id,
            )

        return await self._context.read(look)

    async def WatchMatch(
        self, request: v1.WatchMatchRequest, context: Call
    ) -> AsyncIterator[v1.WatchMatchResponse]:
        """Return the public events of a match from its beginning and as they happen."""
        seated, _ = await self._context.read(lambda tx: _found(tx, request.match_id))
        told = 0
        async for events in self._follow(seated):
            for piece in _pieces(events):
                yield v1.WatchMatchResponse(first_event=told, events=events_to_message(piece))
                told += len(piece)
        # What is left came with the result, and stands in the record if there is one.
        everything = await self._context.read(partial(self._public_events, seated))
        for piece in _pieces(everything[told:]):
            yield v1.WatchMatchResponse(first_event=told, events=events_to_message(piece))
            told += len(piece)
        yield v1.WatchMatchResponse(first_event=told, over=True)

    async def _follow(self, seated: SeatedMatch) -> AsyncIterator[tuple[Event, ...]]:
        """Yield public events while the match runs."""
        match_id = seated.match.match_id
        bell = self._director.bell(seated.match.tournament_id)
        while seated.match.state is MatchState.RUNNING:
            heard = bell.next()
            watched = False
            async for events in self._context.hall.watch(match_id):
                watched = True
                yield events
            seated, _ = await self._context.read(lambda tx: _found(tx, match_id))
            if seated.match.state is MatchState.RUNNING and not watched:
                # Its row is stored, and it is about to be offered.
                await heard.wait()

    def _public_events(self, seated: SeatedMatch, tx: ReadTx) -> tuple[Event, ...]:
        match_id = seated.match.match_id
        now = matches.get(tx, match_id)
        if now is None or now.state is not MatchState.FINISHED:
            return ()  # Of a match that does not count nobody sees more than while it ran.
        data = records.get(tx, match_id)
        if data is None:
            return ()
        return public_events(self._context.steps(record_from_bytes(data).game))


def _found(tx: ReadTx, match_id: str) -> tuple[SeatedMatch, TournamentRow]:
    match = matches.get(tx, match_id)
    tournament = None
    if match is not None:
        tournament = tournaments.get(tx, match.tournament_id, secrets=False)
    if match is None or tournament is None:
        raise NotFound(
            ErrorReason.NOT_FOUND_MATCH,
            f"there is no match {match_id!r}; list a tournament's matches to see which there are",
            {"match_id": match_id},
        )
    return SeatedMatch(match, matches.seats(tx, match_id)), tournament


def _is_its_own(caller: Caller, seated: SeatedMatch, seat: int) -> bool:
    return caller.bot is not None and caller.bot.bot_id == seated.seats[seat].bot_id


def _may_see_all(caller: Caller, seated: SeatedMatch, tournament: TournamentRow) -> None:
    """Raise unless the caller may see every hand of the match, when it is over.

    A match that does not count shows bots nothing before the tournament is over, whatever the
    settings say: none is to be worth more for what it reveals than for what it counts.
    """
    settings = TournamentSettings.from_dict(dict(tournament.settings))
    if caller.is_organizer or tournament.state.over:
        return
    if seated.match.state is not MatchState.FINISHED:
        raise PermissionDenied(
            ErrorReason.HANDS_HIDDEN,
            f"match {seated.match.match_id!r} is {seated.match.state}; what was played of it can "
            f"be read when tournament {tournament.tournament_id!r} is over",
            {
                "match_id": seated.match.match_id,
                "visible": HandsVisible.AFTER_TOURNAMENT.value,
            },
        )
    if settings.hands_visible is HandsVisible.AFTER_MATCH:
        return
    raise PermissionDenied(
        ErrorReason.HANDS_HIDDEN,
        f"match {seated.match.match_id!r} shows everybody's cards, which can be read when "
        f"tournament {tournament.tournament_id!r} is over; a bot may read its own seat's replay "
        "with its token now",
        {"match_id": seated.match.match_id, "visible": settings.hands_visible.value},
    )


def _must_be_over(seated: SeatedMatch) -> None:
    if seated.match.state is MatchState.RUNNING:
        match_id = seated.match.match_id
        raise FailedPrecondition(
            ErrorReason.MATCH_NOT_OVER,
            f"match {match_id!r} is not over yet; watch it, or come back later",
            {"match_id": match_id},
        )


def _check_seat(seated: SeatedMatch, seat: int) -> None:
    if seat >= len(seated.seats):
        raise wrong_field("seat", str(seat), f"0 to {len(seated.seats) - 1}")


def _seen(tx: ReadTx, match_id: str) -> tuple[Incident, ...]:
    """Return what a match's journal holds of what was seen of its seats."""
    try:
        entries = [entry_from_bytes(row.payload) for row in journal.entries(tx, match_id)]
    except JournalError:
        return ()  # The match is void for that, and its reason says so.
    return tuple(entry.incident for entry in entries if isinstance(entry, Seen))


def _record(tx: ReadTx, seated: SeatedMatch) -> MatchRecord:
    match_id = seated.match.match_id
    data = records.get(tx, match_id)
    if data is None:
        raise NotFound(
            ErrorReason.NOT_FOUND_RECORD,
            f"match {match_id!r} is {seated.match.state} and has no record: no game was begun",
            {"match_id": match_id},
        )
    return record_from_bytes(data)


def _pieces(events: Sequence[Event]) -> Iterator[Sequence[Event]]:
    return (events[start : start + PIECE] for start in range(0, len(events), PIECE))
