"""The faulty proxy as a process of its own: what it costs is not charged to who is tested."""

from __future__ import annotations

from typing import Any

from tests.support.proxy import Way
from tests.support.told_process import ToldProcess


class ProxyProcess(ToldProcess):
    """Runs `python -m tests.support.proxy` in front of `target` (HOST:PORT), in a `with`.

    `listen` is where; port 0 is any free one. `seed` is what its chance is made from.
    """

    module = "tests.support.proxy"

    def __init__(self, target: str, *, seed: str = "0", listen: str = "127.0.0.1:0") -> None:
        super().__init__(target, "--listen", listen, "--seed", seed)
        self.address = ""

    def start(self) -> None:
        """Start it, and wait until it listens."""
        super().start()
        self.address = self._hear()["address"]

    def do(self, command: str, *, way: Way | None = None, **arguments: float) -> dict[str, int]:
        """Have it do what `FaultyProxy`'s method of that name does; return its counts after it.

        `counts` does nothing. Whatever has to last is for the caller to time: it returns at once.
        """
        said: dict[str, Any] = {"do": command, **arguments}
        if way is not None:
            said["way"] = way.name
        self._tell(said)
        return self._hear()
