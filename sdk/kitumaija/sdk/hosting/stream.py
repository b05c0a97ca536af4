"""One stream of a bot, from the server's side, for callers that block.

A bot's messages are read in a thread of their own and kept until somebody hears them; what is said
to it is handed to the thread of gRPC that writes. A Pong is heard by nobody: it only shows that
somebody is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeAlias

import grpc

from kitumaija.sdk.clocks import Clock
from kitumaija.v1 import arena_pb2
from kitumaija.wire.frames import pack_server_frames
from kitumaija.wire.kinds import Kind
from kitumaija.wire.session import RemoteProtocolError, Role, Session, StreamState
from kitumaija.wire.status import ErrorReason, code_of, error_details

Said: TypeAlias = tuple[Kind, Any]
"""A message of the bot: its kind, and what it says."""

CODES = {code.value[0]: code for code in grpc.StatusCode}
"""The statuses of gRPC by number."""


BURST = 500
PER_SECOND = 50
"""What a bot may say beyond what it is asked for, at once and by the second, as on a server."""
_EARNED = 2
"""What a message that asks for something allows: the answer, and the answer sent again."""


class Gone(Exception):
    """The stream is over; the text says what of it is known, as a part of a sentence."""


class Stream:
    """What is said and heard on one stream, until it ends."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._allowed = float(BURST)
        self._filled_at = clock()
        self._session = Session(Role.SERVER)
        self._lock = Lock()
        self._heard: SimpleQueue[Said | Gone] = SimpleQueue()
        self._to_say: SimpleQueue[arena_pb2.PlayResponse | ErrorReason | None] = SimpleQueue()
        self._gone: Gone | None = None
        self.offered: set[str] = set()
        """The ids of the matches that were offered on it."""

    def hear(self, until: int) -> Said | None:
        """Return the bot's next message; None if none has come when the clock says `until`.

        After that nothing is heard, however much waits: who never stops talking is late, too.
        Raises `Gone` when the stream is over and everything was heard.
        """
        if self._gone is not None:
            raise self._gone
        left = until - self._clock()
        if left <= 0:
            return None
        try:
            said = self._heard.get(timeout=left / 1e9)
        except Empty:
            return None
        if isinstance(said, Gone):
            self._gone = said
            raise said
        return said

    def say(self, *messages: arena_pb2.ServerMessage, asking: bool = False) -> None:
        """Send messages, in order, which ask for something or not.

        What is said on a stream that is over goes nowhere.
        """
        with self._lock:
            if self._session.state is StreamState.CLOSED:
                return
            self._allowed += _EARNED if asking else 0
            for message in messages:
                self._session.sent(message)
                if message.HasField("match_start"):
                    self.offered.add(message.match_start.match_id)
            for frame in pack_server_frames(messages):
                self._to_say.put(frame)

    def ping(self, nonce: int) -> None:
        """Send a Ping, if the stream is open for one."""
        with self._lock:
            if self._session.state is StreamState.OPEN:
                ping = arena_pb2.ServerMessage(ping=arena_pb2.Ping(nonce=nonce))
                self._session.sent(ping)
                self._to_say.put(arena_pb2.PlayResponse(messages=[ping]))

    def end(self) -> None:
        """End the stream without an error."""
        self._to_say.put(None)

    def serve(
        self, requests: Iterator[arena_pb2.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[arena_pb2.PlayResponse]:
        """Yield what is said, until the stream ends from either side."""
        Thread(target=self._read, args=(requests,), daemon=True).start()
        while (frame := self._to_say.get()) is not None:
            if isinstance(frame, ErrorReason):
                text = f"the stream is ended for {frame}"
                context.set_trailing_metadata(error_details(frame, message=text))
                context.abort(CODES[code_of(frame)], text)
            else:
                yield frame

    def _may_say(self, messages: int) -> bool:
        """Take so many messages from what the bot may say; false once there is not enough."""
        with self._lock:
            now = self._clock()
            filled = self._allowed + (now - self._filled_at) * PER_SECOND / 1e9
            self._filled_at = now
            self._allowed = min(float(BURST), filled) - messages
            return self._allowed >= 0

    def _read(self, requests: Iterator[arena_pb2.PlayRequest]) -> None:
        why = "it closed its stream"
        try:
            for frame in requests:
                with self._lock:
                    said = list(self._session.received_frame(frame))
                for kind, message in said:
                    if kind is not Kind.PONG:
                        self._heard.put((kind, getattr(message, kind.value)))
                if not self._may_say(len(frame.messages)):
                    self._to_say.put(ErrorReason.FLOODING)
                    why = f"it flooded: it says more than {PER_SECOND} messages a second unasked"
                    break
        except RemoteProtocolError as error:
            self._to_say.put(ErrorReason.PROTOCOL_VIOLATION)
            why = f"it broke the protocol: {error}"
        except grpc.RpcError:
            why = "its stream broke off"
        with self._lock:
            self._session.closed()
        self._heard.put(Gone(why))
        self._to_say.put(None)
