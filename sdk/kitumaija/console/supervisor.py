"""Runs one command and leaves nothing of it behind.

``python -I -S supervisor.py LOG OUTPUT COMMAND…`` is how `children.py` starts every child: as a
process between the one that wants the command and the command itself. Its standard input is a pipe
that nobody writes to. When that ends, because the starter closed it or is no more, however it
died, the command gets SIGTERM and a few seconds, then SIGKILL; and with it every process that it
started, in whatever group or session, for on Linux the supervisor adopts the orphans below it. The
same happens when the command ends by itself and leaves children behind. If the supervisor is
killed, the kernel (on Linux) kills the command.

What the command writes to standard error, and with OUTPUT ``log`` to standard output too, is kept
in the file LOG: its last 64 KiB and at most as much again, however much there is. With OUTPUT
``pass`` standard output is the supervisor's own. With ``show`` both are, and nothing is kept; LOG
may be empty then. The exit code is the command's, 128 + N for one
that a signal N ended, 127 for one that could not be started.

This file imports nothing of the package: a bare interpreter starts it in some ten milliseconds.
Elsewhere than on Linux only the command's own process group is ended.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from types import FrameType

GRACE_SECONDS = 3.0
"""How long a command may take to end after SIGTERM."""

KEPT_BYTES = 64 * 1024
"""How much of the end of what a command writes is kept at least."""

NOT_STARTED = 127
"""The exit code for a command that could not be started, as shells have it."""

_LINUX = sys.platform == "linux"
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_KILL_EVERY_SECONDS = 0.02
_KILL_ROUNDS = 250


class Tail:
    """A file with the end of what is added to it: 64 KiB, and at most as much before them."""

    def __init__(self, path: Path) -> None:
        """`path` is an empty file, or none yet."""
        self._path = path
        self._kept = bytearray()

    def add(self, data: bytes) -> None:
        """Add to the end. A disk that is full stops nobody: the file then lags behind."""
        self._kept += data
        try:
            if len(self._kept) <= 2 * KEPT_BYTES:
                with self._path.open("ab") as file:
                    file.write(data)
                return
            del self._kept[:-KEPT_BYTES]
            # In one step, so that a reader never finds half of it.
            fresh = self._path.with_name(f"{self._path.name}.new")
            fresh.write_bytes(self._kept)
            fresh.replace(self._path)
        except OSError:
            return


def main(arguments: Sequence[str]) -> int:
    """Run a command until it ends or nobody wants it any more; return its exit code."""
    log, output, *command = arguments
    keep = _show if output == "show" else Tail(Path(log)).add
    if _LINUX:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    news: SimpleQueue[str] = SimpleQueue()
    # Ctrl-C and a closed terminal are the starter's affair; whoever asks by SIGTERM is heard.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)

    def asked(number: int, frame: FrameType | None) -> None:
        del number, frame
        news.put("asked")

    signal.signal(signal.SIGTERM, asked)
    try:
        child = _start(command, output)
    except OSError as error:
        keep(f"cannot start {command[0]!r}: {error.strerror}\n".encode())
        return NOT_STARTED
    pump = _in_thread(_pump, child, keep)
    reaper = _Reaper(child, news)
    _in_thread(_hear, news)

    if news.get() == "asked":
        _signal_all(child, signal.SIGTERM)
        reaper.gone.wait(GRACE_SECONDS)
    for _ in range(_KILL_ROUNDS):
        if reaper.gone.wait(_KILL_EVERY_SECONDS):
            break
        # Again and again: whatever is killed may have started another one just before.
        _signal_all(child, signal.SIGKILL)
    pump.join(1.0)
    code = reaper.code
    return 128 - code if code < 0 else code


class _Reaper:
    """Waits for every child of this process: the command, and the orphans that it left."""

    def __init__(self, command: subprocess.Popen[bytes], news: SimpleQueue[str]) -> None:
        self._command = command
        self._news = news
        self.code = -signal.SIGKILL.value
        self.gone = Event()
        """Set when nothing runs below this process any more."""
        _in_thread(self._reap)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, 0)
            except ChildProcessError:
                self.gone.set()
                return
            if pid == self._command.pid:
                self.code = os.waitstatus_to_exitcode(status)
                self._command.returncode = self.code
                self._news.put("ended")


def _start(command: Sequence[str], output: str) -> subprocess.Popen[bytes]:
    errors = {"log": subprocess.STDOUT, "pass": subprocess.PIPE, "show": None}[output]
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if output == "log" else None,
        stderr=errors,
        start_new_session=True,
        # Nothing else runs in this process yet, so a fork is safe here.
        preexec_fn=_die_with_parent if _LINUX else None,  # noqa: PLW1509
    )
    # Whoever reads standard output is to see its end when the command's is closed.
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
    return child


def _die_with_parent() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL.value)


def _prctl(option: int, value: int) -> None:
    import ctypes  # noqa: PLC0415 - not there on every machine, and only Linux needs it

    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _in_thread(work: Callable[..., None], *arguments: object) -> Thread:
    thread = Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def _show(data: bytes) -> None:
    os.write(2, data)


def _pump(child: subprocess.Popen[bytes], keep: Callable[[bytes], object]) -> None:
    """Keep what the command writes, to its end."""
    stream = child.stderr or child.stdout
    while stream is not None and (data := os.read(stream.fileno(), KEPT_BYTES)):
        keep(data)


def _hear(news: SimpleQueue[str]) -> None:
    """Wait for the end of standard input: nobody wants the command any more."""
    while os.read(0, 4096):
        pass
    news.put("asked")


def _signal_all(child: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Signal everything below this process; where that cannot be told, the command's group."""
    if not _LINUX:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, number)
    for pid in descendants(os.getpid()):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def descendants(ancestor: int) -> list[int]:
    """Return the processes below `ancestor`, children before grandchildren; none without /proc."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            # PID (NAME) STATE PARENT …, and the name may hold anything.
            fields = entry.read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    found = list(children.get(ancestor, ()))
    for pid in found:
        found.extend(children.get(pid, ()))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
