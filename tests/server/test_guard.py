"""A server that does not move any more ends, and one that was only stopped does not."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from kitumaija.server.systemd import Systemd
from kitumaija.wire.exits import ExitCode
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

def raise_every_time(app):
    app.heart.beats = None  # nothing can be added to it

def nothing(app):
    print("serving", flush=True)

settings = ServerSettings.load(data=Path(sys.argv[1]), port=0)
serve(settings, globals()[sys.argv[2]], hang_after=timedelta(seconds=float(sys.argv[3])))
"""


@contextmanager
def server(
    data: Path, what: str, *, hang_after: float = 1.0, **environment: str
) -> Iterator[subprocess.Popen[str]]:
    """Run a server to which something happens."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(data), what, str(hang_after)],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("what", ["block", "raise_every_time"])
def test_a_server_whose_pulse_has_stopped_ends_and_says_where_it_stood(
    what: str, tmp_path: Path
) -> None:
    with server(tmp_path / "data", what) as process:
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)

    assert process.returncode == ExitCode.FAILED
    (line,) = [line for line in errors.splitlines() if line.startswith("kitumaija:")]
    assert "does not move any more" in line
    assert "start it again" in line
    assert ".py:" in line or "<string>:" in line


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


def test_a_server_that_was_stopped_for_longer_goes_on(tmp_path: Path) -> None:
    with server(tmp_path / "data", "nothing") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "serving\n"
        for _ in range(2):
            process.send_signal(signal.SIGSTOP)
            time.sleep(1.5)  # longer than a pulse may be silent
            process.send_signal(signal.SIGCONT)
            time.sleep(0.3)  # long enough for whoever would find it dead
        assert process.poll() is None

        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == ExitCode.OK


def test_a_service_manager_hears_that_a_server_is_ready_alive_and_stopping(
    tmp_path: Path,
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(PATIENCE_SECONDS)
        variables = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000"}
        with server(tmp_path / "data", "nothing", **variables) as process:
            heard = {manager.recv(100) for _ in range(3)}
            assert heard == {b"READY=1", b"WATCHDOG=1"}

            process.send_signal(signal.SIGINT)
            while manager.recv(100) != b"STOPPING=1":
                pass
            assert process.wait(PATIENCE_SECONDS) == ExitCode.OK


def test_a_server_that_lost_its_timer_ends_and_a_service_manager_hears_nothing_of_it(
    tmp_path: Path,
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(PATIENCE_SECONDS)
        variables = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000"}
        with server(tmp_path / "data", "lose_the_timer", **variables) as process:
            process.communicate(timeout=PATIENCE_SECONDS)
            assert process.returncode == ExitCode.FAILED
        manager.setblocking(False)

        assert manager.recv(100) == b"READY=1"
        with pytest.raises(BlockingIOError):
            manager.recv(100)


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
