"""What stands beside what: an echo, or a server with its matches, under one load for a while."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from kitumaija.console.children import Children
from kitumaija.server import devcerts
from kitumaija.server.bench.job import Job
from kitumaija.server.bench.matches import Table, begin
from kitumaija.server.bench.processes import Bout, Processes, with_bots


@dataclass(frozen=True, slots=True)
class Times:
    """How long each side is measured, and how long it plays before that, in seconds."""

    seconds: float
    warm_up: float


@dataclass(frozen=True, slots=True)
class Scale:
    """How large all is: `bots` where many are meant, and the times of each side."""

    bots: int
    times: Times


@dataclass(frozen=True, slots=True)
class Echo:
    """Callers of a bare echo: `streams`, each with a frame of `outstanding` answers on its way."""

    streams: int
    outstanding: int = 1
    per_second: float = 0.0
    """The decisions a second of all together that are aimed at; 0 is as many as can be."""

    def measure(self, times: Times) -> Bout:
        """Start it all, measure, end it all."""
        every = self.streams * self.outstanding / self.per_second if self.per_second else 0.0
        with processes() as started:
            serving = started.echo()
            job = Job(
                serving.address,
                self.streams,
                self.outstanding,
                times.seconds,
                times.warm_up,
                every=every,
            )
            return started.load(job, serving)


@dataclass(frozen=True, slots=True)
class Full:
    """A server and `bots` that play at `seats`, each in up to `capacity` matches at once."""

    bots: int
    capacity: int
    seats: int = 2
    think: tuple[float, float] = (0.0, 0.0)
    """How long a bot thinks about each decision, in seconds."""
    locked: bool = False
    """Fixed pairs, each a tournament of its own, that stay in step: the best case there is."""
    tls: bool = False
    options: tuple[str, ...] = ()
    """Of `kitumaija serve`."""
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def tables(self) -> Sequence[Table]:
        """The tournaments: a single one with everybody in it, unless pairs are fixed."""
        names = self.names
        if self.locked:
            pairs = zip(names[::2], names[1::2], strict=True)
            return [Table(pair, 2, self.capacity) for pair in pairs]
        return [Table(names, self.seats, max(1, self.bots * self.capacity // self.seats))]

    @property
    def names(self) -> tuple[str, ...]:
        """The bots' ids."""
        return names_of(self.bots)

    def measure(self, times: Times) -> Bout:
        """Start it all, measure, end it all."""
        with processes() as started:
            data = with_bots(started.folder / "data", self.names)
            more, ca = certificates(started.folder / "certs") if self.tls else ((), "")
            options = (*self.options, *more)
            serving = started.server(data, options=options, environment=self.environment)
            job = Job(
                serving.address,
                self.bots,
                self.capacity,
                times.seconds,
                times.warm_up,
                tokens=self.names,
                think=self.think,
                ca=ca,
            )
            return started.load(job, serving, lambda: begin(serving.address, data, self.tables, ca))


@contextmanager
def processes() -> Iterator[Processes]:
    """Give a folder and processes that are gone at the end."""
    with (
        tempfile.TemporaryDirectory(prefix="kitumaija-bench-") as folder,
        Children(Path(folder) / "logs") as children,
    ):
        yield Processes(children, Path(folder))


def names_of(bots: int) -> tuple[str, ...]:
    """Return the ids of so many bots."""
    return tuple(f"bot-{number:05}" for number in range(bots))


def certificates(folder: Path) -> tuple[tuple[str, ...], str]:
    """Make a server's certificate; return its options for it, and the file of the authority."""
    devcerts.make(folder, devcerts.LOCAL_NAMES, timedelta(days=1), datetime.now(tz=UTC))
    options = ("--tls-cert", str(folder / devcerts.CERT), "--tls-key", str(folder / devcerts.KEY))
    return options, str(folder / devcerts.CA)
