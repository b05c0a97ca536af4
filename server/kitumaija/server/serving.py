"""A process that is a server: signals, logs, exit codes, one line for what keeps it from starting.

SIGTERM drains: bots are told, play on for a while, and dial again when the server is back. SIGINT
stops within a few seconds. A second signal ends the process at once; that loses nothing either.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

import structlog

from kitumaija.server.app import App
from kitumaija.server.logs import set_up
from kitumaija.server.rpc.server import BindError
from kitumaija.server.settings import ServerSettings
from kitumaija.server.store import StoreError
from kitumaija.wire.exits import ExitCode

DRAIN_FOR = timedelta(seconds=5)
"""How long streams are served after SIGTERM."""

STOP_WITHIN = timedelta(seconds=5)
"""How long stopping may take beside that. Then the process ends as it is, which loses nothing."""

_log = structlog.stdlib.get_logger(__name__)


def serve(settings: ServerSettings, ready: Callable[[App], None]) -> ExitCode:
    """Run a server until a signal ends it, and return the process's exit code.

    `ready` is called when calls are taken. What keeps the server from starting, or from going on,
    is one line on stderr.
    """
    set_up(settings.log_level, settings.log_format)
    try:
        return _run(_serve(settings, ready))
    except (BindError, StoreError, OSError) as error:
        return _failed(error)


async def _serve(settings: ServerSettings, ready: Callable[[App], None]) -> ExitCode:
    app = App(settings)
    signals = _Signals()
    await app.start()
    ready(app)
    failed = asyncio.ensure_future(app.failed())
    await asyncio.wait((failed, signals.first), return_when=asyncio.FIRST_COMPLETED)
    if failed.done():
        code, drain = _failed(failed.result()), timedelta(0)
    else:
        failed.cancel()
        drains = signals.first.result() == signal.SIGTERM
        code, drain = ExitCode.OK, DRAIN_FOR if drains else timedelta(0)
    try:
        async with asyncio.timeout((drain + STOP_WITHIN).total_seconds()):
            await app.stop(drain=drain)
    except TimeoutError:
        _log.warning("stopped before everything was put away")
        os._exit(code)
    return code


class _Signals:
    """The first signal is a result; the second ends the process."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.first: asyncio.Future[signal.Signals] = loop.create_future()
        for number in (signal.SIGTERM, signal.SIGINT):
            try:
                loop.add_signal_handler(number, self._caught, number)
            except NotImplementedError:  # Windows: Ctrl-C is KeyboardInterrupt there
                return

    def _caught(self, number: signal.Signals) -> None:
        if self.first.done():
            # Everything that anybody was told is on the disk.
            os._exit(ExitCode.INTERRUPTED)
        _log.info("stopping", signal=number.name)
        self.first.set_result(number)


def _run(main: Coroutine[Any, Any, ExitCode]) -> ExitCode:
    try:
        import uvloop  # noqa: PLC0415 - not there on every machine
    except ImportError:
        return asyncio.run(main)
    return uvloop.run(main)


def _failed(error: BaseException) -> ExitCode:
    print(f"kitumaija: {error}", file=sys.stderr)  # noqa: T201 - the command's own line
    return ExitCode.FAILED
