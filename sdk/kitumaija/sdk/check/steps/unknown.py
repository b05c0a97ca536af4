"""Messages as a newer server may send them, and steps about what is made of those."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from google.protobuf.message import Message

from kitumaija.sdk.check.exam import Exam
from kitumaija.sdk.check.step import Failed, Step
from kitumaija.sdk.check.steps import positions
from kitumaija.sdk.check.steps.greeting import hear_pong, ping
from kitumaija.sdk.check.table import Table
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import action_to_message
from kitumaija.wire.kinds import Kind

Some = TypeVar("Some", bound=Message)

FIELD: Final = 1_999
"""The number of a field that no message of today has."""

VALUE: Final = 1_999
"""A number that no enum of today has."""


def unknown_field(size: int = 3) -> bytes:
    """Return the bytes of a field that nobody knows, with `size` bytes in it."""
    return _varint(FIELD << 3 | 2) + _varint(size) + b"\x01" * size


def with_unknown(message: Some, *, size: int = 3) -> Some:
    """Return the message, with a field that nobody knows in it and in all messages inside."""
    data = unknown_field(size)
    for field, value in message.ListFields():
        if field.message_type is not None:
            for each in (value,) if isinstance(value, Message) else value:
                with_unknown(each)
    message.MergeFromString(data)
    return message


def unknown_kind() -> arena_pb2.ServerMessage:
    """Return a message of a kind that nobody knows."""
    return arena_pb2.ServerMessage.FromString(unknown_field())


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


async def _fields(exam: Exam) -> None:
    stream = await exam.here()
    table = exam.table(seats=3)
    table.started = True
    await stream.say(with_unknown(table.referee.start()))
    await table.ready()
    await stream.say(with_unknown(table.referee.seating()))
    while table.referee.proceed():
        await stream.say(with_unknown(table.question()))
        table.referee.take(await table.answer())
        await stream.say(with_unknown(table.referee.accepted()))
    table.over = True
    await stream.say(with_unknown(table.referee.end()))


async def _kinds(exam: Exam) -> None:
    table = await exam.sit()
    await exam.stream.say(unknown_kind())
    table.referee.proceed()
    await exam.stream.say(unknown_kind(), table.question(), unknown_kind(), ping(3))
    await hear_pong(exam, 3)
    table.referee.take(await table.answer())
    await exam.stream.say(table.referee.accepted(), unknown_kind())
    await table.play(decisions=2)


async def _events(exam: Exam) -> None:
    """Events of an unknown kind count in the numbering: nothing is missing behind them."""
    table = await exam.sit()
    extra = 0
    for _ in range(3):
        if not table.referee.proceed():
            return
        question = table.question()
        decision = question.decision
        decision.first_event += extra
        for _ in range(2):
            decision.events.add(kind=VALUE, seat=1, count=7)
            extra += 1
        await exam.stream.say(question)
        table.referee.take(await table.answer())
        await exam.stream.say(table.referee.accepted())
    if any(heard.kind is Kind.RESYNC for heard in exam.stream.heard):
        raise Failed("no Resync, for an event of an unknown kind is skipped but counted", "Resync")
    await table.void()


def _newer(message: Any, *fields: str) -> None:
    for field in fields:
        setattr(message, field, VALUE)


async def _values(exam: Exam) -> None:
    stream = await exam.here()
    table = exam.table(opening=positions.CATCH.opening())
    await table.offer()
    seating = table.referee.seating()
    _newer(seating.seating.options, "free_from_stock", "pickup", "stopped", "hand_sizes")
    await stream.say(seating)
    question = table.question()
    _newer(question.decision.view, "phase")
    await stream.say(question)
    action = await table.answer()
    others = [each for each in table.referee.legal if each != action]
    await stream.say(_refusal_of(table, others))
    again = await table.hear_answer()
    if again.action != action_to_message(others[0]):
        raise Failed(
            "an Answer with what Refusal.legal names, whatever the reason",
            f"{again.action}".strip(),
        )
    table.referee.take(others[0])
    await stream.say(table.referee.accepted())
    ended = table.referee.void()
    _newer(ended.match_end, "ending", "termination")
    ended.match_end.faults.add(seat=0, faults=[VALUE])
    table.over = True
    await stream.say(ended)
    await _plays_on(exam)


def _refusal_of(table: Table, legal: Any) -> arena_pb2.ServerMessage:
    said = arena_pb2.ServerMessage()
    refusal = said.refusal
    refusal.match_id, refusal.decision_id = table.match_id, table.referee.decision_id
    _newer(refusal, "reason")
    refusal.legal.play.append(action_to_message(legal[0]).play)
    refusal.retries_left = 1
    return said


async def _actions(exam: Exam) -> None:
    """Beside what it knows there is an action of a new kind; then there is nothing else."""
    table = await exam.sit(opening=positions.FREE.opening())
    question = table.question()
    question.decision.legal.MergeFromString(unknown_field())
    await exam.stream.say(question)
    table.referee.take(await table.answer())
    await exam.stream.say(table.referee.accepted())
    await table.void()
    table = await exam.sit(opening=positions.FREE.opening())
    question = table.question()
    question.decision.legal.Clear()
    question.decision.legal.MergeFromString(unknown_field())
    await exam.stream.say(question)
    await exam.quiet(
        Kind.ANSWER, wanted="no Answer where no action of a kind that it knows is legal"
    )
    await _plays_on(exam)


async def _plays_on(exam: Exam) -> None:
    table = await exam.sit()
    table.referee.proceed()
    await table.decide()


STEPS: Final = (
    Step(
        "unknown-fields",
        "It ignores fields that it does not know, in every message.",
        _fields,
        "Other versions",
        "Let protobuf ignore them: do not refuse unknown fields.",
    ),
    Step(
        "unknown-kinds",
        "It ignores messages of a kind that it does not know.",
        _kinds,
        "Other versions",
        "Where no field of ServerMessage.message is set, go on to the next message.",
    ),
    Step(
        "unknown-events",
        "It skips events of a kind that it does not know, and counts them.",
        _events,
        "Other versions",
        "Count every event in Decision.events, also one that you cannot read.",
    ),
    Step(
        "unknown-values",
        "It takes an unknown phase, option, reason or ending for the unspecified one.",
        _values,
        "Other versions",
        "Have a default case for each enum; answer by `legal`, whatever the phase is.",
    ),
    Step(
        "unknown-actions",
        "It leaves out actions that it does not know, and is silent where nothing else is legal.",
        _actions,
        "Other versions",
        "If `legal` holds nothing that you know, say nothing: the server decides.",
    ),
)
