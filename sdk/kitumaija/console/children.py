"""Child processes of a command: what they say is kept, and none outlives the command.

Each runs below a supervisor (`supervisor.py`), which ends it when the pipe from here is closed:
by this context on its way out, or by the system when this process is gone, killed or not. So no
handler has to run here, and no fork happens beside gRPC's threads.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from kitumaija.console import supervisor
from kitumaija.console.supervisor import GRACE_SECONDS, KEPT_BYTES

_STOP_WITHIN_SECONDS = GRACE_SECONDS + 6.0
"""How long a supervisor may take in all. Then it is killed, which kills what it supervises."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a child and all that it starts may use together; beyond it they are ended."""

    cpu_seconds: float = 0.0
    """CPU time, of all cores; 0 for as much as there is."""
    memory_bytes: int = 0
    """Memory in use at a time, as resident size; 0 for as much as there is."""

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return bool(self.cpu_seconds or self.memory_bytes)


UNLIMITED = Allowance()


class Child:
    """A running command. It ends with the `Children` that started it, or by `stop`."""

    def __init__(self, name: str, process: subprocess.Popen[str], log: Path | None) -> None:
        self.name = name
        self.log = log
        """The file with the end of what it writes; None if that is not kept."""
        self._process = process

    @property
    def code(self) -> int | None:
        """Its exit code, 128 + N if a signal N ended it; None while it runs."""
        return self._process.poll()

    @property
    def pid(self) -> int:
        """The id of its supervisor's process."""
        return self._process.pid

    def read_line(self) -> str:
        """Return the next line of its standard output, if it was started with `read_output`.

        Empty at the end of the output.
        """
        return "" if self._process.stdout is None else self._process.stdout.readline()

    def tail(self) -> str:
        """Return the last 64 KiB of what it wrote and was not read by `read_line`.

        Empty if what it writes is not kept.
        """
        kept = b"" if self.log is None else self.log.read_bytes()
        return kept[-KEPT_BYTES:].decode("utf-8", "replace")

    def ask(self) -> None:
        """Have it end, in a few seconds at most; do not wait."""
        if self._process.stdin is not None:
            self._process.stdin.close()

    def wait(self, seconds: float) -> int:
        """Wait until it has ended by itself, and return its exit code.

        Raises `TimeoutError` if it still runs after that time.
        """
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{self.name} still runs after {seconds:g} s") from None

    def stop(self) -> int:
        """Have it end with everything that it started, and return its exit code."""
        self.ask()
        try:
            return self._process.wait(_STOP_WITHIN_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
        finally:
            if self._process.stdout is not None:
                self._process.stdout.close()


class Children:
    """Commands that run no longer than this context, or this process, whichever ends first."""

    def __init__(self, logs: Path | None) -> None:
        """`logs` is the directory in which each child's `NAME.log` is kept.

        None keeps nothing: children then write to this process's standard output and error.
        """
        self._logs = logs
        self._running: dict[str, Child] = {}

    def __enter__(self) -> Children:
        """Make the directory for the logs."""
        if self._logs is not None:
            self._logs.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End every child, newest first, in the time that one may take."""
        newest_first = tuple(reversed(self._running.values()))
        for child in newest_first:
            child.ask()
        for child in newest_first:
            child.stop()

    def start(
        self,
        name: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        read_output: bool = False,
        allowance: Allowance = UNLIMITED,
    ) -> Child:
        """Start a command; `environment` is put over this process's own.

        Standard error is kept, and standard output too, unless `read_output` leaves that to
        `Child.read_line`. Without a directory for logs both are shown instead. What goes beyond its
        `allowance` is ended, and the last line of what it wrote says why. A second child of one
        name takes the place of the first, which must have ended.

        Raises `OSError` for an allowance on a system that does not tell what a process uses.
        """
        if allowance.limited and sys.platform != "linux":
            raise OSError(
                f"CPU time and memory of bots can be limited on Linux, not on {sys.platform}"
            )
        log = None if self._logs is None else self._logs / f"{name}.log"
        if log is None:
            output = "show"
        else:
            log.write_bytes(b"")
            output = "pass" if read_output else "log"
        shown = None if log is None else subprocess.DEVNULL
        process = subprocess.Popen(
            [
                *(sys.executable, "-I", "-S", supervisor.__file__, str(log or ""), output),
                *(str(allowance.cpu_seconds), str(allowance.memory_bytes), *command),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if read_output else shown,
            stderr=shown,
            text=True,
            env={**os.environ, **(environment or {})},
            # A Ctrl-C is for the command alone, which then ends its children in order.
            start_new_session=True,
        )
        child = Child(name, process, log)
        self._running[name] = child
        return child

    def __getitem__(self, name: str) -> Child:
        """Return a child by its name."""
        return self._running[name]

    def ended(self) -> list[Child]:
        """Return the children that ended by themselves."""
        return [child for child in self._running.values() if child.code is not None]
