"""What is stored of a match that ended: its seats as rows, and its record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kitumaija.engine import (
    RULES_VERSION,
    DecidedBy,
    Decision,
    GameRecord,
    RecordedResult,
    Seat,
)
from kitumaija.server.lobby.hooks import MatchOver
from kitumaija.server.match.journal import Decided, Forfeited, JournalEntry, Seated, Seen
from kitumaija.server.match.values import MatchNotStarted, MatchPlayed, MatchSetup
from kitumaija.server.store.rows import MatchSeatRow
from kitumaija.wire.record import (
    DealProof,
    DecisionTiming,
    Incident,
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


def broken_off(
    setup: MatchSetup, entries: Sequence[JournalEntry]
) -> tuple[GameRecord, tuple[DecisionTiming, ...], tuple[Incident, ...]] | None:
    """Return what had been played of a match that is void; None if its game had not begun.

    It is made of the journal alone: the match's own machine may be what failed.
    """
    if not any(isinstance(entry, Seated) for entry in entries):
        return None
    decided = [entry for entry in entries if isinstance(entry, Decided)]
    forfeited = tuple(entry.seat for entry in entries if isinstance(entry, Forfeited))
    game = GameRecord(
        RULES_VERSION,
        setup.options,
        setup.deal,
        setup.entrants,
        tuple(
            Decision(one.seat, one.action, one.by, None if one.fault is None else one.fault.value)
            for one in decided
        ),
        RecordedResult(None, (), forfeited),
    )
    seen = tuple(entry.incident for entry in entries if isinstance(entry, Seen))
    return game, tuple(one.timing for one in decided), seen


def record_of(
    over: MatchOver,
    game: GameRecord,
    decisions: tuple[DecisionTiming, ...],
    incidents: tuple[Incident, ...],
    *,
    tournament_id: str,
    names: dict[str, str],
    proof: DealProof | None = None,
) -> bytes:
    """Return the record of a match, as the bytes of a record file; `decisions` are their times."""
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
        decisions=decisions,
        bots=bots,
        incidents=incidents,
        deal_proof=proof,
    )
    return record_to_bytes(MatchRecord(game, timings))
