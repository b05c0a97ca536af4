"""How a match ended, made again from the store for a bot that was away when it did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from kitumaija.engine import DecidedBy, GameRecord, Seat, Step, event_for
from kitumaija.server.match.commands import EndMatch
from kitumaija.server.match.telling import NOT_STARTED
from kitumaija.server.match.values import Fault, Forfeit, MatchEnding
from kitumaija.server.store import matches, records, tournaments
from kitumaija.server.store.rows import MatchState
from kitumaija.server.store.transactions import ReadTx
from kitumaija.wire.record import IncidentKind, MatchRecord, record_from_bytes

Steps = Callable[[GameRecord], tuple[Step, ...]]
"""Plays a record again."""

UNKNOWN = "This server knows no such match of this bot."


def ending_of(tx: ReadTx, bot_id: str, match_id: str, steps_of: Steps) -> EndMatch | None:
    """Return how a match of the bot ended; None while it runs.

    A match that the bot never sat in is void to it, and nothing is said of it.
    """
    match = matches.get(tx, match_id)
    seats = () if match is None else matches.seats(tx, match_id)
    seat = next((Seat(row.seat) for row in seats if row.bot_id == bot_id), None)
    if match is None or seat is None:
        return EndMatch(MatchEnding.VOID, reason=UNKNOWN)
    if match.state is MatchState.RUNNING:
        return None
    data = records.get(tx, match_id)
    if match.state is not MatchState.FINISHED or data is None:
        # Why a match did not begin names who did not come, which nobody is told.
        began = data is not None or match.state is not MatchState.VOID
        absent = any(row.faults for row in seats)
        return EndMatch(
            MatchEnding.VOID, reason=match.reason if began and not absent else NOT_STARTED
        )
    record = record_from_bytes(data)
    ending = MatchEnding(match.ending or MatchEnding.PLAYED)
    end = _played(record, steps_of(record.game), seat, ending)
    return replace(end, players=_players(record)) if _is_blind(tx, match.tournament_id) else end


def _played(
    record: MatchRecord, steps: tuple[Step, ...], seat: Seat, ending: MatchEnding
) -> EndMatch:
    game = record.game
    final = steps[-1].state
    everybody = range(len(game.seats))
    forfeits = tuple(_forfeits(record))
    return EndMatch(
        ending=ending,
        outcome=game.result.outcome,
        places=game.result.placing,
        forfeits=forfeits,
        faults=tuple(_faults(record, Seat(each), forfeits) for each in everybody),
        first_event=0,
        events=tuple(event_for(event, seat) for step in steps for event in step.events),
        hands=tuple(final.hand(Seat(each)) for each in everybody),
        stock=final.stock,
        pile=final.pile,
        deal=game.deal,
    )


def _is_blind(tx: ReadTx, tournament_id: str) -> bool:
    row = tournaments.get(tx, tournament_id, secrets=False)
    return row is not None and bool(row.settings.get("blind"))


def _players(record: MatchRecord) -> tuple[tuple[str, str], ...]:
    names = {bot.seat: bot.display_name for bot in record.timings.bots}
    return tuple(
        (bot_id, names.get(Seat(seat), bot_id)) for seat, bot_id in enumerate(record.game.seats)
    )


def _forfeits(record: MatchRecord) -> Iterator[Forfeit]:
    """Yield the forfeits in order, with what each was for and when."""
    for seat in record.game.result.forfeits:
        seen = next(
            (
                (one.fault, one.decisions)
                for one in record.timings.incidents
                if one.seat == seat and one.kind is IncidentKind.FORFEITED
            ),
            None,
        )
        if seen is None:
            # A record of before this was kept: the first decision made for the seat tells it.
            seen = next(
                (
                    (decision.fault, index)
                    for index, decision in enumerate(record.game.decisions)
                    if decision.seat == seat and decision.by is DecidedBy.FORFEIT
                ),
                (None, len(record.game.decisions)),
            )
        fault, at = seen
        if fault is not None:
            yield Forfeit(seat, Fault(fault), at)


def _faults(record: MatchRecord, seat: Seat, forfeits: tuple[Forfeit, ...]) -> tuple[Fault, ...]:
    """Return a seat's faults in order: what cost it decisions, then what cost it the seat."""
    decisions = [
        Fault(one.fault)
        for one in record.game.decisions
        if one.seat == seat and one.by is DecidedBy.DEFAULT and one.fault is not None
    ]
    return (*decisions, *(lost.fault for lost in forfeits if lost.seat == seat))
