"""One stream of one bot: a task that reads, a task that writes, and how it ends.

The reader stamps every frame and hands its messages on before it reads again; it is not cancelled
before the stream is over, for a cancelled read loses a message. The writer is the only one that
writes, for two writes at once fail. Whatever ends the stream, the lobby is told exactly once.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from datetime import timedelta
from typing import TypeAlias

import grpc.aio

from kitumaija.console.text import counted
from kitumaija.server.clock import Clock, nanos
from kitumaija.server.errors import InvalidArgument, KitumaijaError, ResourceExhausted
from kitumaija.server.limits import ServerLimits
from kitumaija.server.lobby.connection import Connection, Delivery
from kitumaija.server.lobby.desk import Desk
from kitumaija.server.match.values import Fault, Nanos
from kitumaija.server.rpc.allowance import Allowance
from kitumaija.server.rpc.gate import Gate, Outing
from kitumaija.server.rpc.heartbeat import Heartbeat
from kitumaija.server.rpc.incoming import Incoming
from kitumaija.server.rpc.interceptor import Faults
from kitumaija.server.rpc.lastwords import LastWords
from kitumaija.server.rpc.outbox import Outbox, OutgoingFrame
from kitumaija.server.store.rows import BotRow
from kitumaija.v1 import arena_pb2
from kitumaija.wire.limits import FRAME_BYTES_MAX
from kitumaija.wire.session import Kind, RemoteProtocolError, Role, Session
from kitumaija.wire.status import ErrorReason

Context: TypeAlias = "grpc.aio.ServicerContext[Incoming, arena_pb2.PlayResponse]"

_ASKING = frozenset({Kind.DECISION, Kind.MATCH_START, Kind.PING, Kind.ENTROPY_REQUEST})

# What a stream keeps of what it was asked: far more than can be asked within the time that counts.
_OUTINGS_KEPT = 256


class Stream:
    """A bot's stream; it is the `Line` of the bot's connection.

    `bot` finds the bot of the stream's token, and raises where the token is nobody's. `allowance`
    is that bot's, on this stream and on its others.
    """

    def __init__(
        self,
        context: Context,
        desk: Desk,
        bot: Callable[[], BotRow],
        *,
        clock: Clock,
        limits: ServerLimits,
        faults: Faults,
        last_words: LastWords,
        allowance: Allowance,
        gate: Gate,
    ) -> None:
        self._context = context
        self._desk = desk
        self._bot = bot
        self._clock = clock
        self._limits = limits
        self._faults = faults
        self._last_words = last_words
        self._session = Session(Role.SERVER)
        self._outbox = Outbox(
            messages_max=limits.outbox_messages(0), bytes_max=limits.outbox_bytes(0)
        )
        self._allowance = allowance
        self._gate = gate
        self._outings: deque[Outing] = deque(maxlen=_OUTINGS_KEPT)
        self._connection: Connection | None = None
        self._goodbye = False
        self._error: KitumaijaError | None = None
        self._ending: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._heartbeat = Heartbeat(limits, clock.now())

    @property
    def queued(self) -> tuple[int, int]:
        """How many messages wait to be written, and how many bytes they have."""
        return self._outbox.waiting

    # Its course

    async def run(self) -> None:
        """Serve the stream to its end, which may be a status of ours."""
        loop = asyncio.get_running_loop()
        reader = loop.create_task(self._read())
        writer = loop.create_task(self._write())
        try:
            await asyncio.wait((reader, writer, self._ending), return_when=asyncio.FIRST_COMPLETED)
            for task in (reader, writer):
                if task.done() and (mistake := task.exception()) is not None:
                    self.end(self._faults.hidden(mistake, "stream"))
            self._leave()
            self._outbox.close()
            await asyncio.wait((writer,), timeout=self._limits.last_words_within.total_seconds())
            writer.cancel()
            if self._error is not None:
                await self._last_words.tell(self._context, self._error)
        finally:
            self._leave()
            for task in (reader, writer):
                task.cancel()

    def put(self, message: arena_pb2.ServerMessage, delivery: Delivery | None = None) -> None:
        """Hand over a message (`Line`); a bot for which too much waits is closed."""
        if self._ending.done():
            return
        try:
            kind = self._session.sent(message)
        except Exception as error:  # noqa: BLE001 - this bot's stream ends, the others' go on
            self.end(self._faults.hidden(error, "stream"))
            return
        if kind in _ASKING:
            self._allowance.asked()
        if not self._outbox.put(message, delivery, asks=kind is Kind.DECISION):
            self._outbox.close(discard=True)
            self.end(
                ResourceExhausted(
                    ErrorReason.NOT_READING,
                    "more waits to be read on this stream than the server keeps: read all the time",
                    {"limit_bytes": str(self._outbox.bytes_max)},
                )
            )

    def end(self, error: KitumaijaError | None = None) -> None:
        """End the stream after what is on it already, with `error` as its status (`Line`)."""
        if not self._ending.done():
            self._error = error
            self._ending.set_result(None)

    def drain(self, within: timedelta) -> None:
        """Tell the bot that the server shuts down, and serves the stream for so long."""
        message = arena_pb2.ServerMessage()
        message.drain.within.FromTimedelta(within)
        if self._connection is not None:
            self.put(message)

    # Time

    def sweep(self, now: Nanos) -> None:
        """End the stream if it was silent for too long, or ping it if that is due."""
        if self._ending.done():
            return
        limits, silence = self._limits, self._heartbeat.silence(now)
        if self._connection is None:
            if silence > nanos(limits.hello_within):
                self._end_late(ErrorReason.HELLO_LATE, "no Hello", limits.hello_within)
        elif silence > nanos(limits.silence_max):
            self._end_late(ErrorReason.SILENT, "nothing, not even a Pong,", limits.silence_max)
        elif (ping := self._heartbeat.ping(now)) is not None:
            self.put(*ping)

    def stalled(self, since: Nanos, until: Nanos) -> None:
        """Leave out of what is measured here that the server stood still itself."""
        self._heartbeat.stalled(since, until)

    def _end_late(self, reason: ErrorReason, what: str, limit: timedelta) -> None:
        seconds = f"{limit.total_seconds():g}"
        self._outbox.close(discard=True)
        self.end(
            KitumaijaError(
                reason,
                f"{what} was heard on this stream for {seconds} s",
                {"limit_seconds": seconds},
            )
        )

    # The two tasks

    async def _write(self) -> None:
        outbox = self._outbox
        while await outbox.ready():
            outgoing = await self._let_out() if outbox.asks else outbox.pack(0)
            if not outgoing.messages:
                continue
            try:
                await self._context.write(outgoing.frame)
            except Exception:  # noqa: BLE001 - gRPC has a dozen; all say that the stream broke off
                return
            now = self._clock.now()
            outbox.done(outgoing)
            for delivery in outgoing.deliveries:
                delivery.written(now)

    async def _let_out(self) -> OutgoingFrame:
        """Wait until decisions may be asked, and pack as many as may."""
        gate, outbox = self._gate, self._outbox
        if gate.waits:
            outbox.hold()
        await gate.turn()
        outbox.release(self._clock.now())
        outgoing = outbox.pack(gate.room)
        outing = gate.let_out(outgoing.decisions)
        if outgoing.decisions:
            self._outings.append(outing)
        return outgoing

    async def _read(self) -> None:
        while True:
            try:
                came: object = await self._context.read()
            except Exception:  # noqa: BLE001 - as above
                return
            if not isinstance(came, Incoming):
                return  # the end of the stream
            self._take_in(came, self._clock.now())

    # What the bot says

    def _take_in(self, came: Incoming, at: Nanos) -> None:
        if self._ending.done():
            return
        self._heartbeat.heard(at)
        self._desk.look(at)
        frame = came.frame
        if frame is None:
            self._oversized(came.size)
            return
        extra = came.size // self._limits.frame_bytes_per_message
        if not self._allowance.spend(len(frame.messages) + extra, at):
            self._flooded()
            return
        try:
            for kind, message in self._session.received_frame(frame):
                self._hear(kind, message, at)
                if self._ending.done():
                    return
        except RemoteProtocolError as error:
            self._violated(error)

    def _hear(self, kind: Kind, message: arena_pb2.BotMessage, at: Nanos) -> None:
        try:
            self._deal_with(kind, message, at)
        except KitumaijaError as error:
            self.end(error)
        except Exception as error:  # noqa: BLE001 - one bot's input must not harm the others
            told = self._faults.hidden(error, f"stream: {kind.value}")
            if kind is Kind.ANSWER and self._connection is not None:
                self._desk.mishandled(self._connection, message.answer, at)
            else:
                self.end(told)

    def _deal_with(self, kind: Kind, message: arena_pb2.BotMessage, at: Nanos) -> None:
        connection = self._connection
        if connection is None:
            self._greet(message.hello, at)
        elif kind is Kind.ANSWER:
            self._answered()
            self._desk.answer(connection, message.answer, at)
        elif kind is Kind.READY:
            self._desk.ready(connection, message.ready, at)
        elif kind is Kind.PONG:
            took = self._heartbeat.pong(message.pong.nonce, at)
            if took is not None:
                self._desk.round_trip(connection, took)
        elif kind is Kind.RESYNC:
            if self._allowance.spend(self._limits.messages_per_resync, at):
                self._desk.resync(connection, message.resync, at)
            else:
                self._flooded()
        elif kind is Kind.ENTROPY:
            self._desk.entropy(connection, message.entropy)
        elif kind is Kind.GOODBYE:
            self._goodbye = True
            self.end()

    def _answered(self) -> None:
        """Give back the place of the oldest decision that this stream still has one for."""
        outings = self._outings
        while outings and not outings[0].places:
            outings.popleft()
        if outings:
            self._gate.answered(outings[0])

    def _greet(self, hello: arena_pb2.Hello, at: Nanos) -> None:
        # The bot is looked up again: its token may have been replaced since the stream was opened.
        bot = self._bot()
        capacity = self._desk.capacity(hello)
        matches = len({*self._desk.matches_of(bot.bot_id), *hello.match_ids})
        self._allowance.widen(self._limits.burst(max(capacity, matches)))
        if not self._allowance.spend(matches * self._limits.messages_per_return, at):
            raise self._too_soon()
        self._outbox.rebound(
            messages_max=self._limits.outbox_messages(capacity),
            bytes_max=self._limits.outbox_bytes(capacity),
        )
        self._connection = self._desk.hello(bot, hello, self, at)

    def _oversized(self, size: int) -> None:
        self.end(
            ResourceExhausted(
                ErrorReason.FRAME_TOO_LARGE,
                f"got a frame of {size} bytes, wanted at most {FRAME_BYTES_MAX}",
                {"limit_bytes": str(FRAME_BYTES_MAX)},
            )
        )

    def _too_soon(self) -> ResourceExhausted:
        """Return the refusal of a stream to a bot that has used up what it may send."""
        return ResourceExhausted(
            ErrorReason.RESOURCE_EXHAUSTED,
            "this bot opens streams too often, and each is told all of its matches again: dial "
            "again in a while",
            {"resource": "streams", "retry_seconds": "1"},
        )

    def _flooded(self) -> None:
        if self._connection is None:
            self.end(self._too_soon())
            return
        limit = self._limits.unasked_per_second
        problem = (
            f"more came than the server takes, which is what it asks for and "
            f"{counted(limit, 'message')} a second"
        )
        self._desk.broke(self._connection, Fault.FLOODING, problem)
        metadata = {"limit_per_second": str(limit)}
        self.end(ResourceExhausted(ErrorReason.FLOODING, problem, metadata))

    def _violated(self, error: RemoteProtocolError) -> None:
        if self._connection is not None:
            self._desk.broke(self._connection, Fault.PROTOCOL_VIOLATION, str(error))
        self.end(
            InvalidArgument(
                ErrorReason.PROTOCOL_VIOLATION, str(error), {"violation": error.reason.value}
            )
        )

    def _leave(self) -> None:
        """Tell the lobby, once, that the stream is gone."""
        connection, self._connection = self._connection, None
        self.end()
        self._session.closed()
        if connection is not None:
            self._desk.gone(connection, self._clock.now(), goodbye=self._goodbye)
