"""Bots of the SDK that have nothing to do for ten minutes: no connection is lost, none made anew.

Run `python -m tests.e2e.soak_idle --seconds 600 --bots 20`. The server, the bots and the network
between them, which counts connections, are processes of their own. It ends with status 1 if a
connection was ended or made anew, as it is when a server finds that a client pings too often
(GOAWAY, `too_many_pings`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.support.flock import FAIR, FlockProcess
from tests.support.processes import ServerProcess
from tests.support.proxy_process import ProxyProcess

LOOK_EVERY = 10.0
COMING = 60.0
"""How long, in seconds, the bots may take to come."""


def idle(folder: Path, *, count: int, seconds: float) -> list[str]:
    """Let so many bots be there for so long; return what is wrong."""
    names = [f"bot-{number}" for number in range(count)]
    with ServerProcess(folder / "data") as server, ProxyProcess(server.address) as proxy:
        tokens = server.register(*names)
        players = {name: (FAIR, tokens[name]) for name in names}
        with FlockProcess(proxy.address, players, folder / "bots.log"):
            until = time.monotonic() + COMING
            while _connected(server, names) < count:
                if time.monotonic() > until:
                    return [f"only {_connected(server, names)} of {count} bots came"]
                time.sleep(1.0)
            came = now = proxy.do("counts")
            began = time.monotonic()
            while (left := began + seconds - time.monotonic()) > 0:
                time.sleep(min(LOOK_EVERY, left))
                now = proxy.do("counts")
                if (now["opened"], now["live"]) != (came["opened"], came["live"]):
                    after = time.monotonic() - began
                    return [f"after {after:.0f} s: {now}, and at first {came}"]
            connected = _connected(server, names)
    _say(f"{count} bots for {seconds:g} s: {now['opened']} connections, {now['live']} of them open")
    said = (now["bytes_up"] - came["bytes_up"], now["bytes_down"] - came["bytes_down"])
    _say(f"{said[0] // count} bytes from a bot, {said[1] // count} bytes to it")
    return [] if connected == count else [f"{connected} of {count} bots are connected"]


def _connected(server: ServerProcess, names: list[str]) -> int:
    shown = {bot["bot_id"]: bot["connected"] for bot in server.read("bot", "list")["bots"]}
    return sum(shown[name] for name in names)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Idle as the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(description="bots that have nothing to do")
    parser.add_argument("--seconds", type=float, default=600.0, help="default: 600")
    parser.add_argument("--bots", type=int, default=20, help="default: 20")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kitumaija-soak-") as folder:
        problems = idle(Path(folder), count=given.bots, seconds=given.seconds)
    for problem in problems:
        _say(f"WRONG: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
