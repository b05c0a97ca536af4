"""What a server process uses of its machine, seen from outside, and what it says of itself."""

from __future__ import annotations

import re
import urllib.request
from contextlib import suppress
from pathlib import Path

from kitumaija.server.bench.costs import costs_of


class ServerCosts:
    """Of the process `pid`, which shows its numbers at `metrics_port` if it does."""

    def __init__(self, pid: int, metrics_port: int = 0) -> None:
        self._pid = pid
        self._url = f"http://127.0.0.1:{metrics_port}/metrics"

    @property
    def mib(self) -> float:
        """Its resident memory."""
        return costs_of(self._pid).mib

    @property
    def files(self) -> int:
        """How many files and sockets it has open."""
        return len(list(Path(f"/proc/{self._pid}/fd").iterdir()))

    @property
    def sockets(self) -> int:
        """How many sockets it has open: its files without those of its store, which come and go."""
        found = 0
        for file in Path(f"/proc/{self._pid}/fd").iterdir():
            with suppress(OSError):  # closed meanwhile
                found += str(file.readlink()).startswith("socket:")
        return found

    @property
    def cpu(self) -> float:
        """How many seconds of a core it has used."""
        return costs_of(self._pid).cpu_seconds

    def number(self, name: str) -> float:
        """One of its numbers, as `connected_bots`."""
        with urllib.request.urlopen(self._url) as response:
            text = response.read().decode()
        found = re.search(rf"^kitumaija_{name} (\S+)$", text, flags=re.MULTILINE)
        assert found is not None, f"there is no number {name} in {text}"
        return float(found[1])
