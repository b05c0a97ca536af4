"""What time alone tells a bot of cards that it may not see, on this machine.

`python -m tests.server.soak_timing` plays matches of the leak check: each in two worlds that are
the same to one bot, and each once more in two worlds that are the same to everybody. It prints how
long the bot waited for its next decision in either world, and how often it waited longer in the
first. The second pair is the measure for the first: what differs there as well is the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from math import sqrt
from pathlib import Path
from statistics import quantiles

from kitumaija.engine import Card, CardSet, Chance, GameRecord, Seat
from kitumaija.server.leaks import Check, Ending, Report, Worlds, check, rounds, sampled_worlds

_SHARES = {"p50": 50, "p90": 90, "p99": 99}
_NANOS_PER_MS = 1_000_000


def main() -> int:
    """Run it; say what was measured. What it comes to is judged by whoever reads it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=40, help="how many are played in each pair")
    parser.add_argument("--seats", type=int, default=4, help="the table size")
    parser.add_argument("--seed", default="timing", help="what all chance follows from")
    given = parser.parse_args()
    pairs: dict[str, Worlds] = {"other cards": sampled_worlds, "the same cards": _no_other}
    for name, worlds in pairs.items():
        report = asyncio.run(_played(worlds, given.matches, given.seats, given.seed))
        sys.stdout.write(f"{name}: {report.pairs.total()} matches\n{_said(report)}")
    return 0


def _no_other(
    record: GameRecord, seat: Seat, chance: Chance, keep: CardSet
) -> Iterator[tuple[Card, ...]]:
    """Return no other world, so that a match is held against itself."""
    del record, seat, chance, keep
    return iter(())


async def _played(worlds: Worlds, matches: int, seats: int, seed: str) -> Report:
    # One match at a time, played out: with others beside it time tells of them before all else.
    planned = rounds(matches, seed=seed, seats=[seats], concurrent=1)
    played = (replace(one, ending=Ending.PLAYED, blind=False, forgiven=0) for one in planned)
    with tempfile.TemporaryDirectory() as folder:
        return await check(played, Check(worlds, Path(folder), time.perf_counter_ns))


def _said(report: Report) -> str:
    lines: list[str] = []
    for world, times in (("first", report.here), ("second", report.there)):
        cuts = quantiles(times, n=100)
        shares = " · ".join(
            f"{name} {cuts[share - 1] / _NANOS_PER_MS:.2f}" for name, share in _SHARES.items()
        )
        lines.append(f"  {world:6} world: {shares} ms to the next decision\n")
    pairs, apart = len(report.here), report.told_apart
    if apart is not None:
        # Half of them, and within two such errors of it nineteen times out of twenty.
        error = sqrt(0.25 / pairs)
        lines.append(
            f"  of {pairs} pairs the first world's was longer in {apart:.1%} "
            f"(standard error {error:.1%})\n"
        )
    return "".join(lines)


if __name__ == "__main__":
    sys.exit(main())
