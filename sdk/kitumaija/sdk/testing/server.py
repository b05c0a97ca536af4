"""A server that plays a script: real gRPC on this machine, and whatever happens is your choice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from types import TracebackType
from typing import Any, NoReturn, Self, TypeAlias

import grpc
import grpc.aio

from kitumaija.engine import Event, GameOptions, Seat, State, legal_actions, view
from kitumaija.sdk.clocks import nanoseconds
from kitumaija.sdk.hosting.stream import CODES
from kitumaija.v1 import arena_pb2, arena_pb2_grpc
from kitumaija.wire.codec import decision_message, events_to_message, options_to_message
from kitumaija.wire.frames import pack_server_frames
from kitumaija.wire.kinds import Kind
from kitumaija.wire.session import Role, Session
from kitumaija.wire.status import ErrorReason, code_of, error_details
from kitumaija.wire.times import Limits, limits_to_message

_Context: TypeAlias = "grpc.aio.ServicerContext[arena_pb2.PlayRequest, arena_pb2.PlayResponse]"


class Line:
    """One stream of a bot, from the server's side. A script's every word goes through here.

    What is said is checked by the protocol's own machine: a script that breaks the protocol fails,
    and so does a bot that does.
    """

    def __init__(self, requests: AsyncIterator[arena_pb2.PlayRequest], context: _Context) -> None:
        self._requests = requests
        self._context = context
        self.session = Session(Role.SERVER)
        """The protocol's machine, which `hear` and `say` tell of every message."""
        self._waiting: list[tuple[Kind, Any]] = []
        # gRPC takes one write at a time, and a script may have several tasks.
        self._writing = asyncio.Lock()

    @property
    def authorization(self) -> str:
        """What the bot's metadata has as `authorization`; empty if it has none."""
        for key, value in self._context.invocation_metadata() or ():
            if key == "authorization" and isinstance(value, str):
                return value
        return ""

    @property
    def token(self) -> str:
        """The token that the bot showed."""
        return self.authorization.removeprefix("Bearer ")

    async def read(self) -> arena_pb2.PlayRequest | None:
        """Return the bot's next frame as it came, unchecked; None at the end of its side.

        A script that reads frames tells the session of what is in them itself.
        """
        return await anext(self._requests, None)

    async def write(self, frame: arena_pb2.PlayResponse) -> None:
        """Send a frame as it is, unchecked: what the protocol does not allow, too."""
        async with self._writing:
            await self._context.write(frame)

    async def hear(self, kind: Kind) -> Any:
        """Return the bot's next message, which must be of this kind; Pongs are passed over.

        Raises `AssertionError` for another kind and at the stream's end.
        """
        while True:
            if not self._waiting:
                frame = await self.read()
                assert frame is not None, f"the stream ended, wanted {kind.name}"  # noqa: S101
                self._waiting = list(self.session.received_frame(frame))
            heard, message = self._waiting.pop(0)
            if heard is kind:
                return getattr(message, kind.value)
            if heard is not Kind.PONG:
                raise AssertionError(f"got {heard.name}, wanted {kind.name}: {message}")

    async def hear_end(self) -> None:
        """Wait until the bot ends its side of the stream; raises `AssertionError` if it speaks."""
        frame = await self.read()
        if self._waiting or frame is not None:
            raise AssertionError(f"got {self._waiting or frame}, wanted the end of the stream")

    async def say(self, *messages: arena_pb2.ServerMessage) -> None:
        """Send messages, in one frame if they fit."""
        for message in messages:
            self.session.sent(message)
        for frame in pack_server_frames(messages):
            await self.write(frame)

    async def end_with(self, reason: ErrorReason, **metadata: str) -> NoReturn:
        """End the stream with an error as the server does; the script ends here."""
        text = f"the script says {reason}"
        await self._context.abort(
            CODES[code_of(reason)], text, error_details(reason, metadata, message=text)
        )

    async def end_as(self, code: grpc.StatusCode, details: str) -> NoReturn:
        """End the stream with a status alone, as gRPC or a proxy does; the script ends here."""
        await self._context.abort(code, details)

    async def cut(self) -> NoReturn:
        """End the stream as a broken connection does; the script ends here."""
        await self.end_as(grpc.StatusCode.UNAVAILABLE, "the line was cut")

    ##### What is said most #####

    async def greet(self, *match_ids: str) -> arena_pb2.Hello:
        """Hear Hello and say Welcome, naming the matches that the bot is in; return the Hello."""
        hello: arena_pb2.Hello = await self.hear(Kind.HELLO)
        welcome = arena_pb2.Welcome(
            bot_id="bot",
            display_name="Bot",
            server="scripted",
            capacity=hello.capacity,
            match_ids=match_ids,
        )
        await self.say(arena_pb2.ServerMessage(welcome=welcome))
        return hello

    async def offer(self, match_id: str, *, seats: int = 2, limits: Limits | None = None) -> None:
        """Offer a match, and hear Ready."""
        start = arena_pb2.MatchStart(
            match_id=match_id, seats=seats, limits=limits_to_message(limits or Limits())
        )
        await self.say(arena_pb2.ServerMessage(match_start=start))
        ready = await self.hear(Kind.READY)
        assert ready.match_id == match_id, f"got Ready for {ready.match_id!r}"  # noqa: S101

    async def seat(self, match_id: str, **seating: Any) -> None:
        """Say who plays; for `seating` see `seating_of`."""
        seated = seating_of(match_id, **seating)
        await self.say(arena_pb2.ServerMessage(seating=seated))

    async def ask(
        self,
        match_id: str,
        decision_id: int,
        state: State,
        *,
        first_event: int = 0,
        events: Iterable[Event] = (),
        limits: Limits | None = None,
    ) -> None:
        """Ask the mover of `state`; all of the time is left."""
        times = limits or Limits()
        bank_us = nanoseconds(times.bank) // 1000
        await self.say(
            decision_message(
                match_id=match_id,
                decision_id=decision_id,
                view=view(state, state.mover),
                legal=legal_actions(state),
                first_event=first_event,
                events=events,
                time_left_us=bank_us + nanoseconds(times.per_decision) // 1000,
                bank_us=bank_us,
                last_used_us=0,
                round_trip_us=0,
            )
        )

    async def accept(self, match_id: str, decision_id: int) -> None:
        """Take an answer."""
        accepted = arena_pb2.Accepted(match_id=match_id, decision_id=decision_id)
        await self.say(arena_pb2.ServerMessage(accepted=accepted))

    async def sync(
        self,
        match_id: str,
        *,
        events: Iterable[Event] = (),
        limits: Limits | None = None,
        **seating: Any,
    ) -> None:
        """Tell all of a match's events; for `seating` see `seating_of`."""
        match_sync = arena_pb2.MatchSync(
            match_id=match_id,
            seating=seating_of(match_id, **seating),
            events=events_to_message(events),
            limits=limits_to_message(limits or Limits()),
        )
        await self.say(arena_pb2.ServerMessage(match_sync=match_sync))


