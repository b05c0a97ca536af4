"""Whole checks: of a bot that is started as a process, and of one that somebody else starts."""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import count
from random import Random

from kitumaija.sdk.check.junit import junit_of
from kitumaija.sdk.check.render import failure_of, line_of, summary_of
from kitumaija.sdk.check.report import Outcome, Report, Result
from kitumaija.sdk.check.session import check_command_line, check_whoever_dials
from kitumaija.sdk.check.steps import catalogue
from tests.support.faulty.hand_written import HandWritten
from tests.support.faulty.in_process import HURRIED

DYING = """
import sys
sys.stderr.write("no model \\x1b[2J at weights.bin\\n")
sys.exit(7)
"""


async def of_process(command: list[str], *ids: str) -> tuple[Report, list[Result]]:
    """Check a command by these steps; the report, and what was told while it went on."""
    told: list[Result] = []
    tokens = map(str, count(1))
    report = await check_command_line(
        command, catalogue.named(ids), new_token=lambda: next(tokens), heard=told.append
    )
    return report, told


async def test_a_bot_that_dies_is_shown_with_its_last_words_and_not_waited_for() -> None:
    report, told = await of_process([sys.executable, "-c", DYING], "hello", "token", "ready")

    outcomes = [result.outcome for result in report.results]
    assert outcomes == [Outcome.FAILED, Outcome.FAILED, Outcome.SKIPPED]
    assert report.results[0].got == "no stream; its process has ended, with exit code 7"
    assert "no model" in report.results[0].output
    assert report.results[2].note == ("The bot does not dial in; see the steps that failed before.")
    assert told == list(report.results)
    assert not report.ok


async def test_what_a_failure_shows_is_fit_for_a_terminal_and_for_a_file() -> None:
    report, _ = await of_process([sys.executable, "-c", DYING], "hello")

    shown = failure_of(report.results[0])
    assert "\x1b" not in shown
    assert "    | no model \\x1b[2J at weights.bin" in shown
    assert "to do:   Say Hello before anything else on each new stream" in shown
    assert line_of(report.results[0]).startswith("FAIL  hello ")
    assert summary_of(report) == "1 step: 0 passed, 1 failed"
    assert "\x1b" not in junit_of(report, "dying \x1b bot")
    assert json.loads(json.dumps(report.as_dict()))["steps"][0]["section"] == "The stream"


async def test_a_sample_bot_is_started_as_a_process_and_told_to_leave() -> None:
    command = [sys.executable, "-m", "kitumaija.sdk", "sample:smallest"]

    report, _ = await of_process(command, "hello", "token", "catch", "goodbye")

    assert [result.outcome for result in report.results] == [Outcome.PASSED] * 4
    assert report.ok


async def test_a_bot_that_somebody_else_starts_is_waited_for_and_ends_once() -> None:
    """What needs its process, or another one, is skipped and says why."""
    bots: list[asyncio.Task[int]] = []

    def ready(address: str) -> None:
        bot = HandWritten(address, "told", random=Random(1), secret=bytes(32))
        bots.append(asyncio.create_task(bot.run()))

    report = await check_whoever_dials(
        "127.0.0.1:0",
        catalogue.named(
            ["hello", "token", "slow-link", "memory", "exit-code", "goodbye", "replaced"]
        ),
        token="told",
        heard=lambda _: None,
        ready=ready,
        times=HURRIED,
    )

    by_id = {result.step.id: result for result in report.results}
    passed = {name for name, result in by_id.items() if result.outcome is Outcome.PASSED}
    assert passed == {"hello", "token", "replaced"}
    assert "is not ours to slow down" in by_id["slow-link"].note
    assert "cannot be seen" in by_id["memory"].note
    assert "has left after step replaced" in by_id["exit-code"].note
    assert await bots[0] == 4


async def test_a_bot_that_cannot_be_told_to_leave_has_not_left() -> None:
    report = await check_whoever_dials(
        "127.0.0.1:0",
        catalogue.named(["goodbye", "exit-code"]),
        token="told",
        heard=lambda _: None,
        ready=lambda _: None,
        times=HURRIED,
    )

    assert [result.note for result in report.results] == [
        "the exit code of a bot that is not started here cannot be seen",
        "a bot that is not started here cannot be told to end",
    ]
    assert not report.ok
