"""The numbers over HTTP, on a port of their own: `GET /metrics`, the text that Prometheus reads.

Threads of their own answer, so that the numbers can be read while the event loop stands still. They
are few, and none answers for long: whoever reaches the port cannot hold it, or the server, up.
"""

from __future__ import annotations

import socket
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from socketserver import TCPServer, ThreadingMixIn
from typing import Any, Final

import structlog
from prometheus_client import CollectorRegistry, MetricsHandler

_log = structlog.stdlib.get_logger(__name__)

CALLERS_MAX: Final = 8
"""How many may ask at once; whoever comes beyond that is hung up on."""

PATIENCE: Final = 10.0
"""How long, in seconds, one has for asking and for reading the answer."""


class MetricsPortTaken(Exception):
    """The address cannot be listened on; the message is one line and says what to do."""


@dataclass(frozen=True, slots=True)
class Exposed:
    """Where the numbers can be read."""

    port: int
    _server: TCPServer
    _thread: threading.Thread

    def close(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def expose(
    registry: CollectorRegistry, *, host: str, port: int, patience: float = PATIENCE
) -> Exposed:
    """Answer on `port`, 0 for a free one; raises `MetricsPortTaken`. `patience` is in seconds."""
    try:
        server = _Server(registry, host, port, patience)
    except (OSError, OverflowError) as error:
        raise MetricsPortTaken(
            f"cannot show metrics on {host}:{port}: another program has the port, or the host is "
            "not this machine's; name another with --metrics-port, or leave it out"
        ) from error
    thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
    thread.start()
    return Exposed(server.server_address[1], server, thread)


class _Server(ThreadingMixIn, TCPServer):
    """Answers each caller in a thread, a few of them at once."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, registry: CollectorRegistry, host: str, port: int, patience: float) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._patience = patience
        self._free = threading.BoundedSemaphore(CALLERS_MAX)
        super().__init__((host, port), MetricsHandler.factory(registry))

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, if one is free."""
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and hang up in time on a caller who asks or reads too slowly."""
        hang_up = threading.Timer(self._patience, _hang_up, (request,))
        hang_up.daemon = True
        hang_up.start()
        try:
            super().process_request_thread(request, client_address)
        finally:
            hang_up.cancel()
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a caller who hung up, and of anything else what it is."""
        error = sys.exception()
        if error is not None and not isinstance(error, OSError):
            _log.error("the numbers could not be shown", error=type(error).__name__)


def _hang_up(request: socket.socket) -> None:
    with suppress(OSError):
        request.shutdown(socket.SHUT_RDWR)
