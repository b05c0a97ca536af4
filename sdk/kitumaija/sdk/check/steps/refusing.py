"""Steps about answers that are not taken."""

from __future__ import annotations

from typing import Final

from kitumaija.engine import Action
from kitumaija.sdk.check.exam import Exam
from kitumaija.sdk.check.step import Failed, Step
from kitumaija.sdk.check.steps import positions
from kitumaija.sdk.check.table import Table
from kitumaija.v1 import arena_pb2, game_pb2
from kitumaija.wire.codec import action_to_message, legal_to_message
from kitumaija.wire.kinds import Kind

RETRIES: Final = 2
"""How many more answers a server takes after the first one that is refused."""


def refusal(
    table: Table,
    reason: arena_pb2.RefusalReason.ValueType,
    *,
    decision_id: int | None = None,
    action: game_pb2.Action | None = None,
    legal: tuple[Action, ...] = (),
    retries_left: int = 0,
) -> arena_pb2.ServerMessage:
    """Return a Refusal of the answer to the decision asked last; open if something is `legal`."""
    return arena_pb2.ServerMessage(
        refusal=arena_pb2.Refusal(
            match_id=table.match_id,
            decision_id=table.referee.decision_id if decision_id is None else decision_id,
            reason=reason,
            action=action,
            detail="The rules do not allow it here: ei käy, 不行.",
            legal=legal_to_message(legal) if legal else None,
            retries_left=retries_left,
        )
    )


async def _asked(exam: Exam) -> tuple[Table, arena_pb2.Answer]:
    """Have the bot answer a decision with three legal actions: two plays, and to turn."""
    table = await exam.sit(opening=positions.CATCH.opening())
    await table.ask()
    answer = await table.hear_answer()
    table.action_of(answer)
    return table, answer


async def _refused(exam: Exam) -> None:
    """The server knows better what is legal: the list of the refusal is narrower."""
    table, answer = await _asked(exam)
    reasons = (
        arena_pb2.REFUSAL_REASON_ILLEGAL_ACTION,
        arena_pb2.REFUSAL_REASON_MALFORMED_ACTION,
    )
    first = table.action_of(answer)
    others = [action for action in table.referee.legal if action != first]
    for reason, action in zip(reasons, others, strict=True):
        said = refusal(table, reason, action=answer.action, legal=(action,), retries_left=RETRIES)
        await exam.stream.say(said)
        again = await table.hear_answer()
        if again.action != action_to_message(action):
            raise Failed(
                "another Answer to the decision, with the action that Refusal.legal names",
                f"{again.action}".strip() or "no action",
            )
    table.referee.take(others[-1])
    await exam.stream.say(table.referee.accepted())
    await table.play(decisions=3)


async def _closed(exam: Exam) -> None:
    for reason in (
        arena_pb2.REFUSAL_REASON_ILLEGAL_ACTION,
        arena_pb2.REFUSAL_REASON_DECIDED,
        arena_pb2.REFUSAL_REASON_UNKNOWN_DECISION,
    ):
        table, answer = await _asked(exam)
        await exam.stream.say(refusal(table, reason, action=answer.action))
        name = arena_pb2.RefusalReason.Name(reason)
        await exam.quiet(Kind.ANSWER, wanted=f"no further Answer after {name} without `legal`")
        table.referee.take(table.referee.legal[-1])
        await table.play(decisions=3)


async def _last_chance(exam: Exam) -> None:
    """Refused until no answer is left, and the decision is made by default."""
    table, answer = await _asked(exam)
    illegal = arena_pb2.REFUSAL_REASON_ILLEGAL_ACTION
    for left in range(RETRIES, 0, -1):
        said = refusal(
            table, illegal, action=answer.action, legal=table.referee.legal, retries_left=left
        )
        await exam.stream.say(said)
        answer = await table.hear_answer()
        table.action_of(answer)
    await exam.stream.say(refusal(table, illegal, action=answer.action))
    await exam.quiet(Kind.ANSWER, wanted="no further Answer once no retries are left")
    table.referee.take(table.referee.legal[0])
    await table.play(decisions=3)


async def _forfeited(exam: Exam) -> None:
    table, answer = await _asked(exam)
    other = await exam.sit()
    for reason in (
        arena_pb2.REFUSAL_REASON_FORFEITED,
        arena_pb2.REFUSAL_REASON_UNKNOWN_MATCH,
    ):
        await exam.stream.say(refusal(table, reason, action=answer.action))
    await exam.quiet(Kind.ANSWER, wanted="no further Answer for a seat that is forfeited")
    other.referee.proceed()
    await other.decide()


async def _stale(exam: Exam) -> None:
    """A refusal of an earlier answer crossed the next decision."""
    table = await exam.sit()
    table.referee.proceed()
    await table.decide()
    table.referee.proceed()
    earlier = table.referee.decision_id
    decided = arena_pb2.REFUSAL_REASON_DECIDED
    question = table.question()
    await exam.stream.say(refusal(table, decided, decision_id=earlier), question)
    action = await table.answer()
    await exam.stream.say(refusal(table, decided, decision_id=earlier))
    await exam.quiet(
        Kind.ANSWER, wanted="no further Answer after a Refusal about an earlier decision"
    )
    table.referee.take(action)
    await exam.stream.say(table.referee.accepted())
    await table.play(decisions=2)


STEPS: Final = (
    Step(
        "refused",
        "A refused answer is followed by one with an action that the refusal calls legal.",
        _refused,
        "Refusals",
        "Where a Refusal has `legal`, answer the same decision again with an action out of it.",
    ),
    Step(
        "refused-closed",
        "A refusal without a list of what is legal ends the decision: it says no more to it.",
        _closed,
        "Refusals",
        "Answer again only where Refusal.legal is set; else wait for the next Decision.",
    ),
    Step(
        "last-chance",
        "It stops answering a decision when the last retry was refused, and plays on.",
        _last_chance,
        "Refusals",
        "Answer again only where Refusal.legal is set, whatever was refused before.",
    ),
    Step(
        "forfeited",
        "A seat that is forfeited, or a match that is unknown, ends that match alone.",
        _forfeited,
        "Refusals",
        "After FORFEITED wait for MatchEnd, after UNKNOWN_MATCH forget the match; play the others.",
    ),
    Step(
        "refused-stale",
        "A refusal about an earlier decision does not touch the one that is open.",
        _stale,
        "Refusals",
        "Compare Refusal.decision_id with the decision that is open before you act on it.",
    ),
)
