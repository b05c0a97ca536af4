"""A report as text, for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kitumaija.console.text import counted, plain, plain_lines
from kitumaija.sdk.check.report import Outcome, Report, Result

OUTPUT_SHOWN: Final = 4096
"""How much of the end of what a bot wrote is shown, in characters; all of it is in the JSON."""

_MARK: Final = {Outcome.PASSED: "ok  ", Outcome.FAILED: "FAIL", Outcome.SKIPPED: "skip"}


def line_of(result: Result) -> str:
    """Return a step in one line."""
    line = f"{_MARK[result.outcome]}  {result.step.id:<16}  {result.step.sentence}"
    if result.note:
        line += f" ({result.note})"
    return plain(line)


def failure_of(result: Result) -> str:
    """Return all that is known of a step that failed, on several lines."""
    return "\n".join(_failure(result))


def _failure(result: Result) -> Iterator[str]:
    step = result.step
    yield f"{step.id}: {step.sentence}"
    yield f"  wanted:  {plain(result.wanted)}"
    yield f"  got:     {plain(result.got)}"
    yield f"  to do:   {step.hint}"
    yield f"           (the protocol's guide, proto/README.md, tells of it in *{step.section}*)"
    if result.exchange:
        yield "  what was said last, by the time since the step began:"
        yield from (f"    {line}" for line in result.exchange)
    if result.output.strip():
        yield "  the end of what the bot wrote:"
        tail = plain_lines(result.output[-OUTPUT_SHOWN:])
        yield from (f"    | {line}" for line in tail.splitlines())


def summary_of(report: Report) -> str:
    """Return how many steps went how, in one line."""
    counts = report.counts()
    parts = [f"{counted(len(report.results), 'step')}: {counts[Outcome.PASSED]} passed"]
    parts.append(f"{counts[Outcome.FAILED]} failed")
    if counts[Outcome.SKIPPED]:
        parts.append(f"{counts[Outcome.SKIPPED]} skipped")
    return ", ".join(parts)
