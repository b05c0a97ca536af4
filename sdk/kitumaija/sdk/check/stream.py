"""One stream of a bot, as its examiner has it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeVar

import grpc
import grpc.aio

from kitumaija.sdk.check.journal import Journal
from kitumaija.sdk.check.step import Failed
from kitumaija.sdk.testing.server import Line
from kitumaija.v1 import arena_pb2
from kitumaija.wire.frames import pack_server_frames
from kitumaija.wire.kinds import Kind
from kitumaija.wire.limits import PING_INTERVAL
from kitumaija.wire.session import RemoteProtocolError, StreamState
from kitumaija.wire.status import ErrorReason

Found = TypeVar("Found")

_OWN_NONCES: Final = 1 << 40
"""The numbers of the Pings that a stream sends by itself begin here."""

END_SECONDS: Final = 2.0
"""How long is waited at most for a stream to be over once it has ended, in seconds."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of the bot, and when it came: seconds of the loop's clock."""

    kind: Kind
    said: Any
    at: float


class Stream:
    """Hears the bot all the time and keeps what it says until somebody asks for it.

    The protocol's own machine goes through all that is said. Like a server it pings every few
    seconds; the Pongs of those are nobody's concern.
    """

    def __init__(self, line: Line, journal: Journal) -> None:
        self.line = line
        self.began = self._now()
        """When it was opened, in seconds of the loop's clock."""
        self.heard: list[Heard] = []
        """What the bot said and nobody asked for yet."""
        self.closed: float | None = None
        """When the bot ended it; None as long as it did not."""
        self.left = False
        """Whether it said Goodbye before."""
        self.pinging = True
        """Whether it pings by itself."""
        self._journal = journal
        self._violation = ""
        self._changed = asyncio.Event()
        self._ending: asyncio.Future[Callable[[], Awaitable[object]]] = (
            asyncio.get_running_loop().create_future()
        )
        self._done = asyncio.Event()

    @property
    def open(self) -> bool:
        """Whether anything can be said on it."""
        return self.closed is None and not self._ending.done()

    ##### Its course #####

    async def serve(self) -> None:
        """Be the script of the line: hear the bot until it or the examiner ends the stream."""
        hearing = asyncio.create_task(self._hear_all())
        pinging = asyncio.create_task(self._ping())
        try:
            until: list[asyncio.Future[Any]] = [hearing, self._ending]
            await asyncio.wait(until, return_when=asyncio.FIRST_COMPLETED)
            if self._ending.done():
                await self._ending.result()()
            elif self._violation:
                await self.line.end_with(
                    ErrorReason.PROTOCOL_VIOLATION, violation=self._violation.partition(":")[0]
                )
        finally:
            self._close()
            self._done.set()
            for task in (hearing, pinging):
                task.cancel()
            # Not for ever: what a call that has ended still waits for is gRPC's affair.
            await asyncio.wait({hearing, pinging}, timeout=END_SECONDS)

    async def _hear_all(self) -> None:
        # A stream that breaks off ends the reading in one way or another.
        with suppress(asyncio.CancelledError, grpc.aio.BaseError, RemoteProtocolError):
            while (frame := await self.line.read()) is not None:
                self._take_in(frame)
        self._close()

    def _take_in(self, frame: arena_pb2.PlayRequest) -> None:
        now = self._now()
        self._journal.note(now, *frame.messages)
        try:
            for kind, message in self.line.session.received_frame(frame):
                said = getattr(message, kind.value)
                if kind is Kind.GOODBYE:
                    self.left = True
                if kind is not Kind.PONG or said.nonce < _OWN_NONCES:
                    self.heard.append(Heard(kind, said, now))
        except RemoteProtocolError as error:
            self._violation = str(error)
            raise
        finally:
            self._changed.set()

    def _close(self) -> None:
        if self.closed is None and not self._ending.done():
            self.closed = self._now()
            self._journal.note(self.closed, "the bot ends the stream")
        self._changed.set()

    async def _ping(self) -> None:
        nonce = _OWN_NONCES
        while True:
            await asyncio.sleep(PING_INTERVAL.total_seconds())
            greeted = self.line.session.state in (StreamState.OPEN, StreamState.DRAINING)
            if self.pinging and self.open and greeted:
                nonce += 1
                frame = arena_pb2.PlayResponse()
                frame.messages.add().ping.nonce = nonce
                await self.line.write(frame)

    ##### The examiner's words #####

    async def say(self, *messages: arena_pb2.ServerMessage) -> None:
        """Say what the protocol allows, in one frame if it fits."""
        for message in messages:
            self.line.session.sent(message)
        await self.say_unchecked(*messages)

    async def say_unchecked(self, *messages: arena_pb2.ServerMessage) -> None:
        """Say anything. Raises `Failed` where the bot has ended the stream, or breaks it off."""
        self._journal.note(self._now(), *messages)
        for frame in pack_server_frames(messages):
            if not self.open:
                self._fail("a stream that stays open")
            try:
                await self.line.write(frame)
            except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
                self._close()
                self._fail("a stream that stays open")

    ##### The bot's words #####

    async def hear(
        self, kind: Kind, within: float, *, match_id: str | None = None, wanted: str = ""
    ) -> Heard:
        """Return the first message of a kind, of one match if it is named.

        Raises `Failed` if none comes `within` so many seconds, or can come any more.
        """
        wanted = wanted or f"{kind.value.replace('_', ' ').capitalize()} within {within:g} s"

        def found() -> Heard | None:
            for heard in self.heard:
                if heard.kind is kind and match_id in (None, getattr(heard.said, "match_id", "")):
                    self.heard.remove(heard)
                    return heard
            return None

        return await self.until(found, within, wanted=wanted)

    async def until(
        self, found: Callable[[], Found | None], within: float, *, wanted: str
    ) -> Found:
        """Return what `found` returns once it is not None; it is asked after each message."""
        deadline = self._now() + within
        while True:
            if (result := found()) is not None:
                return result
            if self._violation or not self.open:
                self._fail(wanted)
            self._changed.clear()
            try:
                async with asyncio.timeout_at(deadline):
                    await self._changed.wait()
            except TimeoutError:
                raise Failed(wanted, f"nothing in {within:.3g} s{self._besides()}") from None

    async def gone(self, within: float, *, wanted: str) -> None:
        """Wait until the bot ends the stream. Raises `Failed` if it does not, or speaks wrongly."""
        deadline = self._now() + within
        while self.closed is None:
            if self._violation:
                self._fail(wanted)
            self._changed.clear()
            try:
                async with asyncio.timeout_at(deadline):
                    await self._changed.wait()
            except TimeoutError:
                raise Failed(wanted, f"it was still open after {within:g} s") from None

    def raise_violation(self) -> None:
        """Raise `Failed` if the bot has broken the protocol."""
        if self._violation:
            self._fail("what the protocol allows there")

    def _fail(self, wanted: str) -> NoReturn:
        if self._violation:
            raise Failed(wanted, f"a breach of the protocol: {self._violation}")
        raise Failed(wanted, f"the bot ended the stream{self._besides()}")

    def _besides(self) -> str:
        kinds = _listed(heard.kind.name for heard in self.heard)
        return f" but {kinds}" if kinds else ""

    ##### Its end #####

    async def cut(self) -> None:
        """End it as a broken connection does."""
        await self._end(self.line.cut, "the connection breaks")

    async def end_with(self, reason: ErrorReason, **metadata: str) -> None:
        """End it with an error of the server."""
        shown = "".join(f", {name}={value}" for name, value in metadata.items())
        words = f"the server ends the stream: {reason}{shown}"
        await self._end(lambda: self.line.end_with(reason, **metadata), words)

    async def end_as(self, code: grpc.StatusCode, details: str) -> None:
        """End it with a status that has no reason of ours."""
        await self._end(lambda: self.line.end_as(code, details), f"the stream ends: {code.name}")

    async def end(self) -> None:
        """End it without an error."""

        async def nothing() -> None:
            pass

        await self._end(nothing, "the server ends the stream")

    async def closing(self) -> None:
        """Wait until it has ended on this side, too, but not for a bot that keeps it from that."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._done.wait(), END_SECONDS)

    async def _end(self, how: Callable[[], Awaitable[object]], words: str) -> None:
        if self.open:
            self._journal.note(self._now(), words)
            self._ending.set_result(how)
        await self.closing()

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


def _listed(names: Iterable[str]) -> str:
    unique: Sequence[str] = tuple(dict.fromkeys(names))
    return ", ".join(unique)
