"""The server's end of the process that searches (`search_child`).

Drawing worlds is work of some milliseconds in pure Python. In a thread it would take the
interpreter from the event loop, and so from the clocks of matches; in a process of its own, which
gives way, it does not.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from kitumaija.server.errors import ResourceExhausted
from kitumaija.server.limits import ServerLimits
from kitumaija.server.rpc.fields import wrong_field
from kitumaija.server.rpc.search_child import HEADER, REFUSED
from kitumaija.wire.status import ErrorReason

_CHILD = "kitumaija.server.rpc.search_child"


class SearchLost(RuntimeError):
    """The process ended in the middle of a request."""


class SearchProcess:
    """Asks the process, which is started when it is first needed, and again if it was lost.

    Requests are answered one after another, those that wait in their order.
    """

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._waiting = 0
        self._closed = False
        self._child: subprocess.Popen[bytes] | None = None
        # A single thread, which waits for the process and nothing else.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="search")

    async def ask(self, method: int, request: bytes) -> bytes:
        """Return the answer's bytes.

        Raises `InvalidArgument` for a request that is wrong, and `ResourceExhausted` while too many
        wait.
        """
        most = self._limits.searches_waiting
        if self._waiting >= most:
            raise ResourceExhausted(
                ErrorReason.RESOURCE_EXHAUSTED,
                f"{most} searches wait already; ask again in a second",
                {"resource": "searches", "limit": str(most), "retry_seconds": "1"},
            )
        self._waiting += 1
        # Who hangs up does not take it from the thread: what was written has to be read.
        asked = self._thread.submit(self._exchange, method, request)
        asked_here = asyncio.wrap_future(asked)
        asked_here.add_done_callback(lambda _: self._done())
        kind, answer = await asked_here
        if kind == REFUSED:
            refused = json.loads(answer)
            raise wrong_field(refused["field"], refused["got"], refused["wanted"])
        return answer

    def close(self) -> None:
        """End the process; nobody asks any more."""
        self._closed = True
        child = self._child
        if child is not None:
            child.kill()
        self._thread.shutdown(cancel_futures=True)
        self._forget()

    def _done(self) -> None:
        self._waiting -= 1

    # In the thread

    def _exchange(self, method: int, request: bytes) -> tuple[int, bytes]:
        try:
            return self._said(method, request)
        except (OSError, SearchLost):
            # It was killed, perhaps while nobody asked. What it was asked changes nothing.
            self._forget()
            return self._said(method, request)

    def _said(self, method: int, request: bytes) -> tuple[int, bytes]:
        if self._child is None:
            self._child = self._started()
        source, target = self._child.stdout, self._child.stdin
        assert source is not None  # noqa: S101 - both are pipes
        assert target is not None  # noqa: S101
        target.write(HEADER.pack(method, len(request)) + request)
        target.flush()
        header = source.read(HEADER.size)
        if len(header) < HEADER.size:
            raise SearchLost("the process that searches was lost")
        kind, size = HEADER.unpack(header)
        answer = source.read(size)
        if len(answer) < size:
            raise SearchLost("the process that searches was lost")
        return kind, answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self._closed:
            raise SearchLost("the server ends")
        cpu = f"{self._limits.search_cpu.total_seconds():g}"
        return subprocess.Popen(
            # Not from the directory that the server was started in (-P).
            [sys.executable, "-P", "-m", _CHILD, cpu],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def _forget(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            # What could not be written any more is lost with the process.
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
