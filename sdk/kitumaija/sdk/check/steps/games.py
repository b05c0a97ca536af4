"""Steps about whole games: all options, very long ones, and many after each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kitumaija.console.text import counted
from kitumaija.engine import Action, GameOptions, PickUp, State, legal_actions
from kitumaija.sdk.check.exam import Exam
from kitumaija.sdk.check.lives import Running
from kitumaija.sdk.check.step import Failed, Life, Skipped, Step
from kitumaija.sdk.check.steps.seating import play_in_turns
from kitumaija.sdk.testing.checks import ALL_OPTIONS

LONG: Final = 300
"""How many decisions of the bot a long match has at most."""

MATCHES: Final = 300
"""How many matches the bot's memory is watched over."""

MIB: Final = 1 << 20
GROWTH: Final = 48 * MIB
"""How much more a bot may hold after the second half of them: what a collector of garbage may not
have got round to yet."""


def last_legal(state: State) -> Action:
    """Return the last legal action: the others pick up where they can, and games last long."""
    return legal_actions(state)[-1]


async def _options(exam: Exam) -> None:
    await exam.here()
    waiting = list(enumerate(ALL_OPTIONS))
    while waiting:
        tables = [
            await exam.sit(seats=2 + number % 2, options=options, limits=exam.times.quick)
            for number, options in waiting[: exam.capacity]
        ]
        del waiting[: exam.capacity]
        await play_in_turns(exam, tables, decisions=25)


async def _long(exam: Exam) -> str:
    options = replace(GameOptions(), repetition=0, turns_per_player=2 * LONG, pickup=PickUp.ALWAYS)
    await exam.here()
    table = exam.table(
        seats=3, options=options, limits=exam.times.quick, others=last_legal, seed="long"
    )
    await table.sit()
    await table.play(decisions=LONG)
    return counted(table.referee.decision_id, "decision")


async def _memory(exam: Exam) -> str:
    await exam.here()
    if exam.bot.resident() is None:
        raise Skipped("the memory of a bot that is not a process started here cannot be seen")
    for _ in range(MATCHES // 2):
        await _short_match(exam)
    before = _resident(exam.bot)
    for _ in range(MATCHES // 2):
        await _short_match(exam)
    grown = _resident(exam.bot) - before
    held = (
        f"{grown / MIB:+.0f} MiB over {MATCHES // 2} matches, to {(before + grown) / MIB:.0f} MiB"
    )
    if grown > GROWTH:
        raise Failed(f"at most {GROWTH // MIB:+d} MiB over {MATCHES // 2} matches", held)
    return held


async def _short_match(exam: Exam) -> None:
    table = await exam.sit(limits=exam.times.quick)
    table.referee.proceed()
    await table.decide()
    await table.void()
    exam.forget(table)


def _resident(bot: Running) -> int:
    return bot.resident() or 0


STEPS: Final = (
    Step(
        "options",
        "It plays under all options of the rules that change what it sees or may do.",
        _options,
        "Deciding",
        "Take what is legal from the Decision: it follows from the options in Seating.",
        seconds=60.0,
    ),
    Step(
        "long-match",
        "It plays a match of hundreds of decisions.",
        _long,
        "The clock",
        "Keep what a decision costs from growing with the match, in time and in memory.",
        seconds=60.0,
    ),
    Step(
        "memory",
        "Its memory does not grow with the number of matches.",
        _memory,
        "The course of a match, exactly",
        "Drop all that belongs to a match when you hear its MatchEnd.",
        life=Life.OWN,
        seconds=90.0,
    ),
)
