"""What bots cost that are connected and do not play, and how fast they come."""

from __future__ import annotations

import time
from dataclasses import dataclass

from kitumaija.server.bench.crowd import Crowd
from kitumaija.server.bench.figures import Figures
from kitumaija.server.bench.processes import with_bots
from kitumaija.server.bench.sides import certificates, names_of, processes


@dataclass(frozen=True, slots=True)
class Idle:
    """So many bots, of which `door` are on their way in at a time; 0 lets all come at once."""

    bots: int
    door: int = 200
    tls: bool = False

    def measure(self, seconds: float) -> Figures:
        """Let them come to a server, and look at it for so long while nobody plays.

        `kib_each` is the resident memory that the server has more, `core_percent` the share of a
        core that it needs for their Pings.
        """
        names = names_of(self.bots)
        with processes() as started:
            data = with_bots(started.folder / "data", names)
            options, ca = certificates(started.folder / "certs") if self.tls else ((), "")
            serving = started.server(data, options=options)
            before = serving.costs
            crowd = Crowd(serving.address, names, self.door or self.bots, ca)
            arrival = started.crowd(crowd)
            came = serving.costs
            began = time.monotonic()
            time.sleep(seconds)
            worked = serving.costs.cpu_seconds - came.cpu_seconds
            return {
                "welcomed_percent": round(100 * arrival.welcomed / self.bots, 2),
                "arrivals_per_second": round(self.bots / arrival.seconds, 1),
                "kib_each": round((came.mib - before.mib) * 1024 / self.bots, 1),
                "core_percent": round(100 * worked / (time.monotonic() - began), 2),
            }
