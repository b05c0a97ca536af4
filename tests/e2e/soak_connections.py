"""Thousands of bots that come to a server at once, all of whom are welcomed, and what they cost.

Run `python -m tests.e2e.soak_connections --bots 5000 --vanishing 1000`. The server is a process of
its own, and so is each thousand of bots; every bot has a connection of its own. It ends with status
1 if a bot is not welcomed at its first try, or loses its stream while nothing is wrong with it; if
those who vanish without a word are not noticed in time, or cannot come again; or if a bot that
comes back to 64 matches does not have all of them again (`resumption.py`).
"""

from __future__ import annotations

import argparse
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from kitumaija.server.ids import token_hash
from kitumaija.server.settings import ServerSettings
from kitumaija.server.store import BotRow, Store, bots
from tests.e2e.resumption import resume
from tests.support.crowd import CrowdProcess
from tests.support.processes import ServerProcess
from tests.support.proxy_process import ProxyProcess
from tests.support.server_costs import ServerCosts

DOOR = 200
"""How many may be on their way in at a time, over all processes."""
CROWD = 1_000
"""How many bots a process has, and an address: fewer than a server takes from one."""
IDLE_FOR = 20.0
NOTICED_WITHIN = 15.0
LOOK_EVERY = 0.25
SLACK = 45.0
"""Beyond `NOTICED_WITHIN`: while a server stands still it counts nobody's silence, and one that has
no core to itself does so much of the time."""


class Broken(Exception):
    """A promise is broken; the text says which."""


class Soak:
    """One server whose bots' tokens are their names, and the crowds that come to it."""

    def __init__(self, server: ServerProcess, costs: ServerCosts) -> None:
        self._server = server
        self._costs = costs

    def burst(self, crowds: Sequence[CrowdProcess], count: int) -> None:
        """All come at once: none is refused, and what they cost is measured."""
        mib, files, cpu = self._costs.mib, self._costs.files, self._costs.cpu
        began = time.monotonic()
        for crowd in crowds:
            crowd.send()
        welcomed = sum(crowd.arrived().welcomed for crowd in crowds)
        took = time.monotonic() - began
        say("burst", f"{welcomed} of {count} bots welcomed in {took:.1f} s, {count / took:.0f}/s")
        if welcomed < count:
            raise Broken(f"{count - welcomed} of {count} were not welcomed at their first try")
        each = (self._costs.mib - mib) / count * 1024
        say(
            "burst",
            f"the server worked {self._costs.cpu - cpu:.1f} s for it, and took {each:.0f} KiB of "
            f"memory a bot; {self._costs.files - files} files and sockets more",
        )

    def idle(self, crowds: Sequence[CrowdProcess]) -> None:
        """Nothing happens but Pings: none is lost."""
        cpu, began = self._costs.cpu, time.monotonic()
        time.sleep(IDLE_FOR)
        share = (self._costs.cpu - cpu) / (time.monotonic() - began)
        say("idle", f"{share:.0%} of a core, {self._lost(crowds)} lost")

    def vanish(self, names: Sequence[str], crowds: Sequence[CrowdProcess]) -> None:
        """Bots come through a network that then swallows everything, and come again without it."""
        there, files = self._costs.number("connected_bots"), self._costs.files
        with ProxyProcess(self._server.address) as proxy:
            with CrowdProcess(proxy.address, names, door=DOOR) as crowd:
                self._come("vanish", crowd, names)
                proxy.do("black_hole")
                began = time.monotonic()
                streams = self._until(lambda: self._costs.number("connected_bots") <= there, began)
                sockets = self._until(lambda: self._costs.files <= files, began)
                say("vanish", f"streams gone after {streams:.1f} s, sockets after {sockets:.1f} s")
            with CrowdProcess(self._server.address, names, door=DOOR) as again:
                self._come("vanish", again, names)
        say("vanish", f"of those to whom nothing happened {self._lost(crowds)} lost")

    def _come(self, part: str, crowd: CrowdProcess, names: Sequence[str]) -> None:
        crowd.send()
        arrival = crowd.arrived()
        say(part, f"{arrival.welcomed} of {len(names)} welcomed in {arrival.seconds:.1f} s")
        if arrival.welcomed < len(names):
            raise Broken(f"{len(names) - arrival.welcomed} were not welcomed")

    def _until(self, reached: Callable[[], bool], began: float) -> float:
        """Wait; return how many seconds it has been since `began`."""
        while not reached():
            if time.monotonic() - began > NOTICED_WITHIN + SLACK:
                raise Broken(f"a peer that is gone is still there after {NOTICED_WITHIN:g} s")
            time.sleep(LOOK_EVERY)
        return time.monotonic() - began

    def _lost(self, crowds: Sequence[CrowdProcess]) -> int:
        lost = sum(crowd.lost() for crowd in crowds)
        if lost:
            raise Broken(f"{lost} streams ended while nothing was wrong")
        return lost


@contextmanager
def serving(names: Sequence[str]) -> Iterator[tuple[ServerProcess, ServerCosts]]:
    """Run a server that knows these bots."""
    with tempfile.TemporaryDirectory(prefix="kitumaija-soak-") as folder:
        data = Path(folder) / "data"
        data.mkdir()
        now = datetime.now(tz=UTC)
        with Store.open(ServerSettings.load(data=data).store_at) as store, store.write() as tx:
            for name in names:
                bots.add(tx, BotRow(name, name, name, token_hash(name), now))
        port = _free_port()
        settings = {
            "KITUMAIJA_METRICS_PORT": str(port),
            "KITUMAIJA_CONNECTIONS_PER_ADDRESS": str(2 * len(names)),
        }
        with ServerProcess(data, environment=settings) as server:
            yield server, ServerCosts(server.pid, port)


def say(part: str, text: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{part}: {text}\n")
    sys.stdout.flush()


def run(count: int, vanishing: int) -> None:
    """Do all of it; raises `Broken`."""
    names = [f"bot-{number}" for number in range(count)]
    others = [f"vanishing-{number}" for number in range(vanishing)]
    with serving([*names, *others]) as (server, costs), ExitStack() as crowds:
        parts = [names[at : at + CROWD] for at in range(0, count, CROWD)]
        there = [
            crowds.enter_context(
                CrowdProcess(
                    server.address,
                    part,
                    door=DOOR // len(parts),
                    come_from=f"127.0.1.{number}",
                )
            )
            for number, part in enumerate(parts, start=1)
        ]
        soak = Soak(server, costs)
        soak.burst(there, count)
        soak.idle(there)
        soak.vanish(others, there)


def main() -> int:
    """Run with the numbers of bots asked for; return the exit status."""
    parser = argparse.ArgumentParser(description="thousands of bots come to a server at once")
    parser.add_argument("--bots", type=int, default=5_000, help="how many (default: 5000)")
    parser.add_argument("--vanishing", type=int, default=1_000, help="how many (default: 1000)")
    given = parser.parse_args()
    try:
        run(given.bots, given.vanishing)
        for line in resume():
            say("resumption", line)
    except Broken as error:
        say("broken", str(error))
        return 1
    return 0


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


if __name__ == "__main__":
    sys.exit(main())
