"""The numbers over HTTP, on a port of their own: `GET /metrics`, the text that Prometheus reads.

A thread of its own answers, so that the numbers can be read while the event loop stands still.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, start_http_server


class MetricsPortTaken(Exception):
    """The address cannot be listened on; the message is one line and says what to do."""


@dataclass(frozen=True, slots=True)
class Exposed:
    """Where the numbers can be read."""

    port: int
    _server: WSGIServer
    _thread: threading.Thread

    def close(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def expose(registry: CollectorRegistry, *, host: str, port: int) -> Exposed:
    """Answer on `port`, 0 for a free one; raises `MetricsPortTaken`."""
    try:
        server, thread = start_http_server(port, addr=host, registry=registry)
    except (OSError, OverflowError) as error:
        raise MetricsPortTaken(
            f"cannot show metrics on {host}:{port}: another program has the port, or the host is "
            "not this machine's; name another with --metrics-port, or leave it out"
        ) from error
    return Exposed(server.server_port, server, thread)
