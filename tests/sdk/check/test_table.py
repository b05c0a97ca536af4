"""How long a bot is waited for that is offered a match."""

from __future__ import annotations

from dataclasses import replace

from kitumaija.sdk.check.step import STEP_SECONDS
from kitumaija.sdk.check.times import IN_FULL
from tests.support.faulty.in_process import HURRIED, examined
from tests.support.faulty.playing import NeverReady


async def test_a_bot_that_is_never_ready_is_not_waited_for_as_long_in_every_step() -> None:
    times = replace(HURRIED, startup=1.5, patience=0.25)

    report = await examined(NeverReady, "ready", "unasked", "order", "catch", times=times)

    assert [result.wanted for result in report.results] == [
        "Ready for match check-1 within 1.5 s",
        "Ready for match check-2 within 1.5 s",
        "Ready for match check-3 within 0.25 s",
        "Ready for match check-4 within 0.25 s",
    ]


def test_a_step_is_not_over_before_a_bot_that_came_back_is_late_with_its_ready() -> None:
    assert IN_FULL.startup + IN_FULL.back < STEP_SECONDS
