"""The course of a match: from the first decision to its end.

`advance` is the heart: it plays on, by default where no bot is to be asked, until a bot has to be
asked or the match is over. Whatever happens to a match ends in a call of it.
"""

from __future__ import annotations

from dataclasses import replace

from kitumaija.engine import (
    RULES_VERSION,
    Action,
    DecidedBy,
    Decision,
    GameRecord,
    RecordedResult,
    Seat,
    Step,
    apply,
    default_action,
    legal_actions,
    match_places,
    view,
)
from kitumaija.server.match.charging import clock_limit, time_used, timing_at
from kitumaija.server.match.clocks import bank_after, microseconds_up
from kitumaija.server.match.faults import by_default, by_seat_lost
from kitumaija.server.match.journal import Decided, Forfeited, NotStarted, Seated, Voided
from kitumaija.server.match.noting import note
from kitumaija.server.match.state import Draft, MatchPhase, Pending
from kitumaija.server.match.telling import tell_decision, tell_end, tell_seating
from kitumaija.server.match.values import (
    Fault,
    Forfeit,
    MatchEnding,
    MatchNotStarted,
    MatchPlayed,
    MatchResult,
    MatchVoid,
    Nanos,
)
from kitumaija.wire.record import DecisionTiming, IncidentKind

_UNTIMED = DecisionTiming(0, 0, 0, 0)


def begin_game(draft: Draft, at: Nanos) -> None:
    """All are ready: tell who sits where and ask the first decision.

    A bot that was lost since it was ready plays all the same; it counts as away from now on.
    """
    draft.phase = MatchPhase.PLAYING
    draft.journal(Seated())
    for seat, record in enumerate(draft.seats):
        if record.away_since is not None:
            draft.seats[seat] = record._replace(away_since=at)
    tell_seating(draft)
    advance(draft, at)


def advance(draft: Draft, at: Nanos) -> None:
    """Play on until a bot has to be asked or the match is over."""
    while not _finished(draft):
        mover = draft.game.mover
        record = draft.seats[mover]
        if record.forfeited is not None:
            fault = record.forfeited
            _decide_by_default(draft, by_seat_lost(fault), fault, at)
        elif record.left:
            charge(draft, Fault.DISCONNECTED, at)
        elif draft.pending is not None:
            return
        else:
            ask(draft, at)
            return


def ask(draft: Draft, at: Nanos, *, illegal: int = 0) -> None:
    """Open the mover's decision. Its clock waits for the sending, or starts at once if it is away.

    `illegal` is how many illegal answers to it were refused before, which is known after a restart.
    """
    seat = draft.game.mover
    record = draft.seats[seat]
    away = record.away_since
    draft.pending = Pending(
        seat,
        len(record.decided) + 1,
        legal_actions(draft.game),
        None if away is None else max(at, away),
        illegal=illegal,
    )
    tell_decision(draft, at)


def decide(
    draft: Draft,
    step: Step,
    *,
    action: Action,
    by: DecidedBy,
    fault: Fault | None,
    at: Nanos,
    think_time_us: int | None = None,
) -> None:
    """Make the mover's decision at `at`: `action`, which leads to `step`. Charges its clock."""
    mover = draft.game.mover
    record = draft.seats[mover]
    pending = draft.pending
    bank, timing = record.bank, _UNTIMED
    if pending is not None:
        answered = by is DecidedBy.BOT
        bank = bank_after(draft.terms, bank, time_used(draft, pending, at), answered=answered)
        timing = replace(timing_at(draft, pending, at), think_time_us=think_time_us)
    decided = Decided(
        mover,
        len(record.decided) + 1,
        action,
        by,
        fault,
        timing,
        microseconds_up(bank),
    )
    draft.journal(decided)
    take_over(draft, step, decided, bank)


def take_over(draft: Draft, step: Step, decided: Decided, bank: int) -> None:
    """Make a journaled decision part of the match; `bank` is the seat's afterwards."""
    seat, fault = decided.seat, decided.fault
    record = draft.seats[seat]
    decision = Decision(seat, decided.action, decided.by, None if fault is None else fault.value)
    faults = record.faults
    if fault is not None and decided.by is DecidedBy.DEFAULT:
        faults = (*faults, fault)
    draft.seats[seat] = record._replace(
        bank=bank,
        faults=faults,
        last_used_us=decided.timing.used_us,
        decided=record.decided.plus(decided),
    )
    draft.decisions = draft.decisions.plus(decision)
    draft.timings = draft.timings.plus(decided.timing)
    draft.events = draft.events.plus(*step.events)
    draft.game = step.state
    draft.pending = None


