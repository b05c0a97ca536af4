"""The step for bots that play without a server: many games here, at odd positions."""

from __future__ import annotations

import asyncio
from typing import Final

from kitumaija.console.text import counted
from kitumaija.sdk.check.exam import Exam
from kitumaija.sdk.check.step import Failed, Life, Skipped, Step
from kitumaija.sdk.errors import BotError


async def _local_games(exam: Exam) -> str:
    if exam.local is None:
        raise Skipped("only a bot that is a Python class plays without a server")
    try:
        found = await asyncio.to_thread(exam.local)
    except BotError as error:
        raise Failed("a legal action in every decision", str(error)) from error
    played = f"{counted(found.games, 'game')}, {counted(found.decisions, 'decision')}"
    slowest = f"{found.slowest.total_seconds() * 1e3:.1f} ms"
    if found.late:
        raise Failed(
            "every decision within its time",
            f"{found.late} of {counted(found.decisions, 'decision')} that took too long, "
            f"the slowest {slowest}",
        )
    return f"{played}, the slowest {slowest}"


STEPS: Final = (
    Step(
        "local-games",
        "A Python bot plays whole games against random players, under all options of the rules.",
        _local_games,
        "Deciding",
        "Play the game again with the call that is shown; sdk/README.md, *Testing a bot*.",
        life=Life.NONE,
        seconds=3600.0,
    ),
)
