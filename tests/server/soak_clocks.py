"""Hundreds of matches of instant bots at once, under a tight limit: is anybody charged for others?

`python -m tests.server.soak_clocks` runs a server as a process of its own, with bots that answer at
once from this one, and prints what was measured. It ends with 1 if a timeout was charged.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

from kitumaija.server.bench.costs import costs_of
from kitumaija.server.store import Store
from kitumaija.server.tournament.clocktable import BotTimes, ClockTable
from kitumaija.server.tournament.distribution import Distribution
from tests.support.autobot import AutoBot
from tests.support.processes import ServerProcess

TOURNAMENT = "soak"
SHARES = (50, 90, 99, 99.9)
CAPACITY = 64


def main() -> int:
    """Run it; say what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200, help="how many run at once")
    parser.add_argument("--limit", default="50ms", help="the time for a decision")
    parser.add_argument("--turns", type=int, default=40, help="the turns of each player at most")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as where:
        data = Path(where) / "data"
        spent = asyncio.run(_play(data, given.matches, given.limit, given.turns))
        table = _read(data)
    return _report(table, spent, given.matches, given.limit)


class Spent(NamedTuple):
    """What a tournament took, in seconds: on the clock, and of the server's processor time."""

    clock: float
    processor: float


async def _play(data: Path, matches: int, limit: str, turns: int) -> Spent:
    """Play the tournament; return what it took."""
    # Every pair plays twice, once in each order: enough bots that twice as many are planned.
    names = [f"bot-{number:02}" for number in range(2, 2 + round((2 * matches) ** 0.5) + 1)]
    with ServerProcess(data) as server:
        tokens = await asyncio.to_thread(server.register, *names)
        async with AsyncExitStack() as bots:
            for name in names:
                bot = AutoBot(server.address, tokens[name], capacity=CAPACITY)
                await bots.enter_async_context(bot)
            began, worked = time.monotonic(), costs_of(server.pid).cpu_seconds
            for words in (
                (
                    *("create", TOURNAMENT, "--max-running", str(matches)),
                    *("--limit", f"per_decision={limit}", "--limit", "bank=0s"),
                    *("--option", f"turns_per_player={turns}"),
                ),
                ("enter", TOURNAMENT, *names),
                ("start", TOURNAMENT),
                ("watch", TOURNAMENT),
            ):
                await asyncio.to_thread(server.run, "tournament", *words)
            spent = Spent(time.monotonic() - began, costs_of(server.pid).cpu_seconds - worked)
        await asyncio.to_thread(server.stop)
    return spent


def _read(data: Path) -> ClockTable:
    store = Store.open(str(data))
    table = ClockTable(TOURNAMENT)
    try:
        with store.read() as tx:
            while table.read(tx):
                pass
    finally:
        store.close()
    return table


def _report(table: ClockTable, spent: Spent, matches: int, limit: str) -> int:
    bots = list(table.bots.values())
    decisions = sum(bot.used.count + bot.timeouts for bot in bots)
    timeouts = sum(bot.timeouts for bot in bots)
    retimed = sum(bot.retimed for bot in bots)
    say = sys.stdout.write
    say(
        f"{table.matches} matches, {matches} at once, {limit} a decision: "
        f"{decisions} decisions in {spent.clock:.0f} s, {decisions / spent.clock:.0f} a second; "
        f"{1000 * spent.processor / decisions:.2f} ms of the server's processor each\n"
    )
    for name in ("used", "server"):
        shares = " · ".join(
            f"p{share} {_all(bots, name).share(share) / 1000:.2f}" for share in SHARES
        )
        say(f"{name:8} {shares} · max {_all(bots, name).max / 1000:.2f} ms\n")
    say(f"{timeouts} timeouts, {retimed} decisions re-timed\n")
    return 1 if timeouts else 0


def _all(bots: list[BotTimes], name: str) -> Distribution:
    together = Distribution()
    for bot in bots:
        together.join(getattr(bot, name))
    return together


if __name__ == "__main__":
    sys.exit(main())
