"""What a process of callers is told to do, and what it tells then; both travel as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Job:
    """So many streams to one address, for some time. Times are in seconds.

    Without `tokens` the callers talk to an echo: `streams` of them, each with a frame of
    `outstanding` answers on its way. With them they are bots, one a token, each with a capacity of
    `outstanding`, that play what they are offered.
    """

    address: str
    streams: int
    outstanding: int
    seconds: float
    """How long is measured."""
    warm_up: float
    """How long before that they play already, from the first answer on."""
    tokens: tuple[str, ...] = ()
    think: tuple[float, float] = (0.0, 0.0)
    """A bot thinks about each decision for itself, evenly distributed between the two."""
    every: float = 0.0
    """How long after its last answer came an echo's caller sends again: 0 is at once."""
    ca: str = ""
    """A file of authorities: TLS."""
    seed: int = 1

    def save(self, file: Path) -> None:
        """Write it where the process will read it."""
        file.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def load(cls, file: Path) -> Job:
        """Read what `save` has written."""
        values = json.loads(file.read_text(encoding="utf-8"))
        values["tokens"], values["think"] = tuple(values["tokens"]), tuple(values["think"])
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Told:
    """What callers saw while it was measured; `latency_ms` maps a share in per cent to its time."""

    decisions: int
    seconds: float
    cpu_seconds: float
    """The processor time of the callers' own process."""
    frames: int
    """The frames that came."""
    latency_ms: dict[str, float]
    lost: int = 0
    """Streams that ended before their time."""

    @property
    def per_second(self) -> float:
        """Decisions a second."""
        return self.decisions / self.seconds if self.seconds else 0.0
