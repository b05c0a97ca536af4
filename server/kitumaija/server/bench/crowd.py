"""Bots that are there and do not play: ``python -m kitumaija.server.bench.crowd JOB.json``.

They come as fast as they can, `door` of them at a time, and stay until the process is ended. One
line of JSON is printed when all of them came, an `Arrival`. No address may have more connections
than a server allows one, so they come from as many addresses of this machine as are needed.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from kitumaija.server.bench.light import IdleBot
from kitumaija.server.loops import run

OF_ONE_ADDRESS = 1_000
"""How many come from one address: fewer than a server takes from one."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """Who is to come, and where to; `ca` is a file of authorities, for TLS."""

    address: str
    tokens: tuple[str, ...]
    door: int
    ca: str = ""

    def save(self, file: Path) -> None:
        """Write it where the process will read it."""
        file.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def load(cls, file: Path) -> Crowd:
        """Read what `save` has written."""
        values = json.loads(file.read_text(encoding="utf-8"))
        values["tokens"] = tuple(values["tokens"])
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Arrival:
    """How they came: how many were welcomed at their first try, and within how many seconds."""

    welcomed: int
    seconds: float


async def arrive(crowd: Crowd, bots: Sequence[IdleBot], *, come_from: str = "") -> Arrival:
    """Let all of them come, from one address of this machine if that is said."""
    through, tls = asyncio.Semaphore(crowd.door), _context(crowd.ca)

    async def one(number: int, bot: IdleBot) -> bool:
        own = come_from or f"127.0.0.{1 + number // OF_ONE_ADDRESS}"
        async with through:
            return await bot.come(crowd.address, come_from=own, tls=tls)

    began = time.monotonic()
    welcomed = await asyncio.gather(*(one(*entry) for entry in enumerate(bots)))
    return Arrival(sum(welcomed), time.monotonic() - began)


def _context(ca: str) -> ssl.SSLContext | None:
    if not ca:
        return None
    context = ssl.create_default_context(cafile=ca)
    context.set_alpn_protocols(["h2"])
    return context


async def _main(file: Path) -> None:
    crowd = Crowd.load(file)
    bots = [IdleBot(token) for token in crowd.tokens]
    arrival = await arrive(crowd, bots)
    sys.stdout.write(json.dumps(asdict(arrival)) + "\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    run(_main(Path(sys.argv[1])))
