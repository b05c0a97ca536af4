"""Bots of the tests as the checker starts them, but in this process and at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random

from kitumaija.sdk.check.lives import Running
from kitumaija.sdk.check.report import Report, Result
from kitumaija.sdk.check.runner import examine
from kitumaija.sdk.check.stand import Stand
from kitumaija.sdk.check.steps import catalogue
from kitumaija.sdk.check.times import Times
from kitumaija.wire.times import Limits
from tests.support.faulty.hand_written import HandWritten, ended_at_once

PACE = 0.4
SILENCE = 2.0
HURRIED = Times(
    dial=5.0,
    startup=1.0,
    patience=1.0,
    quiet=0.15,
    back=3.0,
    gone=0.6,
    silence=SILENCE,
    leave=1.0,
    pace=PACE,
    limits=Limits(per_decision=timedelta(seconds=1), bank=timedelta(0)),
    quick=Limits(per_decision=timedelta(milliseconds=100), bank=timedelta(seconds=1)),
)
"""For a bot in this process, which answers at once or never."""


class InProcess:
    """Starts bots as tasks."""

    starts = True

    def __init__(self, kind: type[HandWritten]) -> None:
        self._kind = kind

    async def start(self, address: str, token: str) -> Running:
        """Start a bot."""
        bot = self._kind(
            address,
            token,
            random=Random(token),
            secret=token.encode(),
            pace=PACE,
            silence=SILENCE,
        )
        return _Task(bot)


class _Task:
    def __init__(self, bot: HandWritten) -> None:
        self._bot = bot
        self._task = asyncio.create_task(bot.run())

    def code(self) -> int | None:
        ended = self._task.done() and not self._task.cancelled()
        return self._task.result() if ended else None

    def output(self) -> str:
        return "\n".join(self._bot.written)

    def resident(self) -> int | None:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        (line,) = [line for line in status.splitlines() if line.startswith("VmRSS:")]
        return int(line.split()[1]) * 1024

    def ask(self) -> None:
        self._bot.stop()

    async def stop(self) -> None:
        self._bot.given_up = True
        await ended_at_once({self._task})


async def examined(
    kind: type[HandWritten],
    *ids: str,
    heard: Callable[[Result], None] = lambda _: None,
    times: Times = HURRIED,
) -> Report:
    """Lead a bot through these steps, or all; the token is drawn from its name, so that its waits
    are the same in every run."""
    steps = catalogue.named(ids) if ids else catalogue.ALL
    tokens = iter(f"{kind.__name__}-{number}" for number in range(1000))
    async with Stand() as stand:
        return await examine(
            steps,
            stand=stand,
            starter=InProcess(kind),
            times=times,
            new_token=lambda: next(tokens),
            heard=heard,
        )
