"""Steps about being offered a match, and about playing at tables of every size."""

from __future__ import annotations

from typing import Final

from kitumaija.sdk.check.exam import Exam
from kitumaija.sdk.check.step import Failed, Step
from kitumaija.sdk.check.table import Table
from kitumaija.wire.kinds import Kind

ALL_SEATS: Final = range(2, 11)


async def _ready(exam: Exam) -> None:
    await exam.here()
    table = exam.table()
    await table.offer()


async def _ready_each(exam: Exam) -> None:
    stream = await exam.here()
    tables = [exam.table(seats=2 + number % 3) for number in range(exam.capacity)]
    for table in tables:
        table.started = True
    await stream.say(*(table.referee.start() for table in tables))
    for table in reversed(tables):
        await table.ready()


async def _ready_again(exam: Exam) -> None:
    await exam.here()
    table = exam.table()
    await table.offer()
    await exam.cut(table)
    await table.offer()
    await exam.stream.say(table.referee.seating())
    await table.decide()


async def _unasked(exam: Exam) -> None:
    table = await exam.sit()
    silent = (Kind.ANSWER, Kind.READY, Kind.RESYNC, Kind.ENTROPY)
    await exam.quiet(*silent, wanted="nothing after Seating, until a decision is asked")
    table.referee.proceed()
    await table.decide()
    await exam.quiet(*silent, wanted="nothing after Accepted, until a decision is asked")
    await exam.stream.say(table.referee.sync())
    await exam.quiet(*silent, wanted="nothing after MatchSync, until a decision is asked")
    await table.void()
    await exam.quiet(*silent, wanted="nothing after MatchEnd")


async def _seats(exam: Exam) -> None:
    await exam.here()
    waiting = [(seats, seats - 1 if seats % 2 else 0) for seats in ALL_SEATS]
    while waiting:
        tables = [exam.table(seats=seats, seat=seat) for seats, seat in waiting[: exam.capacity]]
        del waiting[: exam.capacity]
        for table in tables:
            await table.sit()
        await play_in_turns(exam, tables)


async def _many(exam: Exam) -> None:
    tables = [await exam.sit(seats=2, seat=number % 2) for number in range(exam.capacity)]
    await play_in_turns(exam, tables, decisions=12)


async def _order(exam: Exam) -> None:
    """Answers may come in any order; each is held against its own match."""
    tables = [await exam.sit(seed=f"order/{number}") for number in range(min(exam.capacity, 4))]
    for table in tables:
        table.referee.proceed()
        await table.ask()
    for table in reversed(tables):
        answer = await table.hear_answer()
        if answer.match_id != table.match_id:
            raise Failed(f"an Answer of match {table.match_id}", f"one of {answer.match_id}")
        table.referee.take(table.action_of(answer))
        await exam.stream.say(table.referee.accepted())


async def play_in_turns(exam: Exam, tables: list[Table], *, decisions: int | None = None) -> None:
    """Play matches side by side: all that can be asked is, in one frame, before it is answered.

    Each ends with its MatchEnd, however the others stand, or after so many decisions.
    """
    rounds = 0
    while tables and rounds != decisions:
        rounds += 1
        asked = [table for table in tables if table.referee.proceed()]
        for table in [table for table in tables if table not in asked]:
            await exam.stream.say(table.referee.end())
            table.over = True
        await exam.stream.say(*(table.question() for table in asked))
        for table in reversed(asked):
            table.referee.take(await table.answer())
        await exam.stream.say(*(table.referee.accepted() for table in asked))
        tables = asked


STEPS: Final = (
    Step(
        "ready",
        "It says Ready to a match that it is offered.",
        _ready,
        "What the bot says",
        "Answer each MatchStart with Ready and its match_id, within Limits.startup.",
    ),
    Step(
        "ready-each",
        "It says Ready to each of as many matches as it wants, offered in one frame.",
        _ready_each,
        "What the bot says",
        "Keep your state by match_id; Hello.capacity is how many matches there may be at once.",
    ),
    Step(
        "ready-again",
        "A match that is offered again on a new stream gets its Ready there.",
        _ready_again,
        "Coming back",
        "Say Ready to every MatchStart, also for a match that you know: what was said on a stream "
        "that broke does not count.",
    ),
    Step(
        "unasked",
        "It says nothing about a match while it is not asked.",
        _unasked,
        "The course of a match, exactly",
        "Answer a Decision and nothing else: Seating, Accepted, MatchSync and MatchEnd want none.",
    ),
    Step(
        "seats",
        "It plays whole games at tables of 2 to 10, in the first seat and in the last.",
        _seats,
        "Deciding",
        "Take the number of seats from Seating, and what is legal from the Decision.",
        seconds=60.0,
    ),
    Step(
        "many",
        "It plays as many matches at once as it wants, all of them asked in one frame.",
        _many,
        "The stream",
        "Keep your state by match_id, and let no match wait for another one.",
    ),
    Step(
        "order",
        "Each answer names the match and the decision that it is for.",
        _order,
        "What the bot says",
        "Copy match_id and decision_id from the Decision that you answer.",
    ),
)
