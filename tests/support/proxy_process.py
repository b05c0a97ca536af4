"""The faulty proxy as a process of its own: what it costs is not charged to who is tested."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support.proxy import Way

_ROOT = Path(__file__).parents[2]


class ProxyProcess:
    """Runs `python -m tests.support.proxy` in front of `target` (HOST:PORT), in a `with`.

    `listen` is where; port 0 is any free one. `seed` is what its chance is made from.
    """

    def __init__(self, target: str, *, seed: str = "0", listen: str = "127.0.0.1:0") -> None:
        self._arguments = (target, "--listen", listen, "--seed", seed)
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.proxy", *self._arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=_ROOT,
        )
        self.address = self._read()["address"]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.communicate()

    def do(self, command: str, *, way: Way | None = None, **arguments: float) -> dict[str, int]:
        """Have it do what `FaultyProxy`'s method of that name does; return its counts after it.

        `counts` does nothing. Whatever has to last is for the caller to time: it returns at once.
        """
        said: dict[str, Any] = {"do": command, **arguments}
        if way is not None:
            said["way"] = way.name
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(said) + "\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the proxy ended"
        found: dict[str, Any] = json.loads(line)
        return found
