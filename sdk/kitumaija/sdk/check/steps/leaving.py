"""Steps about streams that the server ends, and about the end of the bot itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise
from typing import Final

import grpc

from kitumaija.sdk.check.exam import Exam
from kitumaija.sdk.check.lives import ended
from kitumaija.sdk.check.step import Absent, Failed, Life, Skipped, Step
from kitumaija.wire.exits import ExitCode
from kitumaija.wire.kinds import Kind
from kitumaija.wire.status import RETRY_SECONDS, ErrorReason

REFUSED_DIALS: Final = 6
"""How often in a row the server is away, where back-off is looked at."""

LAST_WAITS: Final = 3
LAST_WAITS_SECONDS: Final = 0.3
"""The last waits together are longer than this, whatever was drawn."""

ALIKE: Final = 0.3
"""Waits grow by factors that lie closer together than this only where nothing is drawn."""

RETRY: Final = 2
"""How long the server asks a bot to wait, in seconds."""


async def stays_away(exam: Exam) -> None:
    """Watch that the bot does not dial. Raises `Failed` if it does."""
    before = len(exam.door.dials)
    # One whose process has ended has proved it.
    await ended(exam.bot, exam.times.gone)
    await asyncio.sleep(0)
    if len(exam.door.dials) > before:
        raise Failed("no further stream: this end is for good", "a new stream")


async def _replaced(exam: Exam) -> None:
    await exam.here()
    await exam.stream.end_with(ErrorReason.REPLACED)
    await stays_away(exam)


async def _bad_token(exam: Exam) -> None:
    await exam.here()
    await exam.stream.end_with(ErrorReason.UNAUTHENTICATED_TOKEN)
    await stays_away(exam)


async def _newer_reason(exam: Exam) -> None:
    """A reason that no bot knows yet: the status tells what to do."""
    await exam.here()
    await exam.stream.end_as(grpc.StatusCode.FAILED_PRECONDITION, "of a newer server")
    await stays_away(exam)


async def _exit_code(exam: Exam) -> None:
    if not exam.starts:
        raise Skipped("the exit code of a bot that is not started here cannot be seen")
    await exam.here()
    await exam.stream.end_with(ErrorReason.BOT_DISABLED, bot_id="examinee")
    code = await ended(exam.bot, exam.times.leave)
    wanted = f"exit code {ExitCode.REFUSED.value}: the server does not want it"
    if code is None:
        raise Failed(wanted, f"that it still runs after {exam.times.leave:g} s")
    if code != ExitCode.REFUSED:
        raise Failed(wanted, f"exit code {code}")


async def _back_off(exam: Exam) -> str:
    await exam.here()
    await exam.stream.cut()
    waits: list[float] = []
    for _ in range(REFUSED_DIALS):
        ended_at = exam.now()
        try:
            stream = await exam.dialled(exam.times.back)
        except Absent as absent:
            raise Failed(absent.wanted, absent.got) from None
        waits.append(stream.began - ended_at)
        await stream.cut()
    judge_waits(waits, least=LAST_WAITS_SECONDS * exam.times.pace)
    await exam.back()
    return f"waits of {_shown(waits)}"


def judge_waits(waits: Sequence[float], *, least: float) -> None:
    """Judge the waits before each dial, in seconds; the last ones together are `least` or more.

    Raises `Failed` for waits that do not grow, or of which none was drawn at random.
    """
    if sum(waits[-LAST_WAITS:]) < least:
        raise Failed("waits that grow from one dial to the next", _shown(waits))
    growths = [later / earlier for earlier, later in pairwise(waits) if earlier > 0]
    if growths and max(growths) - min(growths) < ALIKE:
        wanted = "waits that are drawn at random, so that not all bots dial at once"
        raise Failed(wanted, _shown(waits))


def _shown(waits: Sequence[float]) -> str:
    return ", ".join(f"{wait:.2f}" for wait in waits) + " s"


async def _retry(exam: Exam) -> None:
    await exam.here()
    wait = max(1, round(RETRY * exam.times.pace))
    reason = ErrorReason.TOO_MANY_REPLACEMENTS
    await exam.stream.end_with(reason, **{RETRY_SECONDS: f"{wait}"})
    ended_at = exam.now()
    await exam.back()
    waited = exam.stream.began - ended_at
    if waited < wait * 0.95:
        raise Failed(f"{wait} s without a dial, as retry_seconds asks", f"{waited:.2f} s")


async def _silence(exam: Exam) -> str:
    table = await exam.sit()
    exam.stream.pinging = False
    began = exam.now()
    within = exam.times.silence + exam.times.patience
    await exam.stream.gone(
        within, wanted=f"that it leaves a stream on which nothing is heard, within {within:g} s"
    )
    silent = exam.now() - began
    await exam.stream.closing()
    await exam.back(table)
    await exam.stream.say(table.referee.sync())
    table.referee.proceed()
    await table.decide()
    return f"after {silent:.1f} s"


async def _goodbye(exam: Exam) -> str:
    if not exam.starts:
        raise Skipped("a bot that is not started here cannot be told to end")
    table = await exam.sit()
    table.referee.proceed()
    await table.decide()
    exam.bot.ask()
    await exam.stream.gone(
        exam.times.leave,
        wanted=f"that it ends its stream within {exam.times.leave:g} s of SIGTERM",
    )
    exam.stream.raise_violation()
    code = await ended(exam.bot, exam.times.leave)
    if code != ExitCode.OK:
        got = "that it still runs" if code is None else f"exit code {code}"
        raise Failed("exit code 0: it was told to leave, and left", got)
    if not any(heard.kind is Kind.GOODBYE for heard in exam.stream.heard):
        return "without a Goodbye: the server takes it for lost, and waits for it"
    return ""


def _last(
    name: str, sentence: str, act: Callable[[Exam], Awaitable[str | None]], section: str, hint: str
) -> Step:
    return Step(name, sentence, act, section, hint, life=Life.LAST)


STEPS: Final = (
    Step(
        "retry-seconds",
        "It does not dial before the time that the server names.",
        _retry,
        "Errors",
        "Wait at least `retry_seconds` of the ErrorInfo's metadata, where it is there.",
        life=Life.OWN,
    ),
    Step(
        "back-off",
        "While the server is away it dials again after waits that grow and are drawn at random.",
        _back_off,
        "Coming back",
        "Double the wait after each failure, up to 5 s, and draw each at random below its bound.",
        life=Life.OWN,
        seconds=90.0,
    ),
    Step(
        "silence",
        "It leaves a stream on which nothing is heard, and dials anew.",
        _silence,
        "Coming back",
        "The server pings every 5 s: a stream on which nothing is heard for 12 s is dead.",
        life=Life.OWN,
        seconds=60.0,
    ),
    _last(
        "replaced",
        "Replaced by a newer stream of its token, it does not dial again.",
        _replaced,
        "Coming back",
        "Read the reason in grpc-status-details-bin; REPLACED is for good.",
    ),
    _last(
        "bad-token",
        "It does not dial again with a token that the server does not know.",
        _bad_token,
        "Errors",
        "UNAUTHENTICATED is for good, with a reason or without.",
    ),
    _last(
        "newer-reason",
        "Of an error whose reason it does not know it goes by the status.",
        _newer_reason,
        "Errors",
        "Without a reason that you know, do not dial again after the five statuses named there.",
    ),
    _last(
        "exit-code",
        "It ends with exit code 4 where the server does not want it.",
        _exit_code,
        "Leaving",
        "End the process with the code that the guide names; a script in between passes it on.",
    ),
    _last(
        "goodbye",
        "Told to end by SIGTERM, it leaves at once, says nothing after Goodbye, and exits with 0.",
        _goodbye,
        "Leaving",
        "On SIGTERM say Goodbye, close your half of the stream, and end within two seconds.",
    ),
)
