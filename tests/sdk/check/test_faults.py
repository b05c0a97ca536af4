"""The checker finds each seeded fault at the step that is about it, and none where none is."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from kitumaija.sdk.check.report import Outcome, Report
from kitumaija.sdk.check.steps import catalogue
from tests.support.faulty import zoo
from tests.support.faulty.fault import Fault
from tests.support.faulty.hand_written import HandWritten
from tests.support.faulty.in_process import examined

AT_ONCE = 6
"""How many bots are examined side by side: most wait for something that does not come."""
HANGS = 100.0
"""After so many seconds, far more than all steps may take, a check hangs."""
BEFORE = ("hello", "token", "introduction", "ping", "ready")
"""Cheap steps, which fail first only where they are what the fault is about."""


@pytest.fixture(scope="module", name="reports")
def _reports() -> Mapping[str, Report]:
    """What is found in each faulty bot."""

    async def all_of_them() -> dict[str, Report]:
        room = asyncio.Semaphore(AT_ONCE)

        async def one(fault: Fault) -> Report:
            async with room:
                examining = asyncio.create_task(examined(fault.kind, *BEFORE, fault.step))
                done, _ = await asyncio.wait({examining}, timeout=HANGS)
                assert done, f"the check of {fault.name} does not end"
                return examining.result()

        return dict(
            zip(
                (fault.name for fault in zoo.ALL),
                await asyncio.gather(*map(one, zoo.ALL)),
                strict=True,
            )
        )

    return asyncio.run(all_of_them())


@pytest.mark.parametrize("fault", zoo.ALL, ids=lambda fault: fault.name)
def test_each_fault_is_found_at_its_step(reports: Mapping[str, Report], fault: Fault) -> None:
    first = reports[fault.name].failures[0]

    assert first.step.id == fault.step
    assert fault.says in f"wanted {first.wanted}; got {first.got}"
    assert first.exchange
    assert first.step.hint


def test_a_bot_that_does_all_right_passes_every_step() -> None:
    report = asyncio.run(examined(HandWritten))

    assert [result.step.id for result in report.failures] == []
    skipped = {each.step.id for each in report.results if each.outcome is Outcome.SKIPPED}
    assert skipped == {"local-games"}
    assert report.ok


def test_there_is_a_fault_for_every_step() -> None:
    assert {step.id for step in catalogue.ALL} - {fault.step for fault in zoo.ALL} == {
        "local-games"
    }
