"""Child processes of a command: their output kept, all of them ended however the command ends."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

# How long a child may take to end by itself before it is killed.
GRACE_SECONDS = 5.0
# How much of a child's output is shown when it fails.
TAIL_BYTES = 4096

# The child ties itself to this process, before its module runs. A `preexec_fn` would do it from
# here, but by a fork, which gRPC's threads do not survive.
_TETHER = """
import ctypes, runpy, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


class Children:
    """Processes that live no longer than this context.

    On the way out they get SIGTERM, newest first, and SIGKILL after a grace. On Linux the kernel
    ends them too when the command itself is killed.
    """

    def __init__(self, logs: Path) -> None:
        """`logs` is the directory in which each child's output goes to `NAME.log`."""
        self._logs = logs
        self._running: dict[str, subprocess.Popen[str]] = {}

    def __enter__(self) -> "Children":
        """Make the directory for the logs."""
        self._logs.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End every child."""
        for child in reversed(self._running.values()):
            if child.poll() is None:
                child.terminate()
        for child in reversed(self._running.values()):
            try:
                child.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            if child.stdout is not None:
                child.stdout.close()

    def start(
        self,
        name: str,
        module: str,
        arguments: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        read_output: bool = False,
    ) -> subprocess.Popen[str]:
        """Start `python -m MODULE ARGUMENTS…`.

        What it prints goes to its log; with `read_output`, its standard output to the caller.
        """
        with self.log(name).open("wb") as log:
            child = subprocess.Popen(
                [sys.executable, "-c", _TETHER, module, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if read_output else log,
                stderr=log,
                text=True,
                env={**os.environ, **(environment or {})},
                # A Ctrl-C is for the command alone, which then ends its children in order.
                start_new_session=True,
            )
        self._running[name] = child
        return child

    def log(self, name: str) -> Path:
        """The file with what a child printed."""
        return self._logs / f"{name}.log"

    def tail(self, name: str) -> str:
        """The end of what a child printed."""
        return self.log(name).read_bytes()[-TAIL_BYTES:].decode("utf-8", "replace")

    def ended(self) -> list[str]:
        """The children that ended by themselves."""
        return [name for name, child in self._running.items() if child.poll() is not None]
