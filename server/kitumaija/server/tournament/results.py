"""What is stored of a match that ended: its seats as rows, and its record."""

from __future__ import annotations

from collections import Counter

from kitumaija.engine import DecidedBy, Seat
from kitumaija.server.lobby.hooks import MatchOver
from kitumaija.server.match.values import MatchNotStarted, MatchPlayed
from kitumaija.server.store.rows import MatchSeatRow
from kitumaija.wire.record import (
    MatchRecord,
    RecordedBot,
    RecordTimings,
    record_to_bytes,
)


def played_seats(match_id: str, played: MatchPlayed) -> tuple[MatchSeatRow, ...]:
    """Return the rows of the seats of a match that counts."""
    game = played.game
    forfeited = {forfeit.seat for forfeit in played.forfeits}
    decisions = Counter(decision.seat for decision in game.decisions)
    by_default = Counter(
        decision.seat for decision in game.decisions if decision.by is not DecidedBy.BOT
    )
    return tuple(
        MatchSeatRow(
            match_id,
            seat,
            bot_id,
            place=game.result.placing[seat],
            forfeited=seat in forfeited,
            faults={fault.value: count for fault, count in Counter(played.faults[seat]).items()},
            decisions=decisions[Seat(seat)],
            default_decisions=by_default[Seat(seat)],
        )
        for seat, bot_id in enumerate(game.seats)
    )


def absent_seats(
    match_id: str, seats: tuple[str, ...], missing: MatchNotStarted
) -> tuple[MatchSeatRow, ...]:
    """Return the rows of the seats that kept a match from starting, each with its fault."""
    return tuple(
        MatchSeatRow(match_id, seat, seats[seat], faults={fault.value: 1})
        for seat, fault in missing.absent
    )


def record_of(
    over: MatchOver, played: MatchPlayed, *, tournament_id: str, names: dict[str, str]
) -> bytes:
    """Return the record of a match that counts, as the bytes of a record file."""
    setup = over.setup
    bots = tuple(
        RecordedBot(
            seat=Seat(seat),
            display_name=names[bot_id],
            bot_version=info.version if info else "",
            sdk=info.sdk if info else "",
            language=info.language if info else "",
        )
        for seat, (bot_id, info) in enumerate(zip(setup.entrants, over.bots, strict=True))
    )
    timings = RecordTimings(
        match_id=setup.match_id,
        tournament_id=tournament_id,
        limits=setup.limits,
        started_at=over.started_at,
        ended_at=over.ended_at,
        decisions=played.timings,
        bots=bots,
    )
    return record_to_bytes(MatchRecord(played.game, timings))
