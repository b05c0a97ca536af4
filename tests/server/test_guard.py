"""A server that does not move any more ends, and one that was only stopped does not."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from queue import Queue

import pytest

from kitumaija.server.guard import Guard, Heart
from kitumaija.server.lobby.pulse import Pulse, StallWatch
from kitumaija.server.match import Nanos
from kitumaija.server.systemd import Systemd
from kitumaija.wire.exits import ExitCode
from tests.support.clock import ManualClock
from tests.support.processes import PATIENCE_SECONDS

# A server that is given up after a second, and to which something happens once it serves.
SERVER = """
import asyncio, sys, time
from datetime import timedelta
from pathlib import Path
from kitumaija.server.serving import serve
from kitumaija.server.settings import ServerSettings

def block(app):
    asyncio.get_running_loop().call_soon(time.sleep, 600)

def lose_the_timer(app):
    app.pulse.stop()

def nothing(app):
    pass

settings = ServerSettings.load(data=Path(sys.argv[1]), port=0)
serve(settings, globals()[sys.argv[2]], hang_after=timedelta(seconds=1))
"""


class Manager:
    """A service manager that hears what a server says."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.settimeout(PATIENCE_SECONDS)
        self.variables = {"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "300000"}

    def __enter__(self) -> Manager:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def hear(self) -> bytes:
        """The next that is said."""
        return self._socket.recv(100)

    def hear_until(self, wanted: bytes) -> None:
        """Wait until that is said."""
        while self.hear() != wanted:
            pass

    def rest(self) -> list[bytes]:
        """All that was said and not yet heard."""
        said = []
        self._socket.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                said.append(self.hear())
        self._socket.settimeout(PATIENCE_SECONDS)
        return said


@contextmanager
def server(
    data: Path, what: str, environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Run a server to which something happens."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(data), what],
        env={**os.environ, **(environment or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def where_it_stood(heart: Heart) -> str:
    """Wait until a heart is given up, and return where the main thread stood then."""
    told: Queue[str] = Queue()
    with Guard(heart, told.put, within=timedelta(milliseconds=60)):
        return told.get(timeout=PATIENCE_SECONDS)


def test_who_gives_up_a_heart_is_told_where_the_main_thread_stands() -> None:
    assert f"{__file__}:" in where_it_stood(Heart())


def test_a_pulse_in_which_a_sweep_raises_every_time_has_a_heart_that_stands_still() -> None:
    def fail(now: Nanos) -> None:
        raise RuntimeError(now)

    heart, clock = Heart(), ManualClock()
    watch = StallWatch(lambda since, until: None, worth_telling=timedelta(seconds=1))
    pulse = Pulse(clock, watch, timedelta(seconds=1), (fail, heart.sweep))
    for _ in range(3):
        with pytest.raises(RuntimeError):
            pulse.beat()

    assert heart.beats == 0
    assert where_it_stood(heart)


def test_a_server_that_hangs_while_nobody_reads_what_it_says_ends_all_the_same(
    tmp_path: Path,
) -> None:
    with server(tmp_path / "data", "block") as process:
        assert process.stderr is not None
        # A pipe that is full: every write to it waits for ever.
        write_end = os.open(f"/proc/{process.pid}/fd/2", os.O_WRONLY | os.O_NONBLOCK)
        try:
            while True:
                os.write(write_end, bytes(65_536))
        except BlockingIOError:
            pass
        finally:
            os.close(write_end)

        assert process.wait(PATIENCE_SECONDS) == ExitCode.FAILED


def test_a_server_that_lost_its_timer_ends_and_says_so_and_a_service_manager_hears_nothing_of_it(
    tmp_path: Path,
) -> None:
    with Manager(tmp_path / "notify") as manager:
        with server(tmp_path / "data", "lose_the_timer", manager.variables) as process:
            _, errors = process.communicate(timeout=PATIENCE_SECONDS)

        assert process.returncode == ExitCode.FAILED
        assert manager.rest() == [b"READY=1"]
    (line,) = [line for line in errors.splitlines() if line.startswith("kitumaija:")]
    assert "does not move any more" in line
    assert "start it again" in line
    assert ".py:" in line


def test_a_server_that_was_stopped_for_longer_goes_on_and_a_service_manager_hears_all_of_it(
    tmp_path: Path,
) -> None:
    with (
        Manager(tmp_path / "notify") as manager,
        server(tmp_path / "data", "nothing", manager.variables) as process,
    ):
        assert {manager.hear() for _ in range(3)} == {b"READY=1", b"WATCHDOG=1"}
        for _ in range(2):
            process.send_signal(signal.SIGSTOP)
            time.sleep(1.5)  # longer than a pulse may be silent
            manager.rest()
            process.send_signal(signal.SIGCONT)
            manager.hear_until(b"WATCHDOG=1")
        assert process.poll() is None

        process.send_signal(signal.SIGINT)
        manager.hear_until(b"STOPPING=1")
        assert process.wait(PATIENCE_SECONDS) == ExitCode.OK


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, None),
        ({"NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": "30000000"}, timedelta(seconds=30)),
        ({"NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": "0"}, None),
        ({"NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "30000000"}, None),
        ({"NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
    ],
)
def test_what_a_service_manager_wants_is_read_from_its_variables(
    environment: dict[str, str], wanted: timedelta | None
) -> None:
    assert Systemd.of(environment).watchdog == wanted


def test_a_service_manager_that_is_gone_is_no_trouble(tmp_path: Path) -> None:
    Systemd(str(tmp_path / "nobody")).say("READY=1")
    Systemd("@nobody-listens-here").say("READY=1")
