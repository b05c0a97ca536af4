"""Where bots dial in: a server on which every stream waits for its examiner."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

import grpc.aio

from kitumaija.sdk.check.journal import Journal
from kitumaija.sdk.check.step import Absent
from kitumaija.sdk.check.stream import Stream
from kitumaija.sdk.testing.server import Line, ScriptedServer

STOP_SECONDS: Final = 5.0
"""How long the server may take to stop, in seconds."""


class Door:
    """Where one bot comes in: all streams that show its token, in order."""

    def __init__(self, token: str, journal: Journal) -> None:
        self.token = token
        self.dials: list[float] = []
        """When each stream was opened, in seconds of the loop's clock."""
        self.journal = journal
        self._coming: asyncio.Queue[Stream] = asyncio.Queue()

    async def dialled(self, within: float, wanted: str) -> Stream:
        """Return the next stream that the bot opens. Raises `Absent` if it does not in time."""
        try:
            return await asyncio.wait_for(self._coming.get(), within)
        except TimeoutError:
            raise Absent(wanted, f"no stream in {within:g} s") from None

    async def serve(self, line: Line) -> None:
        """Hold a stream open until the bot or the examiner ends it."""
        stream = Stream(line, self.journal)
        self.dials.append(stream.began)
        self.journal.note(stream.began, "the bot opens a stream")
        self._coming.put_nowait(stream)
        await stream.serve()

    async def forget(self) -> None:
        """End what waits here."""
        while not self._coming.empty():
            await self._coming.get_nowait().cut()


class Stand:
    """The server. Each bot has a door of its own, found by its token."""

    def __init__(self, listen: str = "127.0.0.1:0") -> None:
        """`listen` is where, as ``host:port``."""
        self._server = ScriptedServer(self._serve, listen=listen)
        self._doors: list[Door] = []
        self._given_up: set[str] = set()

    @property
    def address(self) -> str:
        """Where it listens, as ``host:port``."""
        return self._server.address

    def open(self, token: str, journal: Journal) -> Door:
        """Return a new door."""
        door = Door(token, journal)
        self._doors.append(door)
        return door

    def shut(self, door: Door) -> None:
        """Close a door: who still comes with its token is sent away from now on."""
        self._doors.remove(door)
        self._given_up.add(door.token)

    async def __aenter__(self) -> Self:
        await self._server.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        stopping = asyncio.create_task(self._server.__aexit__(kind, error, traceback))
        # A connection of a bot that hangs must not keep the report from being shown.
        await asyncio.wait({stopping}, timeout=STOP_SECONDS)
        if stopping.done():
            stopping.result()

    async def _serve(self, line: Line) -> None:
        # Whoever breaks a stream off in the moment in which it ends is not told why it does.
        with suppress(grpc.aio.InternalError):
            await self._admit(line)

    async def _admit(self, line: Line) -> None:
        if line.token in self._given_up:
            await line.cut()
        known = [door for door in self._doors if line.authorization.endswith(door.token)]
        # Whoever shows no token, or a wrong one, is taken for the bot that is waited for: a step of
        # its own looks at the token.
        doors = known or [door for door in self._doors if not door.dials] or self._doors
        if doors:
            await doors[-1].serve(line)
        else:
            await line.cut()
