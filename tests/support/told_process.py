"""A module of the tests as a process of its own, which is told things in lines of JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_ROOT = Path(__file__).parents[2]


class ToldProcess:
    """`python -m MODULE ARGUMENTS`: it reads lines of JSON, and may answer each with one.

    It is started where the block is entered, or by `start`, and killed where it is left. Such a
    process ends with its input, so that it never outlives who started it.
    """

    module: str

    def __init__(
        self,
        *arguments: str,
        log: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """With a `log`, all that it prints goes there, and it answers nothing."""
        self._arguments = arguments
        self._log = log
        self._environment = {**os.environ, **(environment or {})}
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def start(self) -> None:
        """Start it."""
        with nullcontext(subprocess.PIPE) if self._log is None else self._log.open("ab") as out:
            self._process = subprocess.Popen(
                [sys.executable, "-m", self.module, *self._arguments],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=None if self._log is None else out,
                text=True,
                cwd=_ROOT,
                env=self._environment,
            )

    def kill(self) -> None:
        """End it with SIGKILL, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _tell(self, said: object) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(said) + "\n")
        self._process.stdin.flush()

    def _hear(self) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"{self.module} ended"
        heard: dict[str, Any] = json.loads(line)
        return heard
