"""A process that is a server: signals, logs, exit codes, one line for what keeps it from starting.

SIGTERM drains: bots are told, play on for a while, and dial again when the server is back. SIGINT
stops within a few seconds. A second signal ends the process at once; that loses nothing either.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import structlog

from kitumaija.console.garbage import keep_what_is_there
from kitumaija.server.app import App, Surroundings
from kitumaija.server.errors import KitumaijaError
from kitumaija.server.guard import HANG_AFTER, Guard
from kitumaija.server.lobby.watchdog import Stuck
from kitumaija.server.logs import set_up
from kitumaija.server.loops import run
from kitumaija.server.metrics import MetricsPortTaken
from kitumaija.server.rpc.server import BindError
from kitumaija.server.settings import ServerSettings
from kitumaija.server.store import StoreError
from kitumaija.server.store.crashing import Crash, crash_at
from kitumaija.server.store.failpoints import Watch
from kitumaija.server.systemd import Systemd
from kitumaija.wire.exits import ExitCode

DRAIN_FOR = timedelta(seconds=5)
"""How long streams are served after SIGTERM."""

STOP_WITHIN = timedelta(seconds=5)
"""How long stopping may take beside that. Then the process ends as it is, which loses nothing."""

FAILPOINT_VARIABLE = "KITUMAIJA_FAILPOINT"
"""The environment variable that makes a server kill itself, for tests (`store/crashing.py`)."""

_SAID_IN_FULL = (BindError, KitumaijaError, MetricsPortTaken, StoreError, Stuck, OSError)
"""Errors whose text is written for an operator. Any other's may quote a card."""

_log = structlog.stdlib.get_logger(__name__)


def serve(
    settings: ServerSettings,
    ready: Callable[[App], None],
    *,
    hang_after: timedelta = HANG_AFTER,
) -> ExitCode:
    """Run a server until a signal ends it, and return the process's exit code.

    `ready` is called when calls are taken. What keeps the server from starting, or from going on,
    is one line on stderr, and so is where it stood if it has not moved for `hang_after`. Belongs in
    the main thread. A server that was started and stopped again takes the process with it: then
    this does not return.
    """
    set_up(settings.log_level, settings.log_format)
    signals = _Signals()
    try:
        code = run(_serve(settings, ready, signals, hang_after))
    except (BindError, MetricsPortTaken, StoreError, OSError) as error:
        return _failed(error)
    # The interpreter takes the signals' handlers away while it ends, and a second signal that came
    # then would find none.
    _end(code)
    return code


async def _serve(
    settings: ServerSettings,
    ready: Callable[[App], None],
    signals: _Signals,
    hang_after: timedelta,
) -> ExitCode:
    systemd = Systemd.of(os.environ)
    # A look at all that is loaded would hold up every bot for a tenth of a second.
    keep_what_is_there()
    app = App(settings, Surroundings(watch=_watch_of(os.environ.get(FAILPOINT_VARIABLE, ""))))
    await app.start()
    failed = asyncio.ensure_future(app.failed())
    signalled = asyncio.ensure_future(signals.first())
    with Guard(app.heart, _hung, within=hang_after, systemd=systemd):
        ready(app)
        systemd.say("READY=1")
        await asyncio.wait((failed, signalled), return_when=asyncio.FIRST_COMPLETED)
    systemd.say("STOPPING=1")
    signals.stopping = True
    if failed.done():
        code, drain = _failed(failed.result()), timedelta(0)
    else:
        number = signalled.result()
        _log.info("stopping", signal=number.name)
        code, drain = ExitCode.OK, DRAIN_FOR if number == signal.SIGTERM else timedelta(0)
    failed.cancel()
    signalled.cancel()
    with _Deadline(drain + STOP_WITHIN, code):
        await app.stop(drain=drain)
    return code


class _Signals:
    """The first signal is waited for; one that comes while the server stops ends the process.

    The handlers are the process's and not the event loop's: they are there before it and after it.
    """

    def __init__(self) -> None:
        self.stopping = False
        self._first: signal.Signals | None = None
        self._wake: Callable[[], object] = lambda: None
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._caught)

    async def first(self) -> signal.Signals:
        """Wait for the first signal, which may have come before."""
        heard = asyncio.Event()
        loop = asyncio.get_running_loop()
        self._wake = lambda: loop.call_soon_threadsafe(heard.set)
        while self._first is None:
            await heard.wait()
        return self._first

    def _caught(self, number: int, _: object) -> None:
        if self.stopping:
            # Everything that anybody was told is on the disk.
            os._exit(ExitCode.INTERRUPTED)
        self.stopping = True
        self._first = signal.Signals(number)
        self._wake()


class _Deadline:
    """Ends the process if what is done inside takes too long, even if it blocks the event loop."""

    def __init__(self, within: timedelta, code: ExitCode) -> None:
        self._code = code
        self._timer = threading.Timer(within.total_seconds(), self._passed)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def _passed(self) -> None:
        _log.warning("stopped before everything was put away")
        _end(self._code)


def _hung(where: str) -> None:
    """Say where the server hangs, if that can be said, and end the process."""
    line = (
        "kitumaija: the server does not move any more and ends; nothing that it told anybody is "
        f"lost: start it again. It stood at {where}\n"
    )
    # Not through the log, whose lock may be what is waited for; and not for long, for it may be
    # standard error that nobody reads.
    saying = threading.Thread(target=lambda: os.write(2, line.encode()), daemon=True)
    saying.start()
    saying.join(1.0)
    os._exit(ExitCode.FAILED)


def _end(code: ExitCode) -> None:
    """End the process here and now, with what it has said so far."""
    with suppress(OSError):
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _watch_of(text: str) -> Watch | None:
    if not text:
        return None
    crash = Crash.parse(text)
    _log.warning("a failpoint is set: this server will kill itself there", failpoint=str(crash))
    return crash_at(crash)


def _failed(error: BaseException) -> ExitCode:
    said = str(error)
    if not isinstance(error, _SAID_IN_FULL):
        said = (
            f"the server met an error of its own ({type(error).__name__}) and cannot go on; what "
            f"it told anybody is kept: start it again, and report what the log says"
        )
    # PostgreSQL says some things in several lines.
    print(f"kitumaija: {' '.join(said.split())}", file=sys.stderr)  # noqa: T201
    return ExitCode.FAILED
