"""The connections of the server as the system sees them, for those on which nobody calls.

gRPC hands a connection over with its first call. One on which nothing is called it keeps to itself,
and it has no limit for those of one address. The sockets are the process's own all the same: one
that is shut down is to gRPC like one whose peer hung up.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import structlog

from kitumaija.server.clock import nanos
from kitumaija.server.limits import ServerLimits
from kitumaija.server.logs import place_of
from kitumaija.server.match.values import Nanos
from kitumaija.server.rpc.addresses import Peer, counted

_log = structlog.stdlib.get_logger(__name__)

_OPEN_FILES = Path("/dev/fd")


@dataclass(frozen=True, slots=True)
class _Socket:
    """A file of this process: its number, which may be given again, and its inode, which tells."""

    number: int
    inode: int


class Sockets:
    """Looks, when told, at the connections to `port`, and cuts those above `most` of one address.

    `busy` says whether a call of a connection is open: such a one is never cut. On a system that
    does not show a process its open files nothing is ever found.
    """

    def __init__(
        self, port: int, limits: ServerLimits, *, most: int, busy: Callable[[Peer], bool]
    ) -> None:
        self._port = port
        self._most = most
        self._every = nanos(limits.connections_looked_at_every)
        self._busy = busy
        self._known: dict[_Socket, Peer | None] = {}
        self._looked_at: Nanos | None = None
        self._looking: asyncio.Future[int] | None = None

    def sweep(self, now: Nanos) -> None:
        """Look if that is due, beside the event loop: there may be ten thousand connections."""
        if self._looking is not None or (
            self._looked_at is not None and now - self._looked_at < self._every
        ):
            return
        self._looked_at = now
        self._looking = asyncio.get_running_loop().run_in_executor(None, self.cut)
        self._looking.add_done_callback(self._looked)

    def _looked(self, done: asyncio.Future[int]) -> None:
        self._looking = None
        if done.cancelled():
            return
        if (error := done.exception()) is not None:
            _log.error("could not look at the connections", **place_of(error))
        elif done.result():
            _log.warning("cut idle connections of one address", connections=done.result())

    def cut(self) -> int:
        """Cut what is beyond the limit of its address, the newest first; return how many.

        It costs next to nothing while the process has fewer files open than one address may have.
        """
        numbers = _open_files()
        if len(numbers) <= self._most:
            self._known = {}
            return 0
        self._look(numbers)
        of: defaultdict[str, list[tuple[_Socket, Peer]]] = defaultdict(list)
        for found, peer in self._known.items():  # in the order in which they were found
            if peer is not None:
                of[peer.address].append((found, peer))
        return sum(self._cut_of(connections) for connections in of.values())

    def _look(self, numbers: list[int]) -> None:
        before, now = self._known, []
        for number in numbers:
            with suppress(OSError):
                now.append(_Socket(number, os.fstat(number).st_ino))
        there = set(now)
        self._known = {one: peer for one, peer in before.items() if one in there}
        for found in now:
            if found not in before:
                self._known[found] = self._peer(found)

    def _cut_of(self, connections: list[tuple[_Socket, Peer]]) -> int:
        excess = len(connections) - self._most
        cut = 0
        for found, peer in reversed(connections):
            if cut >= excess:
                break
            if not self._busy(peer):
                with suppress(OSError), _opened(found) as connection:
                    connection.shutdown(socket.SHUT_RDWR)
                self._known[found] = None  # It counts no more, however long gRPC takes over it.
                cut += 1
        return cut

    def _peer(self, found: _Socket) -> Peer | None:
        """Return the other end of a connection to the port; None for every other file."""
        try:
            with _opened(found) as connection:
                if connection.family not in (socket.AF_INET, socket.AF_INET6):
                    return None
                if connection.getsockname()[1] != self._port:
                    return None
                host, port = connection.getpeername()[:2]
        except OSError:
            return None  # No socket, or nobody at its other end: that which listens is one.
        return Peer(counted(host), port)


@contextmanager
def _opened(found: _Socket) -> Iterator[socket.socket]:
    """Look at a socket that is gRPC's, and leave it open. It takes no file: there may be none."""
    if os.fstat(found.number).st_ino != found.inode:
        raise OSError("the file was closed, and another has its number")
    connection = socket.socket(fileno=found.number)
    try:
        yield connection
    finally:
        connection.detach()


def _open_files() -> list[int]:
    try:
        return [int(found.name) for found in _OPEN_FILES.iterdir()]
    except OSError:
        return []
