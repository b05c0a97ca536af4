"""Rounds of the leak check by hand, and what is found in them."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from kitumaija.engine import HandSizes
from kitumaija.server.leaks import Check, Ending, Finding, Report, Round, rounds
from tests.support.other_worlds import worlds_by_the_oracle


def by_the_oracle(folder: Path) -> Check:
    """Return a check whose other worlds are the knowledge oracle's."""
    return Check(worlds_by_the_oracle, folder, time.perf_counter_ns)


def one_round(
    seats: int, ending: Ending = Ending.PLAYED, *, blind: bool = False, **options: Any
) -> Round:
    """Return a round with one match, in which hand sizes are told until the stock is empty."""
    played = next(rounds(2, seed="leaky", seats=[seats]))
    chosen = replace(played.options, hand_sizes=HandSizes.UNTIL_STOCK_EMPTY, **options)
    victim = (played.watcher + 1) % seats
    return replace(
        played, ending=ending, options=chosen, matches=1, same=0, blind=blind, victim=victim
    )


async def found_in(folder: Path, played: Round) -> list[Finding]:
    """Return what one round finds; the first of each source."""
    return (await by_the_oracle(folder).round(played)).findings


def sentences(report: Report) -> str:
    """Return what was found, a line each."""
    return "\n".join(finding.sentence for finding in report.findings)
