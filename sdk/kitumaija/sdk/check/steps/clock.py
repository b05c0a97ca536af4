"""Steps about time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final

from kitumaija.sdk.check.exam import Exam
from kitumaija.sdk.check.step import Failed, Step
from kitumaija.sdk.check.steps.greeting import hear_pong, ping
from kitumaija.sdk.check.table import Table

SHORT: Final = timedelta(milliseconds=400)
"""A short time for a decision, and still one that a busy machine of an author's can keep."""

_NO_BANK: Final = timedelta(0)


async def _in_time(exam: Exam) -> str:
    table = await _short(exam)
    await table.play(decisions=8)
    return f"the slowest answer after {table.slowest * 1e3:.0f} of {SHORT / _MS:.0f} ms"


async def _bank(exam: Exam) -> None:
    """The bank is nearly empty: what was plenty a decision ago is not there any more."""
    await exam.here()
    limits = replace(exam.times.limits, per_decision=SHORT / 2, bank=SHORT, increment=_NO_BANK)
    table = exam.table(limits=limits)
    await table.sit()
    for left in (limits.per_decision + limits.bank, SHORT, SHORT):
        if not table.referee.proceed():
            return
        await table.ask(time_left=left)
        table.referee.take(await table.answer())
        await exam.stream.say(table.referee.accepted())


async def _round_trip(exam: Exam) -> None:
    """Of the time that is left the way there and back takes the larger part."""
    await exam.here()
    table = exam.table()
    await table.sit()
    for _ in range(3):
        if not table.referee.proceed():
            return
        question = table.question(time_left=3 * SHORT)
        question.decision.round_trip_us = 2 * SHORT // _US
        await exam.stream.say(question)
        answer = await table.hear_answer(within=SHORT.total_seconds() + 0.05)
        table.referee.take(table.action_of(answer))
        await exam.stream.say(table.referee.accepted())


async def _at_once(exam: Exam) -> None:
    """All matches are asked at the same moment, and none has time to wait for another."""
    tables = [await _short(exam) for _ in range(min(exam.capacity, 8))]
    for _ in range(4):
        tables = [table for table in tables if table.referee.proceed()]
        await exam.stream.say(*(table.question() for table in tables))
        for table in tables:
            table.referee.take(await table.answer())
        await exam.stream.say(*(table.referee.accepted() for table in tables))


async def _think_time(exam: Exam) -> str:
    table = await exam.sit()
    said = 0
    for _ in range(5):
        if not table.referee.proceed():
            break
        await table.ask()
        answer = await table.hear_answer()
        if answer.HasField("think_time_us"):
            said += 1
            measured = table.last_used * 1e6
            if not 0 <= answer.think_time_us <= measured:
                raise Failed(
                    f"a think_time_us of what it took from the Decision to the Answer at most, "
                    f"{measured:.0f} us, or none",
                    f"{answer.think_time_us}",
                )
        table.referee.take(table.action_of(answer))
        await exam.stream.say(table.referee.accepted())
    return "" if said else "it does not say how long it thinks, and need not"


async def _pong_while_asked(exam: Exam) -> None:
    """However long it thinks, a Ping is answered at once: or the round trip is measured wrong."""
    tables = [await exam.sit() for _ in range(min(exam.capacity, 4))]
    for table in tables:
        table.referee.proceed()
    await exam.stream.say(*(table.question() for table in tables), ping(11))
    await hear_pong(exam, 11)
    for table in tables:
        table.referee.take(await table.answer())
        await exam.stream.say(table.referee.accepted())


async def _time_left(exam: Exam) -> None:
    """On a new stream the open decision has what is left of its time."""
    table = await exam.sit()
    table.referee.proceed()
    await table.ask(time_left=timedelta(seconds=5))
    await table.hear_answer()
    await exam.cut(table)
    question = table.question_again()
    question.decision.time_left_us = SHORT // _US
    question.decision.bank_us = 0
    began = exam.now()
    await exam.stream.say(table.referee.sync(), question)
    await table.hear_answer(within=began - table.asked_at + SHORT.total_seconds() + 0.05)


async def _short(exam: Exam) -> Table:
    await exam.here()
    limits = replace(exam.times.limits, per_decision=SHORT, bank=_NO_BANK)
    table = exam.table(limits=limits)
    await table.sit()
    return table


_MS: Final = timedelta(milliseconds=1)
_US: Final = timedelta(microseconds=1)

STEPS: Final = (
    Step(
        "in-time",
        "It answers within a short time a decision, with no bank to help.",
        _in_time,
        "The clock",
        "Think for less than Decision.time_left_us, whatever the limits of other matches were.",
    ),
    Step(
        "bank",
        "It looks at the time that is left anew in each decision.",
        _bank,
        "The clock",
        "The bank is the reserve of a whole match: read time_left_us in every Decision.",
    ),
    Step(
        "round-trip",
        "It leaves out of the time that is left what the network takes.",
        _round_trip,
        "The clock",
        "An answer is in time within time_left_us - round_trip_us of the Decision's coming.",
    ),
    Step(
        "at-once",
        "It is in time in many matches that are asked at the same moment.",
        _at_once,
        "The clock",
        "Each match has its own clock: let no match wait while you think about another.",
    ),
    Step(
        "think-time",
        "If it says how long it thought, that can have been so.",
        _think_time,
        "The clock",
        "think_time_us is in microseconds, from Decision to Answer; leave it out if unsure.",
    ),
    Step(
        "pong-while-asked",
        "It answers a Ping at once while it is asked in several matches.",
        _pong_while_asked,
        "What the server says",
        "Read the stream in a task or thread of its own, and think in another one.",
    ),
    Step(
        "time-left",
        "After coming back it answers in what is left of the decision's time.",
        _time_left,
        "Coming back",
        "The Decision that is asked again has its time_left_us set anew: obey that one.",
    ),
)