def charge(draft: Draft, fault: Fault, at: Nanos) -> None:
    """The mover's bot did not decide, for `fault`: one default action, or the seat, is lost.

    The fault that reaches the number allowed forfeits the seat before anything is played for it.
    """
    mover = draft.game.mover
    faults = len(draft.seats[mover].faults) + 1
    if draft.setup.policy.costs_seat(fault, faults):
        forfeit(draft, mover, fault, at)
    else:
        _decide_by_default(draft, by_default(fault), fault, at)


def run_out(draft: Draft, pending: Pending, at: Nanos) -> None:
    """The open decision's time is over. Whose fault it is depends on where its bot was then."""
    record = draft.seats[pending.seat]
    limit = clock_limit(draft, pending)
    if limit is None:
        return
    lost = record.away_since
    away = record.back_since > limit if lost is None else lost <= limit
    charge(draft, Fault.DISCONNECTED if away else Fault.DECISION_TIMEOUT, at)


def forfeit(draft: Draft, seat: Seat, fault: Fault, at: Nanos, detail: str = "") -> None:
    """Forfeit a seat that still plays. The caller advances the match afterwards.

    `detail` is what is known of the fault beside its name, in a sentence.
    """
    draft.journal(Forfeited(seat, fault))
    note(draft, seat, IncidentKind.FORFEITED, at, detail=detail, fault=fault)
    mark_forfeited(draft, seat, fault)


def mark_forfeited(draft: Draft, seat: Seat, fault: Fault) -> None:
    """Make a journaled forfeit part of the match."""
    record = draft.seats[seat]
    draft.seats[seat] = record._replace(forfeited=fault, faults=(*record.faults, fault))
    draft.forfeits = (*draft.forfeits, Forfeit(seat, fault, len(draft.decisions)))


def end_not_started(draft: Draft, absent: tuple[tuple[Seat, Fault], ...]) -> None:
    """End a match that could not begin."""
    draft.journal(NotStarted(absent))
    _end(draft, MatchNotStarted(absent))


def end_void(draft: Draft, reason: str) -> None:
    """End a match that does not count."""
    draft.journal(Voided(reason))
    _end(draft, MatchVoid(reason, draft.decisions.since(0)))


def _finished(draft: Draft) -> bool:
    """End the match if the game is over or fewer than two seats still play."""
    if draft.phase is MatchPhase.OVER:
        return True
    if draft.game.outcome is not None:
        ending = MatchEnding.PLAYED
    elif draft.forfeits and len(draft.active_seats()) <= 1:
        ending = MatchEnding.FORFEITS
    else:
        return False
    _end(draft, _played(draft, ending))
    return True


def _played(draft: Draft, ending: MatchEnding) -> MatchPlayed:
    setup, game = draft.setup, draft.game
    forfeited = tuple(lost.seat for lost in draft.forfeits)
    result = RecordedResult(game.outcome, match_places(game, forfeited), forfeited)
    return MatchPlayed(
        game=GameRecord(
            RULES_VERSION,
            setup.options,
            setup.deal,
            setup.entrants,
            draft.decisions.since(0),
            result,
        ),
        timings=draft.timings.since(0),
        ending=ending,
        forfeits=draft.forfeits,
        faults=tuple(record.faults for record in draft.seats),
        incidents=draft.incidents,
    )


def _end(draft: Draft, result: MatchResult) -> None:
    draft.end(result)
    for seat in map(Seat, range(draft.setup.seats)):
        tell_end(draft, seat)


def _decide_by_default(draft: Draft, by: DecidedBy, fault: Fault, at: Nanos) -> None:
    game = draft.game
    legal = legal_actions(game) if draft.pending is None else draft.pending.legal
    action = default_action(view(game, game.mover), legal)
    decide(draft, apply(game, action), action=action, by=by, fault=fault, at=at)
