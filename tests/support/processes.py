"""Real processes for the tests from end to end: the server, bots, and what they leave behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest
from typer.testing import CliRunner

from kitumaija.server.__main__ import commands

# How long a process may take to say or to do what it is started for. A bound on hanging, no timing.
PATIENCE_SECONDS = 60.0
# How long a whole tournament may take before a test gives it up; pytest waits a little longer.
TOURNAMENT_SECONDS = 280.0
whole_tournament = pytest.mark.timeout(600)


def cli(
    *arguments: str, environment: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run an organizer's command to its end, as a process."""
    return subprocess.run(
        [sys.executable, "-m", "kitumaija.server", *arguments],
        env={**os.environ, **(environment or {})},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=TOURNAMENT_SECONDS,
        check=False,
    )


class ServerProcess:
    """`kitumaija serve` as a process, to be started again on the same data and port."""

    def __init__(self, data: Path, *, environment: Mapping[str, str] | None = None) -> None:
        self.data = data
        self._environment = {**os.environ, **(environment or {})}
        self.address = ""
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> ServerProcess:
        if self._process is None:
            self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self.kill()

    def start(self, *, failpoint: str = "") -> bool:
        """Start it, and wait until it serves; False if it has died before, at its failpoint."""
        port = self.address.rpartition(":")[2] or "0"
        with (self.data.parent / f"{self.data.name}.log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "kitumaija.server", "serve", "--json"),
                    *("--port", port, "--data", str(self.data)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**self._environment, "KITUMAIJA_FAILPOINT": failpoint},
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line and failpoint:
            return False
        assert line, f"the server did not start: {self.log()}"
        self.address = json.loads(line)["address"]
        return True

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def ended(self, within: float = PATIENCE_SECONDS) -> int:
        """Wait until it ends by itself; its exit code, or the signal below zero."""
        return self._wait(within)

    def running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The process's number."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """End it with SIGKILL: nothing of it gets to run."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """End it with SIGTERM, as an operator does; its exit code."""
        return self._end(signal.SIGTERM)

    def interrupt(self) -> int:
        """End it with SIGINT, as Ctrl-C does; its exit code."""
        return self._end(signal.SIGINT)

    def log(self) -> str:
        """What it said on standard error."""
        return (self.data.parent / f"{self.data.name}.log").read_text(encoding="utf-8")

    def run(self, *arguments: str) -> str:
        """Run an organizer's command against it, in this process, and return what it printed."""
        words = [*arguments, "--address", self.address, "--data", str(self.data)]
        done = CliRunner().invoke(commands(), words)
        assert done.exit_code == 0, f"{words}: {done.output}{self.log()}"
        return done.stdout

    def read(self, *arguments: str) -> Any:
        """Run a command with `--json` and return what it printed."""
        return json.loads(self.run(*arguments, "--json"))

    def register(self, *bots: str) -> dict[str, str]:
        """Register bots; their tokens by id."""
        return {bot: self.read("bot", "register", bot)["token"] for bot in bots}

    def _end(self, number: signal.Signals) -> int:
        assert self._process is not None
        self._process.send_signal(number)
        return self._wait(PATIENCE_SECONDS)

    def _wait(self, within: float) -> int:
        process = self._process
        assert process is not None
        code = process.wait(within)
        self._process = None
        assert process.stdout is not None
        process.stdout.close()
        return code


class BotProcesses:
    """Bots as processes, ended with the context."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> BotProcesses:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._running.values():
            process.kill()
            process.wait()

    def start(
        self,
        name: str,
        source: str,
        *,
        address: str,
        token: str,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start a bot by `python -m kitumaija.sdk SOURCE`."""
        self.start_program(
            name,
            ["-m", "kitumaija.sdk", source],
            address=address,
            token=token,
            environment=environment,
        )

    def start_program(
        self,
        name: str,
        arguments: Sequence[str],
        *,
        address: str,
        token: str,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start `python ARGUMENTS…` with the address and the token in its environment."""
        command = [sys.executable, *arguments]
        self.start_command(name, command, address=address, token=token, environment=environment)

    def start_command(
        self,
        name: str,
        command: Sequence[str],
        *,
        address: str,
        token: str,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start a bot in any language, with the address and the token in its environment."""
        with (self._logs / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                command,
                env={
                    **os.environ,
                    "KITUMAIJA_ADDRESS": address,
                    "KITUMAIJA_TOKEN": token,
                    **(environment or {}),
                },
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def stop(self, name: str) -> int:
        """End a bot with SIGTERM; its exit code."""
        self._running[name].terminate()
        return self.wait(name)

    def interrupt(self, name: str) -> int:
        """End a bot with SIGINT, as Ctrl-C does; its exit code."""
        self._running[name].send_signal(signal.SIGINT)
        return self.wait(name)

    def wait(self, name: str) -> int:
        """Wait for a bot that ends by itself; its exit code."""
        return self._running.pop(name).wait(PATIENCE_SECONDS)

    def kill(self, name: str) -> None:
        """End a bot with SIGKILL."""
        process = self._running.pop(name)
        process.kill()
        process.wait()

    def log(self, name: str) -> str:
        """What a bot printed."""
        return (self._logs / f"{name}.log").read_text(encoding="utf-8")


def nothing_is_left(mark: Path) -> bool:
    """Wait until no process of a run, which names `mark`, is there; False if some stay."""
    until = time.monotonic() + PATIENCE_SECONDS
    while processes_that_name(str(mark)):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)  # between two looks
    return True


def processes_that_name(text: str) -> list[str]:
    """The command lines of all running processes in which `text` occurs, this one's left out."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        try:
            line = (entry / "cmdline").read_bytes() + b"\0" + (entry / "environ").read_bytes()
        except OSError:
            continue
        if text.encode() in line:
            found.append(line.split(b"\0\0")[0].replace(b"\0", b" ").decode("utf-8", "replace"))
    return found
