"""Runs one command and leaves nothing of it behind.

``python -I -S supervisor.py LOG OUTPUT CPU MEMORY COMMAND…`` is how `children.py` starts every
child: as a process between the one that wants the command and the command itself. Its standard
input is a pipe that nobody writes to. When that ends, because the starter closed it or is no more,
however it died, the command gets SIGTERM and a few seconds, then SIGKILL; and with it every process
that it started, in whatever group or session, for on Linux the supervisor adopts the orphans below
it. The same happens when the command ends by itself and leaves children behind. If the supervisor
is killed, the kernel (on Linux) kills the command.

What the command writes to standard error, and with OUTPUT ``log`` to standard output too, is kept
in the file LOG: its last 64 KiB and at most as much again, however much there is. With OUTPUT
``pass`` standard output is the supervisor's own. With ``show`` both are, and nothing is kept; LOG
may be empty then.

CPU, in seconds, and MEMORY, in bytes, are what the command may use, 0 for as much as there is: with
all that it started, for what counts is what a bot does and not in how many processes. The
supervisor measures both, some times a second, and kills all of it when it used more; the last
line that is kept then says so. The kernel's own limits would do worse. RLIMIT_CPU and RLIMIT_AS
hold for each process alone, and end it without a word; and RLIMIT_AS counts addresses, of which the
runtimes of Java, Node and Go reserve gigabytes that they never use.

The exit code is the command's, 128 + N for one
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

LOOK_SECONDS = 0.1
"""How often it is measured what a command with limits uses."""

_LINUX = sys.platform == "linux"
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_MIB = 1024 * 1024
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
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
    log, output, cpu, memory, *command = arguments
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
    meter = _Meter(float(cpu), int(memory))
    if float(cpu) or int(memory):
        _in_thread(meter.watch, reaper.gone, news)

    if news.get() == "asked":
        _signal_all(child, signal.SIGTERM)
        reaper.gone.wait(GRACE_SECONDS)
    for _ in range(_KILL_ROUNDS):
        if reaper.gone.wait(_KILL_EVERY_SECONDS):
            break
        # Again and again: whatever is killed may have started another one just before.
        _signal_all(child, signal.SIGKILL)
    pump.join(1.0)
    if meter.over:
        keep(f"kitumaija: {meter.over}\n".encode())
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


class _Meter:
    """Measures what everything below this process uses, until that is too much."""

    def __init__(self, cpu: float, memory: int) -> None:
        """`cpu` is in seconds, `memory` in bytes; 0 does not limit."""
        self._cpu = cpu
        self._memory = memory
        # Not every kernel keeps the lists that make the quick way.
        listed = Path(f"/proc/self/task/{os.getpid()}/children").exists()
        self._below = _below if listed else descendants
        self.over = ""
        """A sentence on what was used too much of; empty as long as nothing was."""

    def watch(self, gone: Event, news: SimpleQueue[str]) -> None:
        """Look until nothing runs any more, or report the end of what uses too much."""
        while not gone.wait(LOOK_SECONDS):
            pids = self._below(os.getpid())
            self.over = self._over_memory(pids) or self._over_cpu(pids)
            if self.over:
                news.put("over")
                return

    def _over_memory(self, pids: Sequence[int]) -> str:
        if not self._memory:
            return ""
        used = sum(resident_bytes(pid) for pid in pids)
        if used <= self._memory:
            return ""
        return (
            f"ended for its memory: {used / _MIB:.0f} MiB are in use, "
            f"the limit is {self._memory / _MIB:.0f} MiB"
        )

    def _over_cpu(self, pids: Sequence[int]) -> str:
        if not self._cpu:
            return ""
        # Of those that ended, whoever waited for them has the time: a parent below, or this one.
        times = os.times()
        used = times.children_user + times.children_system + sum(map(_cpu_seconds, pids))
        if used <= self._cpu:
            return ""
        return f"ended for its CPU time: {used:.1f} s are used up, the limit is {self._cpu:g} s"


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


def resident_bytes(pid: int) -> int:
    """Return how much memory a process has in use, what it shares counted in; 0 if it ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * _PAGE
    except OSError:
        return 0


def _cpu_seconds(pid: int) -> float:
    """The CPU time of a process and of its children that ended; 0 if it ended itself."""
    try:
        # PID (NAME) STATE … and from the 14th field on four times; the name may hold anything.
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS


def _below(ancestor: int) -> list[int]:
    """Return what `descendants` does, without a look at every process of the machine.

    The kernel keeps a list of children for each thread, since any thread may start them.
    """
    found = [ancestor]
    for pid in found:
        for listed in Path(f"/proc/{pid}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, listed.read_bytes().split())
    return found[1:]


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