Script: TypeAlias = Callable[[Line], Awaitable[None]]
"""What happens on one stream. When it returns, the stream ends without an error."""


class ScriptedServer:
    """A server on this machine; its n-th stream is the n-th script's, the last one's for ever.

    Used as ``async with ScriptedServer(script) as server:``, it listens at `address`, with TLS if
    it is given `credentials`. Leaving the block stops it and raises what a script raised, such as
    an `AssertionError` of its own.
    """

    def __init__(
        self,
        *scripts: Script,
        credentials: grpc.ServerCredentials | None = None,
        listen: str = "127.0.0.1:0",
    ) -> None:
        """`listen` is where, as ``host:port``; port 0 is one that is free."""
        if not scripts:
            raise ValueError("got no script, wanted one for each stream")
        self._listen = listen
        self._scripts = scripts
        self._credentials = credentials
        self._streams = 0
        self._failures: list[BaseException] = []
        self._changed = asyncio.Event()
        self._ended = 0
        self._server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
        self._port = 0

    @property
    def address(self) -> str:
        """Where it listens: host:port, or with TLS https://localhost:port."""
        if self._credentials is not None:
            return f"https://localhost:{self._port}"
        return f"{self._listen.rpartition(':')[0]}:{self._port}"

    async def played(self) -> None:
        """Wait until every script has ended once; raise what one of them raised."""
        while self._ended < len(self._scripts) and not self._failures:
            self._changed.clear()
            await self._changed.wait()
        self._raise_failure()

    async def __aenter__(self) -> Self:
        arena_pb2_grpc.add_ArenaServiceServicer_to_server(_Service(self._serve), self._server)
        if self._credentials is None:
            self._port = self._server.add_insecure_port(self._listen)
        else:
            self._port = self._server.add_secure_port(self._listen, self._credentials)
        await self._server.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._server.stop(grace=None)
        if error is None:
            self._raise_failure()

    async def _serve(
        self, requests: AsyncIterator[arena_pb2.PlayRequest], context: _Context
    ) -> None:
        script = self._scripts[min(self._streams, len(self._scripts) - 1)]
        self._streams += 1
        try:
            await script(Line(requests, context))
        except (grpc.aio.AbortError, asyncio.CancelledError):
            raise
        except BaseException as failure:
            self._failures.append(failure)
            raise
        finally:
            self._ended += 1
            self._changed.set()

    def _raise_failure(self) -> None:
        if self._failures:
            raise self._failures.pop(0)


class _Service(arena_pb2_grpc.ArenaServiceServicer):
    def __init__(
        self, serve: Callable[[AsyncIterator[arena_pb2.PlayRequest], _Context], Awaitable[None]]
    ) -> None:
        self._serve = serve

    async def Play(  # type: ignore[override]  # noqa: N802 - gRPC's name; async here, sync there
        self, request_iterator: AsyncIterator[arena_pb2.PlayRequest], context: _Context
    ) -> None:
        await self._serve(request_iterator, context)


def seating_of(
    match_id: str,
    *,
    seat: int = 0,
    names: Iterable[str] = ("Bot", "Other"),
    options: GameOptions | None = None,
) -> arena_pb2.Seating:
    """Return a Seating: the bot sits at `seat`, and `names` are all players in order."""
    return arena_pb2.Seating(
        match_id=match_id,
        seat=seat,
        players=[
            arena_pb2.SeatedPlayer(seat=Seat(number), bot_id=name.lower(), display_name=name)
            for number, name in enumerate(names)
        ],
        options=options_to_message(options or GameOptions()),
    )
