"""What a server does to its matches while it is attacked: every kind of attack, and what it costs.

Run `python -m tests.e2e.soak_dos --seconds 20`. A server plays a tournament of two bots; each
attacker is a process of its own (`tests/support/attacker.py`). For quiet, and for each attack, it
prints how long a decision of the bots takes and what the server holds. It ends with 1 if a match
waits more than twice as long as in quiet at the 99th percentile, or the memory goes on growing.
On a machine with fewer cores than there are processes the attackers' own work is in the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

from tests.support.attacker import ATTACKS, Attacker
from tests.support.autobot import AutoBot
from tests.support.processes import ServerProcess
from tests.support.server_costs import ServerCosts

TOURNAMENT = "dos"
ATTACKERS = [f"mallory-{number}" for number in range(30)]
TIMES_QUIET = 2.0
AT_LEAST_MS = 25.0
"""A wait below this is nobody's loss, however quick it was in quiet."""
GROWTH_MIB = 100.0


class Decisions:
    """How long it takes from a bot's answer to its next decision, its opponent's turn with it."""

    def __init__(self) -> None:
        self._times: list[float] = []
        self._last = time.monotonic()

    def asked(self) -> None:
        """Note that the bot is asked."""
        now = time.monotonic()
        self._times.append((now - self._last) * 1_000)
        self._last = now

    def take(self) -> tuple[int, float, float]:
        """Return how many there were since the last time, and their median and 99th percentile, in
        milliseconds."""
        times, self._times = sorted(self._times), []
        if not times:
            return 0, float("inf"), float("inf")
        return len(times), times[len(times) // 2], times[len(times) * 99 // 100]


async def _soak(seconds: float, kinds: list[str]) -> int:
    broken = 0
    with (
        tempfile.TemporaryDirectory(prefix="kitumaija-soak-") as folder,
        ServerProcess(Path(folder) / "data") as server,
    ):
        tokens = await asyncio.to_thread(server.register, "ann", "bob", *ATTACKERS)
        costs = ServerCosts(server.pid)
        decisions = Decisions()
        async with AsyncExitStack() as bots:
            ann = AutoBot(server.address, tokens["ann"], capacity=1, thinks=decisions.asked)
            await bots.enter_async_context(ann)
            bob = AutoBot(server.address, tokens["bob"], capacity=1)
            await bots.enter_async_context(bob)
            for words in (
                ("create", TOURNAMENT, "--rounds", "5000"),
                ("enter", TOURNAMENT, "ann", "bob"),
                ("start", TOURNAMENT),
            ):
                await asyncio.to_thread(server.run, "tournament", *words)
            await asyncio.sleep(3)
            decisions.take()
            await asyncio.sleep(seconds)
            count, median, quiet = decisions.take()
            _say("quiet", count, median, quiet, costs)
            most = max(TIMES_QUIET * quiet, AT_LEAST_MS)
            for kind in kinds:
                with Attacker(kind, server.address, [tokens[name] for name in ATTACKERS]):
                    await asyncio.sleep(seconds / 2)
                    before = costs.mib
                    decisions.take()
                    await asyncio.sleep(seconds)
                    count, median, p99 = decisions.take()
                    _say(kind, count, median, p99, costs)
                    if p99 > most or costs.mib - before > GROWTH_MIB:
                        broken += 1
                        sys.stdout.write(f"  BROKEN: wanted at most {most:.1f} ms\n")
                await asyncio.sleep(2)
        await asyncio.to_thread(server.stop)
    return 1 if broken else 0


def _say(what: str, count: int, median: float, p99: float, costs: ServerCosts) -> None:
    sys.stdout.write(
        f"{what}: {count} decisions, median {median:.1f} ms, p99 {p99:.1f} ms; "
        f"{costs.mib:.0f} MiB, {costs.files} files\n"
    )
    sys.stdout.flush()


def main() -> int:
    """Run with the attacks asked for; return the exit status."""
    parser = argparse.ArgumentParser(description="attacks on a server on which others play")
    parser.add_argument("--seconds", type=float, default=20, help="each is measured (default: 20)")
    parser.add_argument("attacks", nargs="*", help=f"of {', '.join(ATTACKS)} (default: all)")
    given = parser.parse_args()
    return asyncio.run(_soak(given.seconds, given.attacks or list(ATTACKS)))


if __name__ == "__main__":
    sys.exit(main())
