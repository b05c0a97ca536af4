"""Answers: what becomes of each, in every phase of a match."""

from __future__ import annotations

from kitumaija.engine import DecidedBy, IllegalAction, apply
from kitumaija.server.match import refusals
from kitumaija.server.match.commands import AcceptAnswer, RefusalReason, RefuseAnswer
from kitumaija.server.match.course import advance, charge, decide
from kitumaija.server.match.events import AnswerArrived
from kitumaija.server.match.journal import RefusedIllegal
from kitumaija.server.match.limits import rule_on_clock
from kitumaija.server.match.noting import note
from kitumaija.server.match.state import Draft, Pending
from kitumaija.server.match.values import Fault, MatchPlayed
from kitumaija.wire.record import IncidentKind


def too_early(draft: Draft, event: AnswerArrived) -> None:
    """Refuse an answer before the game has begun: nothing has been asked."""
    _refuse(draft, event, RefusalReason.UNKNOWN_DECISION, refusals.NOT_ASKED)


def in_play(draft: Draft, event: AnswerArrived) -> None:
    """Judge an answer to the open decision; acknowledge or refuse every other."""
    rule_on_clock(draft, event.seat, event.at)
    pending = draft.pending
    if (
        pending is not None
        and pending.seat == event.seat
        and pending.decision_id == event.decision_id
    ):
        _judge(draft, event, pending)
        return
    if _acknowledged(draft, event):
        return
    record = draft.seats[event.seat]
    if record.forfeited is not None:
        _refuse(draft, event, RefusalReason.FORFEITED, refusals.SEAT_LOST)
    elif 1 <= event.decision_id <= len(record.decided):
        decided = record.decided[event.decision_id - 1]
        if decided.by is DecidedBy.BOT:
            detail = refusals.ANSWERED_BEFORE
        else:
            detail = refusals.decided_without(decided)
        _refuse(draft, event, RefusalReason.DECIDED, detail)
    else:
        _refuse(draft, event, RefusalReason.UNKNOWN_DECISION, refusals.NOT_ASKED)


def too_late(draft: Draft, event: AnswerArrived) -> None:
    """After the end: an answer that was taken is acknowledged again, every other is refused."""
    if not (isinstance(draft.result, MatchPlayed) and _acknowledged(draft, event)):
        _refuse(draft, event, RefusalReason.UNKNOWN_MATCH, refusals.OVER)


def _judge(draft: Draft, event: AnswerArrived, pending: Pending) -> None:
    """The answer is in time and to the open decision: play it, or refuse it as illegal."""
    action = event.action
    if action is None:
        detail = event.problem or refusals.UNREADABLE
        _refuse_illegal(draft, event, pending, RefusalReason.MALFORMED_ACTION, detail)
        return
    try:
        step = apply(draft.game, action)
    except IllegalAction as error:
        # The error's own text shows the whole position; the bot is told the rule alone.
        detail = refusals.broken_rule(error.reason)
        _refuse_illegal(draft, event, pending, RefusalReason.ILLEGAL_ACTION, detail)
        return
    decide(
        draft,
        step,
        action=action,
        by=DecidedBy.BOT,
        fault=None,
        at=event.at,
        think_time_us=event.think_time_us,
    )
    draft.tell(event.seat, AcceptAnswer(event.decision_id))
    advance(draft, event.at)


def _refuse_illegal(
    draft: Draft, event: AnswerArrived, pending: Pending, reason: RefusalReason, detail: str
) -> None:
    """Refuse an illegal answer while there are retries, and charge the fault when there are none.

    Neither stops the clock nor starts it anew.
    """
    note(
        draft,
        event.seat,
        IncidentKind.ILLEGAL_ANSWER,
        event.at,
        answer=event.action,
        detail=detail,
    )
    retries = draft.setup.policy.illegal_retries - pending.illegal
    if retries > 0:
        draft.journal(RefusedIllegal(event.seat, event.decision_id))
        draft.pending = pending._replace(illegal=pending.illegal + 1)
    legal = pending.legal if retries > 0 else ()
    refusal = RefuseAnswer(event.decision_id, reason, event.action, detail, legal, max(0, retries))
    draft.tell(event.seat, refusal)
    if retries <= 0:
        charge(draft, Fault.ILLEGAL_ACTION, event.at)
        advance(draft, event.at)


def _acknowledged(draft: Draft, event: AnswerArrived) -> bool:
    """Accept an answer again that was taken before; tell whether it was one."""
    decided = draft.seats[event.seat].decided
    if not 1 <= event.decision_id <= len(decided):
        return False
    before = decided[event.decision_id - 1]
    if before.by is not DecidedBy.BOT or before.action != event.action:
        return False
    draft.tell(event.seat, AcceptAnswer(event.decision_id))
    return True


def _refuse(draft: Draft, event: AnswerArrived, reason: RefusalReason, detail: str) -> None:
    draft.tell(event.seat, RefuseAnswer(event.decision_id, reason, event.action, detail))
