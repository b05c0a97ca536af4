"""Runs the steps: those that share a bot one after another, the others beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from kitumaija.sdk.check.exam import Exam, LocalGames
from kitumaija.sdk.check.lives import Starter, ended
from kitumaija.sdk.check.report import Outcome, Report, Result
from kitumaija.sdk.check.stand import Stand
from kitumaija.sdk.check.step import Absent, Failed, Life, Skipped, Step
from kitumaija.sdk.check.times import Times

MISSED_MAX = 2
"""After so many bots in a row that never dialled in, no more are waited for."""

_NEVER_CAME = "The bot does not dial in; see the steps that failed before."
_HAS_LEFT = (
    "The bot has left after step {}, and is not started from here: run it alone, with --only."
)

Heard = Callable[[Result], None]
"""Is told of each step when it is done."""


async def examine(
    steps: Sequence[Step],
    *,
    stand: Stand,
    starter: Starter,
    times: Times,
    new_token: Callable[[], str],
    heard: Heard,
    local: LocalGames | None = None,
) -> Report:
    """Lead the bot through these steps.

    `stand` is where it dials in, `new_token` draws a token for each bot that is started, and
    `local` plays games without a server where the bot can.
    """
    here = [step for step in steps if step.life is Life.NONE]
    dialled = [step for step in steps if step.life is not Life.NONE]
    lanes: list[list[Step]]
    if starter.starts:
        shared, own, last = (
            [step for step in dialled if step.life is life]
            for life in (Life.SHARED, Life.OWN, Life.LAST)
        )
        # Those of their own mostly wait: two rows of them take half the time.
        lanes = [shared, own[::2], own[1::2], last]
    else:
        lanes = [sorted(dialled, key=lambda step: step.life is Life.LAST)]
    found: dict[str, Result] = {}

    def done(result: Result) -> None:
        found[result.step.id] = result
        heard(result)

    def lane() -> _Lane:
        return _Lane(Exam(stand, starter, times, new_token, local), done)

    await lane().run(here)
    async with asyncio.TaskGroup() as running:
        for its_steps in lanes:
            running.create_task(lane().run(its_steps))
    return Report([found[step.id] for step in steps])


class _Lane:
    """Steps one after the other."""

    def __init__(self, exam: Exam, done: Heard) -> None:
        self._exam = exam
        self._done = done
        self._missed = 0
        self._left_after = ""

    async def run(self, steps: Iterable[Step]) -> None:
        try:
            for step in steps:
                if self._missed >= MISSED_MAX:
                    self._done(Result(step, Outcome.SKIPPED, 0.0, _NEVER_CAME))
                elif self._left_after:
                    why = _HAS_LEFT.format(self._left_after)
                    self._done(Result(step, Outcome.SKIPPED, 0.0, why))
                else:
                    await self._step(step)
        finally:
            await self._exam.abandon()

    async def _step(self, step: Step) -> None:
        exam, loop = self._exam, asyncio.get_running_loop()
        if exam.starts and step.life is not Life.SHARED:
            await exam.abandon()
        await exam.begin()
        began = loop.time()
        try:
            try:
                async with asyncio.timeout(step.seconds):
                    note = await step.act(exam) or ""
                    await exam.finish()
            except TimeoutError:
                raise Failed(
                    f"that the step is through within {step.seconds:g} s", "more than that"
                ) from None
        except Skipped as skipped:
            self._done(Result(step, Outcome.SKIPPED, loop.time() - began, str(skipped)))
            return
        except Failed as failed:
            self._missed = self._missed + 1 if isinstance(failed, Absent) else 0
            if not exam.starts and isinstance(failed, Absent):
                self._missed = MISSED_MAX
            self._done(await self._failure(step, failed, loop.time() - began))
            await exam.abandon()
        else:
            self._missed = 0
            self._done(Result(step, Outcome.PASSED, loop.time() - began, note))
        if not exam.starts and step.life is Life.LAST:
            self._left_after = step.id

    async def _failure(self, step: Step, failed: Failed, seconds: float) -> Result:
        exam = self._exam
        got, output, exchange = failed.got, "", exam.journal.last()
        if exam.running is not None:
            # A process that dies closes its stream first.
            code = await ended(exam.running, 0.2)
            got += "" if code is None else f"; its process has ended, with exit code {code}"
            output = exam.running.output()
        return Result(
            step,
            Outcome.FAILED,
            seconds,
            wanted=failed.wanted,
            got=got,
            exchange=exchange,
            output=output,
        )
