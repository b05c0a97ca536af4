"""A tournament among fair and hostile bots while the server, bots and network die again and again.

Run `python -m tests.e2e.soak_match --matches 2000 --seconds 1200 --seed 1`. Every bot plays through
a faulty network; bots and the server are killed with SIGKILL at random. It ends with the
tournament, and with status 0 if that finished, `kitumaija store check` finds nothing, the server
stops when it is told to and no process is left. After `--seconds` it gives up and says what is
missing.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from kitumaija.sdk.testing.hostile import ZOO
from kitumaija.server.__main__ import commands
from tests.support.flock import FAIR, FlockProcess
from tests.support.live import resident_mib
from tests.support.processes import BotProcesses, ServerProcess, processes_that_name
from tests.support.proxy_process import ProxyProcess

TOURNAMENT = "soak"
LARGEST_FIELD = 33
"""So many bots at most: the whole zoo, ten fair ones in one process, and some to be killed."""

CALM_SECONDS = (1.0, 4.0)
"""Between two blows, from and to."""

CALM_AT_THE_END = 0.15
"""The share of the time in which nothing more is done, so that what is left can be played."""


@dataclass
class Field:
    """Who plays, by name with the source of each."""

    fair: dict[str, str]
    mortal: dict[str, str]
    hostile: dict[str, str]

    @classmethod
    def of(cls, bots: int) -> Field:
        """A field of so many bots: of every ten three fair, one mortal, six hostile."""
        mortal = max(1, bots // 10)
        fair = max(2, bots * 3 // 10)
        hostile = [species for species, _ in zip(ZOO, range(bots - mortal - fair), strict=False)]
        fair = bots - mortal - len(hostile)
        return cls(
            fair={f"fair-{number}": FAIR for number in range(fair)},
            mortal={f"mortal-{number}": "sample:smallest" for number in range(mortal)},
            hostile={species.name: species.source for species in hostile},
        )

    @property
    def names(self) -> list[str]:
        """All of them."""
        return [*self.fair, *self.mortal, *self.hostile]


@dataclass
class Figures:
    """What came of it."""

    seed: int
    bots: int = 0
    planned: int = 0
    state: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    blows: dict[str, int] = field(default_factory=dict)
    faults: dict[str, dict[str, int]] = field(default_factory=dict)
    network: dict[str, int] = field(default_factory=dict)
    memory: list[tuple[float, int, float]] = field(default_factory=list)
    """Seconds since the start, matches settled, MiB of the server then."""
    server_stopped_with: int = -1
    store_check: Any = None
    left: list[str] = field(default_factory=list)

    @property
    def settled(self) -> int:
        """Matches of the schedule that need no more play."""
        return sum(self.counts.get(name, 0) for name in ("finished", "void", "cancelled"))

    @property
    def problems(self) -> list[str]:
        """What is not as it must be."""
        found = []
        if self.state != "TOURNAMENT_STATE_FINISHED":
            found.append(f"the tournament is {self.state}: {self.counts}")
        if self.planned != self.settled:
            found.append(f"{self.planned - self.settled} of {self.planned} matches are missing")
        if self.server_stopped_with != 0:
            found.append(f"the server stopped with exit code {self.server_stopped_with}")
        if self.store_check is None or self.store_check["exit_code"] != 0:
            found.append(f"store check: {self.store_check}")
        found += [f"left running: {line}" for line in self.left]
        return found


class Blows:
    """What happens to the server, the bots and the network, drawn from `chance`."""

    def __init__(
        self,
        chance: random.Random,
        *,
        server: ServerProcess,
        proxy: ProxyProcess,
        zoo: FlockProcess,
        restart_mortal: Callable[[str], None],
        mortals: Iterable[str],
    ) -> None:
        self._chance = chance
        self._server = server
        self._proxy = proxy
        self._zoo = zoo
        self._restart_mortal = restart_mortal
        self._mortals = tuple(mortals)
        self._kinds: dict[str, tuple[int, Callable[[], None]]] = {
            "server killed": (3, self._kill_server),
            "bot killed": (6, self._kill_bot),
            "zoo killed": (1, self._kill_zoo),
            "network cut": (2, lambda: self._do("cut")),
            "connections dropped": (3, lambda: self._do("drop_connections", fraction=0.3)),
            "black hole": (2, lambda: self._for_a_while("black_hole", 4.0)),
            "network held": (2, lambda: self._for_a_while("hold", 1.0)),
            "network slow": (3, lambda: self._for_a_while("delay", 3.0, seconds=0.02, jitter=0.05)),
        }

    def strike(self) -> str:
        """Do one thing, and return what it was."""
        weights = [weight for weight, _ in self._kinds.values()]
        (kind,) = self._chance.choices(list(self._kinds), weights)
        self._kinds[kind][1]()
        return kind

    def _kill_server(self) -> None:
        self._server.kill()
        time.sleep(self._chance.uniform(0, 1))
        self._server.start()

    def _kill_bot(self) -> None:
        self._restart_mortal(self._chance.choice(self._mortals))

    def _kill_zoo(self) -> None:
        self._zoo.kill()
        self._zoo.start()

    def _do(self, command: str, **arguments: float) -> None:
        self._proxy.do(command, way=None, **arguments)

    def _for_a_while(self, command: str, longest: float, **arguments: float) -> None:
        self._proxy.do(command, way=None, **arguments)
        time.sleep(self._chance.uniform(0.1, longest))
        self._proxy.do("heal")


def soak(folder: Path, *, matches: int, seconds: float, seed: int) -> Figures:
    """Play it; what is kept of it lies in `folder`."""
    chance = random.Random(seed)
    bots = next(
        n for n in range(4, LARGEST_FIELD + 1) if n * (n - 1) >= matches or n == LARGEST_FIELD
    )
    who = Field.of(bots)
    rounds = -(-matches // (bots * (bots - 1)))
    figures = Figures(seed=seed, bots=bots)
    with (
        ServerProcess(folder / "data") as server,
        ProxyProcess(server.address, seed=str(seed)) as proxy,
        BotProcesses(folder) as processes,
    ):
        tokens = server.register(*who.names)

        def flock(name: str, of: dict[str, str]) -> FlockProcess:
            players = {bot: (source, tokens[bot]) for bot, source in of.items()}
            return FlockProcess(proxy.address, players, folder / f"{name}.log")

        def start_mortal(name: str) -> None:
            source, token = who.mortal[name], tokens[name]
            processes.start(name, source, address=proxy.address, token=token)

        def restart_mortal(name: str) -> None:
            processes.kill(name)
            start_mortal(name)

        for name in who.mortal:
            start_mortal(name)
        with flock("fair", who.fair), flock("zoo", who.hostile) as zoo:
            _begin(server, who, rounds)
            blows = Blows(
                chance,
                server=server,
                proxy=proxy,
                zoo=zoo,
                restart_mortal=restart_mortal,
                mortals=who.mortal,
            )
            _play(server, blows, chance, figures, seconds)
        figures.network = proxy.do("counts")
        figures.faults = _faults(server, who)
        figures.server_stopped_with = server.stop()
    checked = CliRunner().invoke(
        commands(), ["store", "check", "--data", str(folder / "data"), "--json"]
    )
    figures.store_check = {"exit_code": checked.exit_code, **json.loads(checked.stdout or "{}")}
    figures.left = processes_that_name(str(folder))
    return figures


def _begin(server: ServerProcess, who: Field, rounds: int) -> None:
    server.run(
        *("tournament", "create", TOURNAMENT, "--seats", "2", "--rounds", str(rounds)),
        *("--limit", "per_decision=250ms", "--limit", "bank=500ms", "--limit", "startup=2s"),
        *("--limit", "grace=4s", "--option", "turns_per_player=6"),
        *("--faults-to-forfeit", "3", "--no-shows-to-withdraw", "1000"),
    )
    server.run("tournament", "enter", TOURNAMENT, *who.names)
    expected = len(who.names) - sum(not s.dials_in for s in ZOO if s.name in who.hostile)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        entrants = server.read("tournament", "show", TOURNAMENT)["entrants"]
        if sum(entrant["connected"] for entrant in entrants) >= expected:
            break
        time.sleep(0.5)
    server.run("tournament", "start", TOURNAMENT, "--allow-absent")


def _play(
    server: ServerProcess, blows: Blows, chance: random.Random, figures: Figures, seconds: float
) -> None:
    """Strike until the tournament is over or the time is."""
    began = time.monotonic()
    while True:
        shown = server.read("tournament", "show", TOURNAMENT)
        figures.seconds = round(time.monotonic() - began, 1)
        figures.state = shown["state"]
        figures.planned = int(shown["matches"]["planned"])
        figures.counts = {name: int(count) for name, count in shown["matches"].items()}
        figures.memory.append(
            (figures.seconds, figures.settled, round(resident_mib(server.pid), 1))
        )
        _progress(figures)
        if shown["state"] == "TOURNAMENT_STATE_FINISHED" or figures.seconds > seconds:
            sys.stdout.write("\n")
            return
        time.sleep(chance.uniform(*CALM_SECONDS))
        if figures.seconds < seconds * (1 - CALM_AT_THE_END):
            kind = blows.strike()
            figures.blows[kind] = figures.blows.get(kind, 0) + 1


def _progress(figures: Figures) -> None:
    left = figures.counts.get("running", 0)
    sys.stdout.write(
        f"\r{figures.seconds:6.0f} s  {figures.settled}/{figures.planned} matches, {left} running, "
        f"{sum(figures.blows.values())} blows, {figures.memory[-1][2]:.0f} MiB   "
    )
    sys.stdout.flush()


def _faults(server: ServerProcess, who: Field) -> dict[str, dict[str, int]]:
    """The faults by kind, of each group of bots, those of matches that did not begin included."""
    group = {
        name: label
        for label, names in (("fair", who.fair), ("mortal", who.mortal), ("hostile", who.hostile))
        for name in names
    }
    found: dict[str, Counter[str]] = {label: Counter() for label in group.values()}
    for match in server.read("tournament", "matches", TOURNAMENT)["matches"]:
        for seat in match["seats"]:
            for fault in seat["faults"]:
                found[group[seat["bot_id"]]][fault["fault"]] += fault["count"]
    return {label: dict(sorted(counts.items())) for label, counts in found.items()}


def _report(figures: Figures) -> None:
    rate = figures.settled / figures.seconds if figures.seconds else 0.0
    memory = [mib for _, _, mib in figures.memory]
    lines = [
        f"seed {figures.seed}, {figures.bots} bots",
        f"matches: {figures.counts}, {rate:.2f} a second",
        f"blows: {figures.blows}",
        f"network: {figures.network}",
        *(f"faults of the {group}: {faults}" for group, faults in figures.faults.items()),
        f"memory of the server: {min(memory):.0f} to {max(memory):.0f} MiB",
        f"store check: {figures.store_check}",
        *(f"WRONG: {problem}" for problem in figures.problems),
    ]
    sys.stdout.write("\n".join(lines) + "\n")


def main() -> int:
    """Soak as the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(description="a tournament under blows")
    parser.add_argument("--matches", type=int, default=2000, help="at least (default: 2000)")
    parser.add_argument("--seconds", type=float, default=1200.0, help="at most (default: 1200)")
    parser.add_argument("--seed", type=int, default=1, help="what chance is made from")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    arguments = parser.parse_args()
    # What is left of it is found by its folder, which every process has in its environment.
    folder = Path(tempfile.mkdtemp(prefix="kitumaija-soak-"))
    os.environ["KITUMAIJA_SOAK"] = str(folder)
    os.environ["GRPC_VERBOSITY"] = "NONE"
    figures = soak(
        folder, matches=arguments.matches, seconds=arguments.seconds, seed=arguments.seed
    )
    _report(figures)
    if arguments.json is not None:
        text = json.dumps(asdict(figures) | {"problems": figures.problems}, indent=2)
        arguments.json.write_text(text + "\n", encoding="utf-8")
    if figures.problems:
        sys.stdout.write(f"all of it is kept in {folder}\n")
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
