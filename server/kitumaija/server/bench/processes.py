"""The processes that a measurement is made of: an echo or a server, and those who call it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from kitumaija.console.children import Child, Children
from kitumaija.server.bench.costs import Costs, costs_of
from kitumaija.server.bench.crowd import Arrival, Crowd
from kitumaija.server.bench.job import Job, Told
from kitumaija.server.ids import token_hash
from kitumaija.server.settings import ServerSettings
from kitumaija.server.store import BotRow, Store, bots


class BenchError(Exception):
    """A process of a measurement failed; the message says which, and what it said last."""


@dataclass(frozen=True, slots=True)
class Serving:
    """A process that serves, and what it has used."""

    address: str
    pid: int

    @property
    def costs(self) -> Costs:
        """What it has used up to now. Raises `BenchError` if it has ended."""
        try:
            return costs_of(self.pid)
        except OSError as error:
            raise BenchError(
                f"the process at {self.address} ended while it was measured"
            ) from error


@dataclass(frozen=True, slots=True)
class Bout:
    """What was seen of one load: by the callers, and of the process that served them."""

    told: Told
    cpu_seconds: float
    """What the serving process took while it was measured."""
    mib: float
    """Its resident memory after that."""


class Processes:
    """The processes of one bout; they end with its `Children`. Files go into `folder`."""

    def __init__(self, children: Children, folder: Path) -> None:
        self._children = children
        self._folder = folder
        self._started = 0

    @property
    def folder(self) -> Path:
        """Where files may be kept while it is measured."""
        return self._folder

    def echo(self) -> Serving:
        """Start a bare echo."""
        return self._serving("echo", [sys.executable, "-m", "kitumaija.server.bench.echo"], {})

    def server(
        self,
        data: Path,
        *,
        options: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> Serving:
        """Start a server on a data directory; `options` are those of `kitumaija serve`."""
        module = [sys.executable, "-m", "kitumaija.server"]
        words = ["serve", "--port", "0", "--data", str(data), "--json", "--log-level", "error"]
        return self._serving("server", [*module, *words, *options], environment or {})

    def load(self, job: Job, serving: Serving, begin: Callable[[], object] = lambda: None) -> Bout:
        """Have callers do a job, and return what came of it.

        `begin` is called when all are connected. Raises `BenchError` if they do not come to the
        end.
        """
        child = self._told("load", job)
        self._line(child)  # connected
        begin()
        self._line(child)  # measuring
        before = serving.costs
        told = Told(**json.loads(self._line(child)))
        after = serving.costs
        child.stop()
        if told.lost:
            raise BenchError(f"{told.lost} of {job.streams} streams ended early: {child.tail()}")
        return Bout(told, after.cpu_seconds - before.cpu_seconds, after.mib)

    def crowd(self, crowd: Crowd) -> Arrival:
        """Have bots come and stay, and return how they came."""
        child = self._told("crowd", crowd)
        return Arrival(**json.loads(self._line(child)))

    def _told(self, name: str, job: Job | Crowd) -> Child:
        """Start a process of callers that reads what it is to do from a file."""
        self._started += 1
        file = self._folder / f"{name}-{self._started}.json"
        job.save(file)
        command = [sys.executable, "-m", f"kitumaija.server.bench.{name}", str(file)]
        return self._children.start(file.stem, command, read_output=True)

    def _serving(
        self, name: str, command: Sequence[str], environment: Mapping[str, str]
    ) -> Serving:
        self._started += 1
        child = self._children.start(
            f"{name}-{self._started}", command, environment=environment, read_output=True
        )
        line = json.loads(self._line(child))
        return Serving(line["address"], line["pid"])

    def _line(self, child: Child) -> str:
        line = child.read_line()
        if not line:
            child.stop()
            raise BenchError(f"{child.name} ended and said: {child.tail() or 'nothing'}")
        return line


def with_bots(data: Path, names: Sequence[str]) -> Path:
    """Make a data directory whose server knows these bots; their names are their tokens."""
    data.mkdir(parents=True)
    now = datetime.now(tz=UTC)
    with Store.open(ServerSettings.load(data=data).store_at) as store, store.write() as tx:
        for name in names:
            bots.add(tx, BotRow(name, name, name, token_hash(name), now))
    return data
